/** The event catalogue (spec: Events). The payloads are defined in `events.ts`. */
export const EVENT_NAMES = [
  'status',
  'partial_transcript',
  'final_transcript',
  'emotion',
  'cognitive',
  'transition',
  'moment',
  'rule_match',
  'summary_update',
  'error',
  'done',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];
