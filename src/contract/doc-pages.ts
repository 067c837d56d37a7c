/**
 * Pages of `/docs` whose address differs from their file's name, because the address was published before the files moved:
 * file name without `.md` -> page. The file's name leads there too.
 */
export const PUBLISHED_NAMES: ReadonlyMap<string, string> = new Map([
  ['api', 'all-of-the-api'],
  ['live', 'live-in-depth'],
]);
