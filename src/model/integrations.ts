/** Third parties whose public keys are configured. */
export type Integrations = {
  /** Number of a Yandex Metrika counter. */
  readonly metrikaId?: string;
  readonly mapsApiKey?: string;
  readonly turnstileSiteKey?: string;
  /** Such as `rutube.ru` or `*.okcdn.ru`. */
  readonly videoHosts?: readonly string[];
};
