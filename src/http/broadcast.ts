import { Router } from 'express';
import type { Broadcast } from '../broadcast/broadcast.ts';
import { cacheFor } from '../edition/resource.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

/** @param placeholder path of the picture that stands in for the video while no broadcast is on */
export function broadcastRouter(broadcast: Broadcast, placeholder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/video-broadcast')
    .get(async (_req, res) => {
      const state = await broadcast.current();
      res.set('Cache-Control', cacheFor.never).json(state.status ? state : { status: false, url: placeholder });
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}
