type Connection = { saveData?: boolean; effectiveType?: string };

/** What the browser tells of the network; nothing, if it tells none. */
export function connection(): Connection {
  return (navigator as { connection?: Connection }).connection ?? {};
}
