/** One Server-Sent Event. `data` is written as one line of JSON, which cannot hold a raw line break. */
export function frameEvent(event: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment line: keeps proxies and dead-consumer detection awake, invisible to clients. */
export const frameComment = (text: string): string => `: ${text}\n\n`;

/** The reconnection hint, milliseconds. */
export const frameRetry = (milliseconds: number): string => `retry: ${milliseconds}\n\n`;
