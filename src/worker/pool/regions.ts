import { type PoolRegion, REGION_PLACES, REGIONS } from '../../contract/regions.ts';

type Place = readonly [latitude: number, longitude: number];

/** The region that is nearest to most people of a continent, for a request without coordinates. */
const OF_CONTINENT: Partial<Record<string, PoolRegion>> = {
  AF: 'afr',
  AN: 'oc',
  AS: 'apac',
  EU: 'weur',
  NA: 'enam',
  OC: 'oc',
  SA: 'sam',
};

/** The part of `request.cf` that says where a client is. */
type ClientPlace = Partial<Pick<IncomingRequestCfProperties, 'continent' | 'latitude' | 'longitude'>>;

/** A place as a point of the unit sphere. */
function pointOf([latitude, longitude]: Place): readonly [number, number, number] {
  const [up, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(up) * Math.cos(east), Math.cos(up) * Math.sin(east), Math.sin(up)];
}

const POINTS = REGIONS.map((region) => ({ region, point: pointOf(REGION_PLACES[region]) }));

/** All regions, the nearest first. */
function nearestTo(place: Place): PoolRegion[] {
  const from = pointOf(place);
  // The cosine of the angle between two points falls with their distance.
  const closeness = (point: readonly number[]): number => from.reduce((sum, part, i) => sum + part * point[i]!, 0);
  return POINTS.map(({ region, point }) => ({ region, near: closeness(point) }))
    .sort((a, b) => b.near - a.near)
    .map(({ region }) => region);
}

const ORDERS = new Map(REGIONS.map((region) => [region, nearestTo(REGION_PLACES[region])]));

/** The order in which regions are tried for work that should run in one: itself, then the others by their distance. */
export const regionsFrom = (region: PoolRegion): readonly PoolRegion[] => ORDERS.get(region)!;

/** The region nearest to a client; null when nothing says where it is. */
export function regionOfClient(client: ClientPlace | undefined): PoolRegion | null {
  const { latitude, longitude, continent = '' } = client ?? {};
  if (latitude && longitude) return nearestTo([Number(latitude), Number(longitude)])[0]!;
  return OF_CONTINENT[continent] ?? null;
}
