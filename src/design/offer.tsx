import type { Content } from '../model/content.ts';
import './offer.css';

export type OfferLabel = { preset: string; text: string };

/** What the company offers to whoever leaves a phone number, if it offers anything. @param service a path, where the offer must be for it */
export function offerOf({ presets }: Pick<Content, 'presets'>, service?: string): OfferLabel | undefined {
  const preset = presets.find(({ offer }) => offer && (service === undefined || offer.services.includes(service)));
  return preset?.offer && { preset: preset.slug, text: preset.offer.text };
}

/** The offer as a label tied to the page, which leads to its form. */
export function Offer({ offer }: { offer: OfferLabel | undefined }) {
  return (
    offer && (
      <p className="offer">
        <a href={`/contact?preset=${offer.preset}`}>{offer.text}</a>
      </p>
    )
  );
}
