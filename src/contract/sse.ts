/** One Server-Sent Event. `data` is written as one line of JSON, which cannot contain a line break. */
export const frameEvent = (event: string, data: unknown, id?: number): string =>
  frameJson(event, JSON.stringify(data), id);

/** The same for data that is already JSON. @param json one line */
export const frameJson = (event: string, json: string, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;

/**
 * A comment line, which clients ignore. It keeps proxies from closing the stream, and reveals readers that are gone.
 */
export const frameComment = (text: string): string => `: ${text}\n\n`;

/** The reconnection delay that clients should use, ms. */
export const frameRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;
