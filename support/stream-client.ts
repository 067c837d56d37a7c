import { createParser } from 'eventsource-parser';
import type { EventName } from '../src/contract/event-names.ts';
import { EVENT_SCHEMAS } from '../src/contract/events.ts';

/** One event as a client received it. */
export interface ReceivedEvent {
  id: string | undefined;
  event: EventName;
  // biome-ignore lint/suspicious/noExplicitAny: validated against its schema on arrival, read freely by tests
  data: any;
}

/** Reads a stream to its end. Each payload is parsed with its schema, so an invalid one throws. */
export async function readEvents(response: Response): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      const name = event as EventName;
      events.push({ id, event: name, data: EVENT_SCHEMAS[name].parse(JSON.parse(data)) });
    },
  });
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(chunk);
  return events;
}
