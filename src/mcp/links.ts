/** The URL of a conversation's page at a given time. */
export function pageOf(service: string | URL, id: string, seconds?: number): string {
  const page = new URL(`/app/conversations/${encodeURIComponent(id)}`, service);
  if (seconds !== undefined) page.searchParams.set('t', String(Math.floor(seconds)));
  return page.href;
}

/** A link to a time in the conversation. The text already contains the link to the conversation's page. */
export const timeOf = (seconds: number): string => `[${clockOf(seconds)}]`;

/**
 * The first line of a text with times. It links to the page of the conversation and explains how to open it at a given
 * second.
 */
export const pageLine = (service: string | URL, id: string): string =>
  `Conversation: ${pageOf(service, id)} (with ?t=SECONDS it opens at that second)`;

export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** When a recording began; without that, when it reached the service. */
export interface RecordedEntry {
  recorded_at: string;
  recorded_at_source: 'given' | 'assumed';
}

const arrived = ({ recorded_at_source: source }: RecordedEntry): string => (source === 'assumed' ? ' (uploaded)' : '');

/** The time of a recording in UTC, as `2026-11-25 10:00`; that of its upload, where no other is known, says so. */
export const recordedOn = (of: RecordedEntry): string =>
  `${of.recorded_at.slice(0, 16).replace('T', ' ')}${arrived(of)}`;

/** The same without its hours. */
export const recordedOnDay = (of: RecordedEntry): string => `${of.recorded_at.slice(0, 10)}${arrived(of)}`;
