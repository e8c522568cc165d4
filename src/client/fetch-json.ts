/** @throws if the request fails or the body is not JSON */
export async function fetchJson(address: string, options?: RequestInit) {
  const answer = await fetch(address, options);
  // Error bodies are JSON, too.
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
