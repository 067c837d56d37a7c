import type { Command } from 'commander';
import { Misuse } from '../exits.ts';
import { plain } from '../terminal.ts';

/** The options that choose conversations. */
export interface ConversationFilters {
  label?: string;
  person?: string;
  from?: string;
  to?: string;
}

export const withFilters = (command: Command): Command =>
  command
    .option('--label <label>', 'only conversations with this label')
    .option('--person <id>', 'only conversations in which this person speaks')
    .option('--from <time>', 'only conversations after this time, such as 2026-01-01')
    .option('--to <time>', 'only conversations before this time');

/** The chosen conversations as a filter of the service. @throws Misuse for a string that is not a time */
export function filterOf({ label, person, from, to }: ConversationFilters) {
  const [after, before] = [timeOf(from), timeOf(to)];
  return {
    ...(label !== undefined && { label }),
    ...(person !== undefined && { person }),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
  };
}

/** A filter in a terminal. */
export const filterText = (filter: object | null): string =>
  Object.entries(filter ?? {})
    .map(([name, value]) => `${name}=${plain(String(value))}`)
    .join(' ');

/** @throws Misuse for a string that is not a time */
export function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Misuse(`"${plain(text)}" is not a time, such as 2027-01-01`);
  return time.toISOString();
}
