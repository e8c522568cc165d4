import type { Response, Router } from 'express';
import { fieldsOf } from '../../http/form.ts';
import { HttpError } from '../../http/http-error.ts';
import { localTime, timeOf } from '../../lib/calendar.ts';
import { broadcastUrl, laterToday, type StoredBroadcast } from '../../model/broadcast.ts';
import { isEmbeddable, isVideoSitePage } from '../../model/player-address.ts';
import { type BroadcastDraft, deskBroadcastView } from './desk-broadcast.page.tsx';
import { type DeskOptions, sendDeskPage } from './desk-session.ts';

const path = '/desk/broadcast';

/** Read-only if another server controls the broadcast. */
export function serveBroadcast(router: Router, { site, broadcast }: DeskOptions): void {
  const { company, integrations } = site.content;
  const { timeZone } = company.workingHours;

  router
    .route(path)
    .get((_req, res) => show(res))
    .post(async (req, res) => {
      const fields = fieldsOf(req);
      const values = { url: (fields.get('url') ?? '').trim(), until: fields.get('until') ?? '' };
      const url = broadcastUrl(values.url);
      const until = values.until === '' ? undefined : laterToday(values.until, new Date(), timeZone);
      const errors = [];
      if (!url) errors.push({ field: 'url', message: 'Вставьте адрес видео целиком, с https:// в начале' });
      if (values.until && !until) {
        errors.push({ field: 'until', message: 'Укажите время сегодня, которое ещё не прошло' });
      }
      if (!url || errors.length > 0) return show(res.status(422), { values, errors });
      await stored().set({ status: true, url, until });
      res.locals.log.info({ by: res.locals.desk.name, until }, 'broadcast switched on');
      res.redirect(303, path);
    });

  router.route(`${path}/off`).post(async (_req, res) => {
    await stored().set({ status: false });
    res.locals.log.info({ by: res.locals.desk.name }, 'broadcast switched off');
    res.redirect(303, path);
  });

  function stored(): StoredBroadcast {
    if ('set' in broadcast) return broadcast;
    throw new HttpError(409, 'Conflict');
  }

  async function show(res: Response, sent?: BroadcastDraft): Promise<void> {
    // Shows other processes' changes at once.
    const state = await ('set' in broadcast ? broadcast.read() : broadcast.current());
    const url = state.url ?? '';
    const end = state.status && state.until ? new Date(state.until) : undefined;
    const until = end ? timeOf(localTime(end, timeZone).minutes).padStart(5, '0') : '';
    const heading = state.status ? `Эфир идёт${until && ` до ${until}`}` : 'Эфир выключен';
    const notEmbedded = isEmbeddable(url, integrations.videoHosts) ? undefined : URL.parse(url)?.host;
    const { values, errors } = sent ?? { values: { url, until }, errors: [] };
    const view = deskBroadcastView({
      desk: res.locals.desk,
      path,
      heading,
      wrong: errors.length > 0,
      live: state.status ? { url, notEmbedded, isPage: isVideoSitePage(url) } : undefined,
      elsewhere: !('set' in broadcast),
      values,
      errors,
    });
    sendDeskPage(res, site, view);
  }
}
