import type { PersonProposal, PersonProposals, PersonProposalsQuery, Proposals } from '../../contract/people.ts';
import { unwrapped } from '../../contract/result.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { languageOf } from '../../conversation/languages.ts';
import { weightsTree } from '../../conversation/packed-weights.ts';
import { spokenNames } from '../../conversation/people/names.ts';
import { type RoleWeights, rolesOfTwo, SURE_ROLE } from '../../conversation/people/roles.ts';
import type { RuleFacts } from '../../conversation/rules/facts.ts';
import roleWeights from '../../conversation/weights/roles.bin';
import { editedBy } from '../results/edits/edited.ts';
import { recordedAt, type StoredRecord, titleOf } from '../results/record.ts';
import { readIndexable } from '../results/stored-result.ts';
import { shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { utteranceId } from '../tenant/patterns/hit-place.ts';
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

/**
 * Speakers without a name who may be a person, because the name is said for them.
 * @param cursor where an earlier page ended
 */
export async function proposalsFor(
  { env, tenant, id }: ConversationAddress,
  { cursor }: PersonProposalsQuery,
): Promise<PersonProposals> {
  const { name, found, next } = unwrapped(await tenantOf(env, tenant).people.candidates(id, cursor));
  const [first = ''] = name.toLowerCase().split(/\s+/);
  const isMeant = (heard: string): boolean => [name.toLowerCase(), first].includes(heard.toLowerCase());
  const proposals = found.flatMap(({ record, words, facts }): PersonProposal[] => {
    const { speakers, speaker, start, language } = JSON.parse(facts) as RuleFacts;
    const { names, dismissed } = editedBy(record.edits, record.people);
    const timeline = words.split('\n').flatMap((text, i) => {
      const label = speakers[speaker[i] ?? -1]?.label;
      if (label === undefined) return [];
      return [{ utterance_id: utteranceId(record.id, i), speaker: label, t_start: start[i] ?? 0, text }];
    });
    return spokenNames(timeline, languageOf(language ?? undefined))
      .filter(
        (heard) =>
          isMeant(heard.name) &&
          !names.has(heard.speaker) &&
          !dismissed.some((one) => isName(one, heard.speaker, heard.name)),
      )
      .map((heard) => ({
        ...heard,
        sure: heard.sure && heard.name.toLowerCase() === name.toLowerCase(),
        conversation_id: record.id,
        title: titleOf(record),
        created_at: new Date(record.createdAt).toISOString(),
        ...recordedAt(record),
      }));
  });
  return { proposals, next_cursor: next === null ? null : String(next) };
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
