/** @throws if the address cannot be had, or what it answers is not JSON */
export async function fetchJson(address: string, options?: RequestInit) {
  const answer = await fetch(address, options);
  // Errors are told as JSON, too.
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
