import type { Proposals } from '../../contract/people.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { languageOf } from '../../conversation/languages.ts';
import { weightsTree } from '../../conversation/packed-weights.ts';
import { spokenNames } from '../../conversation/people/names.ts';
import { type RoleWeights, rolesOfTwo, SURE_ROLE } from '../../conversation/people/roles.ts';
import roleWeights from '../../conversation/weights/roles.bin';
import { editedBy } from '../results/edits/edited.ts';
import type { StoredRecord } from '../results/record.ts';
import { readIndexable } from '../results/stored-result.ts';
import { shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { tenantOf } from '../tenant/tenant.ts';
import type { ConversationAddress } from './editing.ts';

let weights: RoleWeights | undefined;

/** The names and roles that speakers may have, from the words of the result as it is shown. */
export async function proposalsOf({ env, tenant, id }: ConversationAddress, record: StoredRecord): Promise<Proposals> {
  const [result, people] = await Promise.all([
    readIndexable(mediaStore(env), shownResultKey(tenant, record)),
    tenantOf(env, tenant).people.list(),
  ]);
  const { names, roles, ownRoles, dismissed } = editedBy(record.edits, record.people);
  const hasRoles = roles.size + ownRoles.size > 0 || result.roles !== undefined;
  const language = languageOf(result.language === 'unknown' ? undefined : result.language);
  const timeline = result.timeline
    .filter(({ unread }) => !unread)
    .map(({ speaker, speaker_label = speaker, ...utterance }) => ({ ...utterance, speaker: speaker_label }));
  const personOf = (name: string): string | null => {
    const same = people.filter((person) => person.name.toLowerCase() === name.toLowerCase());
    return same.length === 1 ? same[0]!.id : null;
  };
  return {
    conversation_id: id,
    names: spokenNames(timeline, language)
      .filter(({ speaker, name }) => !names.has(speaker) && !dismissed.some((one) => isName(one, speaker, name)))
      .map((heard) => ({ ...heard, person_id: personOf(heard.name) })),
    // The roles were learnt from English.
    roles: language.code === 'en' && !hasRoles ? rolesIn(timeline, dismissed) : [],
  };
}

type Dismissed = ReturnType<typeof editedBy>['dismissed'][number];

const isName = (one: Dismissed, speaker: string, name: string): boolean =>
  one.speaker === speaker && one.name?.toLowerCase() === name.toLowerCase();

/** Roles of both of two speakers. They rest on the same words, so that if one was dismissed, none is left. */
function rolesIn(
  timeline: readonly { speaker: string; text: string }[],
  dismissed: readonly Dismissed[],
): Proposals['roles'] {
  const [first, second, ...others] = new Set(timeline.map(({ speaker }) => speaker));
  if (first === undefined || second === undefined || others.length > 0) return [];
  weights ??= weightsTree<RoleWeights>(new Uint8Array(roleWeights));
  const saidBy = (label: string): string[] =>
    timeline.filter(({ speaker }) => speaker === label).map(({ text }) => text);
  const found = rolesOfTwo([saidBy(first), saidBy(second)], weights);
  if (!found || found.confidence < SURE_ROLE) return [];
  const confidence = rounded(found.confidence);
  const proposed = [first, second].map((speaker, i) => ({ speaker, role: found.roles[i]!, confidence }));
  const isWrong = proposed.some(({ speaker, role }) =>
    dismissed.some((one) => one.speaker === speaker && one.role === role),
  );
  return isWrong ? [] : proposed;
}
