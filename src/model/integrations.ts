export type Integrations = {
  readonly metrikaId?: string | undefined;
  readonly mapsApiKey?: string | undefined;
  readonly turnstileSiteKey?: string | undefined;
  /** Such as `rutube.ru` or `*.okcdn.ru`. */
  readonly videoHosts?: readonly string[] | undefined;
};
