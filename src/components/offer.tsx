import type { Content } from '../model/content.ts';
import './offer.css';

export type OfferLabel = { preset: string; text: string };

/** @param service path that the offer must cover */
export function offerOf({ presets }: Pick<Content, 'presets'>, service?: string): OfferLabel | undefined {
  const preset = presets.find(({ offer }) => offer && (service === undefined || offer.services.includes(service)));
  return preset?.offer && { preset: preset.slug, text: preset.offer.text };
}

export function Offer({ offer }: { offer: OfferLabel | undefined }) {
  return (
    offer && (
      <p className="offer">
        <a href={`/contact?preset=${offer.preset}`}>{offer.text}</a>
      </p>
    )
  );
}
