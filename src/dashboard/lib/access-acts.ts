import type { AccessAct, AccessEntry } from '../../sdk/wire.ts';
import { clock } from './format.ts';

/** The acts of the access log in words. */
export const ACCESS_ACTS: Readonly<Record<AccessAct, string>> = {
  analyzed: 'analysed',
  opened: 'opened',
  listed: 'listed or searched',
  recording_requested: 'requested the recording',
  exported: 'exported',
  edited: 'edited',
  reanalyzed: 'analysed again',
  redacted: 'redacted',
  unredacted: 'read or heard what was redacted',
  shared: 'shared',
  deleted: 'deleted',
  refused: 'was refused',
};

/** The act in words, with the requested part of the recording. */
export function deedOf({
  act,
  from_s: from,
  to_s: to,
  requests,
}: Pick<AccessEntry, 'act' | 'from_s' | 'to_s' | 'requests'>): string {
  const part = from === null || to === null ? '' : ` ${clock(from)} to ${clock(to)}`;
  return `${ACCESS_ACTS[act]}${part}${requests > 1 ? ` (${requests} requests)` : ''}`;
}

/** The label of a key. A key from the settings has none, and the operator is named by the log itself. */
export const keyName = ({ key_id: id, key_label: label }: Pick<AccessEntry, 'key_id' | 'key_label'>): string =>
  label ?? (/^[\da-f]{16}_[\da-f]{12}$/.test(id) ? `Key in the settings (${id.slice(0, 6)})` : id);
