type Connection = { saveData?: boolean; effectiveType?: string };

/** Empty without the Network Information API. */
export function connection(): Connection {
  return (navigator as { connection?: Connection }).connection ?? {};
}
