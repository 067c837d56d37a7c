import type * as z from 'zod';
import { EVENT_SCHEMAS } from '../src/contract/events.ts';
import type { StreamEvent } from '../src/sdk/index.ts';

/** All events of a stream. Throws when a payload does not match its schema. */
export async function allOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) {
    EVENT_SCHEMAS[event.event].parse(event.data);
    events.push(event);
  }
  return events;
}

/** The payloads of one event type, in order. */
export const payloadsOf = <N extends StreamEvent['event']>(events: readonly StreamEvent[], name: N) =>
  events.filter(({ event }) => event === name).map(({ data }) => payload(name, data));

const payload = <N extends StreamEvent['event']>(name: N, data: unknown): z.output<(typeof EVENT_SCHEMAS)[N]> =>
  EVENT_SCHEMAS[name].parse(data) as z.output<(typeof EVENT_SCHEMAS)[N]>;

/** Whether an event is permanent. Progress and interim text depend on the load. */
export const isLasting = ({ event }: { event: string }): boolean =>
  event !== 'status' && event !== 'partial_transcript';
