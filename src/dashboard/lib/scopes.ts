import type { CurrentKey, Scope } from '../../sdk/wire.ts';
import { keyName } from './access-acts.ts';

/** The permissions of a key, in words. */
export const SCOPES: readonly [Scope, name: string, more: string][] = [
  ['analyze', 'analyse and edit', 'sends recordings, corrects results, adds rules, people and webhooks'],
  ['read', 'read', 'reads, hears, exports and shares conversations'],
  ['delete', 'delete', 'also removes personal data later, and sets and lifts holds'],
  ['live', 'capture live', 'analyses while somebody speaks'],
  ['admin', 'manage keys', 'the keys and members of its own tenant, and nothing else'],
];
/** The operator alone gives this one. */
export const UNREDACTED: (typeof SCOPES)[number] = [
  'unredacted',
  'read what was redacted',
  'where the tenant keeps recordings as they were',
];

/** The permissions of a key as a list in a sentence: "read, capture live and manage keys". */
export function permissionsOf({ scopes }: Pick<CurrentKey, 'scopes'>): string {
  const names = [...SCOPES, UNREDACTED].filter(([scope]) => scopes.includes(scope)).map(([, name]) => name);
  return new Intl.ListFormat('en-GB').format(names);
}

/** The short form of a key's id, which tells keys of one label apart. It is the same on every page. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

/** The label of a key. One from the settings has none of its own. */
export const labelOf = ({ id, label, source }: Pick<CurrentKey, 'id' | 'label' | 'source'>): string =>
  source === 'settings' ? keyName({ key_id: id, key_label: null }) : label;
