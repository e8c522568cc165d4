import type { Broadcast, BroadcastState } from '../../model/broadcast.ts';

/** A broadcast whose `state` the test sets. */
export function fakeBroadcast(state: BroadcastState = { status: false }): Broadcast & { state: BroadcastState } {
  const fake = { state, current: async () => fake.state };
  return fake;
}
