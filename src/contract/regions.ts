/**
 * Regions of Cloudflare's network, by the names of its location hints, and the latitude and longitude of a place that
 * stands for each, degrees.
 */
export const REGION_PLACES = {
  wnam: [37, -120],
  enam: [40, -77],
  sam: [-20, -48],
  weur: [50, 3],
  eeur: [51, 22],
  apac: [15, 113],
  oc: [-32, 149],
  afr: [-5, 28],
  me: [25, 50],
} as const satisfies Record<string, readonly [latitude: number, longitude: number]>;
export type PoolRegion = keyof typeof REGION_PLACES;
export const REGIONS = Object.keys(REGION_PLACES) as PoolRegion[];

/** Regions in which Cloudflare runs containers that are kept in a jurisdiction. */
export const JURISDICTION_REGIONS = {
  eu: ['weur', 'eeur'],
  us: ['enam', 'wnam'],
} as const satisfies Record<string, readonly PoolRegion[]>;
/** An area that data and work must not leave. The platform keeps objects, buckets, workflows and containers in it. */
export type Jurisdiction = keyof typeof JURISDICTION_REGIONS;
export const JURISDICTIONS = Object.keys(JURISDICTION_REGIONS) as Jurisdiction[];
