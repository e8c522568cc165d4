/** Third parties whose public keys are configured. */
export type Integrations = {
  /** Number of a Yandex Metrika counter. */
  readonly metrikaId?: string | undefined;
  readonly mapsApiKey?: string | undefined;
  readonly turnstileSiteKey?: string | undefined;
  /** Such as `rutube.ru` or `*.okcdn.ru`. */
  readonly videoHosts?: readonly string[] | undefined;
};
