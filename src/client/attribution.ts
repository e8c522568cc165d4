/** Names in the browser's storage are those of the form's fields. */
const prefix = 'attribution.';

/** Keeps what the address of the landing page says of a campaign: each parameter by its name, several values joined. */
export function bind(): void {
  const parameters = new URLSearchParams(location.search);
  // That one is the form's own.
  parameters.delete('preset');
  try {
    for (const name of parameters.keys()) localStorage[prefix + name] = parameters.getAll(name).join(',');
  } catch (error) {
    // The server still learns of it if the form is opened from this very page.
    console.warn(error);
  }
}

/** Adds what was kept to a form that is being sent. */
export function addAttribution(data: FormData): void {
  try {
    for (const [name, value] of Object.entries(localStorage)) if (name.startsWith(prefix)) data.append(name, value);
  } catch (error) {
    console.warn(error);
  }
}
