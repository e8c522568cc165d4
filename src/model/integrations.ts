/** Third parties that the operator has keys for; the keys are public. What has none is absent from the site. */
export type Integrations = {
  /** Number of a Yandex Metrika counter. */
  readonly metrikaId?: string;
  readonly mapsApiKey?: string;
  readonly turnstileSiteKey?: string;
  /** Where broadcasts and videos may come from, such as `rutube.ru` or `*.okcdn.ru`. */
  readonly videoHosts?: readonly string[];
};
