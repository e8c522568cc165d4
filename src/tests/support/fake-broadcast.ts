import type { Broadcast, BroadcastState } from '../../pages/broadcast/broadcast.ts';

/** A broadcast that is what the test says; put another `state` and it has changed. */
export function fakeBroadcast(state: BroadcastState = { status: false }): Broadcast & { state: BroadcastState } {
  const fake = { state, current: async () => fake.state };
  return fake;
}
