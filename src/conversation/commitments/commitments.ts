import type { Commitment, CommitmentState, Due } from '../../contract/commitments.ts';
import type { ConversationSetting } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { quote } from '../dialogue-acts/act-sentences.ts';
import type { DateMention, Language, LocalTime } from '../language.ts';
import type { Outcomes } from '../outcomes.ts';
import type { ConversationStructure } from '../phases/conversation-structure.ts';
import { isSure } from '../text/asr-confidence.ts';
import { isCutOff } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { words } from '../text/tokens.ts';
import { isBetweenPeople } from '../turn-taking/setting.ts';
import type { RecordedAt } from './recorded-at.ts';

/** Limits of a sentence and of a deed, words. A longer sentence is too rough to be read surely. */
const LONGEST = 60;
const DEED_WORDS = 16;
/** Minimum confidence of a commitment that is reported. */
const REPORTED = 0.5;
/** Limit on the commitments of one conversation. */
const MAX_COMMITMENTS = 200;
/** Limit on the words of an answer that only agrees. */
const ANSWER_WORDS = 14;
/** How a commitment was made. */
type Form = 'own' | 'shared' | 'offered' | 'asked';
/** How sure each form is, before anything else is known. */
const SURE: Readonly<Record<Form, number>> = { own: 0.8, shared: 0.7, offered: 0.7, asked: 0.75 };

/** A commitment as one sentence makes it. */
interface Pledge {
  sentence: SpokenSentence;
  form: Form;
  deed: string;
  mention: DateMention | undefined;
  /** Words about time in its sentence that do not surely name its day. */
  vague: string | null;
  isHedged: boolean;
}

type Conversed = Pick<ConversationStructure, 'utterances' | 'turns' | 'sentencesOf' | 'speakers'>;

/** The commitments of a conversation, in order of time. A recording of one person has none. */
export function findCommitments(
  structure: Conversed,
  {
    setting,
    outcomes,
    recorded,
  }: { setting: ConversationSetting; outcomes: Outcomes; recorded: RecordedAt | undefined },
): Commitment[] {
  if (!isBetweenPeople(setting)) return [];
  const { utterances, turns, sentencesOf } = structure;
  const { language } = turns;
  const found: Commitment[] = [];
  for (const [turn, { utterance_id }] of utterances.entries()) {
    let count = 0;
    for (const sentence of sentencesOf(turn)) {
      const pledge = pledgeOf(sentence, language, recorded?.local);
      const settled = pledge && settle(pledge, structure, outcomes);
      if (!pledge || !settled || !isWhole(pledge, language)) continue;
      const mention =
        pledge.mention ?? (pledge.form === 'asked' ? promisedDay(settled, structure, recorded?.local) : undefined);
      const confidence = confidenceOf({ ...pledge, mention }, settled);
      if (confidence < REPORTED || isRepeat(pledge, settled, found)) continue;
      found.push({
        commitment_id: `${utterance_id}_commitment_${count++}`,
        owner: settled.owner,
        to: settled.to,
        deed: pledge.deed,
        due: mention && recorded ? dueOf(mention, recorded) : null,
        vague_due: mention ? null : (pledge.vague ?? timeNearby(pledge, structure, recorded?.local)),
        state: settled.state,
        quote: sentence.text,
        speaker: sentence.speaker,
        utterance_id,
        ...timesOf(sentence, utterances),
        answer_utterance_id: settled.answer,
        confidence,
      });
      if (found.length === MAX_COMMITMENTS) return found;
    }
  }
  return found;
}

/** Number of characters by which a cleaned sentence is found in its utterance. */
const FOUND_BY = 24;

/** The times of a sentence. Its beginning is found by its words; where they were cleaned, it is that of its utterance. */
function timesOf(
  { turn, turns, text }: SpokenSentence,
  utterances: readonly Utterance[],
): Pick<Commitment, 't_start' | 't_end'> {
  const first = utterances[turn]!;
  const last = utterances[turn + turns - 1]!;
  const start = first.text.indexOf(text.slice(0, FOUND_BY));
  if (start < 0) return { t_start: first.t_start, t_end: last.t_end };
  const isWhole = first.text.startsWith(text, start);
  const { t_start, t_end } = quote(first, { text: isWhole ? text : first.text.slice(start).trimEnd(), start });
  return { t_start, t_end: isWhole ? t_end : last.t_end };
}

const dueOf = ({ date, from, time, text }: DateMention, { timeZone, isZoneGiven }: RecordedAt): Due => ({
  date,
  from,
  time,
  said: text,
  time_zone: timeZone,
  time_zone_source: isZoneGiven ? 'given' : 'assumed',
});

/** The first commitment that the words of a sentence make, whoever answers it. */
function pledgeOf(sentence: SpokenSentence, language: Language, said: LocalTime | undefined): Pledge | undefined {
  const { commitments: forms } = language;
  const { text } = sentence;
  if (sentence.length > LONGEST || !isSure(sentence.asrConfidence) || forms.never.test(text) || forms.atOnce.test(text))
    return undefined;
  for (const form of ['own', 'shared', 'offered', 'asked'] as const) {
    for (const match of text.matchAll(forms[form])) {
      const start = match.index + match[0].length;
      const before = text.slice(0, match.index);
      const rest = text.slice(start);
      if (forms.before.test(before) || !forms.deed.test(rest)) continue;
      if (sentence.asks && (form === 'own' || form === 'shared')) continue;
      if (forms.unless.test(rest)) continue;
      return described(sentence, form, { before, rest, start, match: match[0] }, language, said);
    }
  }
  return undefined;
}

function described(
  sentence: SpokenSentence,
  form: Form,
  { before, rest, start, match }: { before: string; rest: string; start: number; match: string },
  language: Language,
  said: LocalTime | undefined,
): Pledge {
  const { commitments: forms, dates } = language;
  const [verb = ''] = forms.deed.exec(rest) ?? [];
  const cut = rest.slice(verb.length).search(forms.deedEnd);
  const end = cut < 0 ? rest.length : verb.length + cut;
  const mentions = said ? dates.find(sentence.text, said) : [];
  const place = { start, end: start + end, before: before.length };
  const found = dateOf(sentence.text, place, mentions, language);
  // "When it is paid, I'll send it in two days": nobody knows when that is.
  const isLater = found !== undefined && dates.fromNow.test(found.text) && forms.afterEvent.test(before);
  const mention = isLater ? undefined : found;
  const clause = rest.slice(0, end);
  return {
    sentence,
    form,
    deed: deedIn(clause, mention && { at: mention.at - start, end: mention.end - start }, language),
    mention,
    vague: dates.vague.exec(clause)?.[0] ?? mentions[0]?.text ?? null,
    isHedged: forms.hedged.test(before.slice(-30) + match),
  };
}

/** The date that belongs to a deed: within it, right after it, or right before the promise. */
function dateOf(
  text: string,
  { start, end, before }: { start: number; end: number; before: number },
  mentions: readonly DateMention[],
  { commitments: forms, dates }: Language,
): DateMention | undefined {
  const within = mentions.filter((m) => m.at >= start && m.end <= end + 1);
  if (within.length > 0) return within.length === 1 ? within[0] : undefined;
  const hasOnly = (from: number, to: number, allowed: ReadonlySet<string>): boolean =>
    from <= to && words(text.slice(from, to)).every((word) => allowed.has(word));
  const after = mentions.find((m) => hasOnly(end, m.at, dates.prepositions));
  if (after) return after;
  return mentions.find(
    (m) =>
      hasOnly(m.end, before, forms.links) &&
      forms.clauseStart.test(withoutLast(text.slice(0, m.at).trimEnd(), dates.prepositions)),
  );
}

/** Number of turns before a promise in which a day may have been named for its deed. */
const DAY_BEFORE = 3;

/**
 * A day that is named near a promise and may be its own: in a sentence next to it, in what was said about the deed just
 * before, or in the answer.
 */
function timeNearby(
  { sentence, deed }: Pledge,
  { utterances, turns, sentencesOf }: Conversed,
  said: LocalTime | undefined,
): string | null {
  const { dates, words: forms } = turns.language;
  const own = new Set(words(deed).map(forms.stem));
  const { turn, text } = sentence;
  const beside = sentencesOf(turn);
  const at = beside.findIndex((one) => one.text === text);
  const next = turn + sentence.turns;
  const about = Array.from({ length: Math.min(DAY_BEFORE, turn) }, (_, i) => sentencesOf(turn - 1 - i))
    .flat()
    .filter((one) => words(one.text).some((word) => word.length > 3 && own.has(forms.stem(word))));
  const near = [beside[at - 1], ...about, beside[at + 1], ...(next < utterances.length ? sentencesOf(next) : [])];
  for (const one of near) {
    if (!one) continue;
    const named = (said && dates.find(one.text, said)[0]?.text) ?? dates.vague.exec(one.text)?.[0];
    if (named !== undefined) return named;
  }
  return null;
}

/** The only day in the answer that promises what was asked: "Send me the contract." "I will send it by Friday." */
function promisedDay(
  { answer, isSure }: Settlement,
  { utterances, turns }: Conversed,
  said: LocalTime | undefined,
): DateMention | undefined {
  const reply = isSure && said ? utterances.find(({ utterance_id }) => utterance_id === answer) : undefined;
  const { commitments: forms, dates } = turns.language;
  if (!reply || !forms.promises.test(reply.text)) return undefined;
  const mentions = dates.find(reply.text, said!);
  return mentions.length === 1 ? mentions[0] : undefined;
}

/** A text without its last words, as far as they are in a list. */
function withoutLast(text: string, dropped: ReadonlySet<string>): string {
  const spoken = text.split(' ');
  while (spoken.length > 0) {
    const [word] = words(spoken.at(-1)!);
    if (word !== undefined && !dropped.has(word)) break;
    if (word === undefined && spoken.at(-1) !== '' && !/^[,.!?]+$/.test(spoken.at(-1)!)) break;
    spoken.pop();
  }
  return spoken.join(' ');
}

/** A deed without the words of its date. */
function deedIn(clause: string, date: { at: number; end: number } | undefined, language: Language): string {
  const { commitments: forms, dates } = language;
  const isInside = date && date.at >= 0 && date.end <= clause.length;
  const head = isInside ? withoutLast(clause.slice(0, date.at).trimEnd(), dates.prepositions) : clause;
  const tail = isInside ? clause.slice(date.end) : '';
  const plain = withoutLast(`${head} ${tail}`.replace(/\s+/g, ' ').trim(), forms.deedTail);
  const spoken = plain.replace(/(?<![,.!?'’])[,.!?'’]+$/, '').split(' ');
  return spoken.length > DEED_WORDS ? `${spoken.slice(0, DEED_WORDS).join(' ')} ...` : spoken.join(' ');
}

/** Whether a deed is complete: it names its object, and was not cut off. */
const isWhole = ({ deed }: Pledge, language: Language): boolean =>
  deed.includes(' ') && !language.commitments.unnamed.test(deed) && !isCutOff(deed, language);

interface Settlement {
  owner: string | null;
  to: string | null;
  state: CommitmentState;
  answer: string | null;
  /** Whether the answer is an explicit promise. */
  isSure: boolean;
}

/** The owner and the state of a pledge, by the answer to it. Undefined if it commits nobody. */
function settle(pledge: Pledge, structure: Conversed, outcomes: Outcomes): Settlement | undefined {
  const { utterances, turns, speakers } = structure;
  const { commitments: forms } = turns.language;
  const { sentence, form } = pledge;
  const last = sentence.turn + sentence.turns - 1;
  let next = last + 1;
  while (next < utterances.length && turns.speakers[next] === sentence.speaker) next++;
  const isLast = lastSentenceOf(structure, sentence);
  const reply = isLast && next < utterances.length ? utterances[next] : undefined;
  const said = reply?.text ?? '';
  const length = words(said).length;
  const other = speakers.length === 2 ? (speakers.find((s) => s !== sentence.speaker) ?? null) : null;
  const answered = answerIn(outcomes, utterances[sentence.turn]!.utterance_id);
  const declines = answered === false || forms.declines.test(said);
  const agrees = answered === true || (forms.agrees.test(said) && !/\bbut\b/i.test(said));
  const answer = (state: CommitmentState): Pick<Settlement, 'state' | 'answer'> => ({
    state,
    answer: state === 'open' || state === 'offered' ? null : (reply?.utterance_id ?? null),
  });
  if (form === 'asked') {
    const promised = forms.promises.test(said.slice(0, 80));
    if (!reply || declines || !agrees || (length > ANSWER_WORDS && !promised) || said.includes('?')) return undefined;
    return { owner: reply.speaker, to: sentence.speaker, ...answer('accepted'), isSure: promised };
  }
  // A 'we' among several people commits nobody in particular.
  if (form === 'shared' && speakers.length > 2) return undefined;
  const owner = sentence.speaker;
  const done = form === 'offered' ? undefined : doneAfter(pledge, structure);
  if (done) return { owner, to: other, state: 'done', answer: done, isSure: true };
  if (declines) return { owner, to: other, ...answer('declined'), isSure: true };
  if (form === 'offered') {
    if (!reply) return undefined;
    return agrees ? { owner, to: other ?? reply.speaker, ...answer('accepted'), isSure: false } : undefined;
  }
  return { owner, to: other, ...answer(agrees ? 'accepted' : 'open'), isSure: agrees };
}

/** Whether a sentence is the last of its turn, so that the next turn answers it. */
function lastSentenceOf({ sentencesOf, utterances, turns }: Conversed, sentence: SpokenSentence): boolean {
  const end = sentence.turn + sentence.turns - 1;
  const later = sentencesOf(sentence.turn);
  const own = later.slice(later.indexOf(sentence) + 1);
  if (own.some((s) => s.length > 6)) return false;
  return end + 1 >= utterances.length || turns.speakers[end + 1] !== sentence.speaker;
}

/** Whether a proposal of an utterance was accepted, as the moments say; undefined if they do not. */
function answerIn({ accepted, rejected }: Outcomes, utteranceId: string): boolean | undefined {
  const isOf = ({ offer }: Outcomes['accepted'][number]): boolean => offer.utterance_ids.includes(utteranceId);
  if (accepted.some(isOf)) return true;
  return rejected.some(isOf) ? false : undefined;
}

/** Number of content words that a report must share with a promise to be about it. */
const SHARED_STEMS = 1;

/** The utterance in which the speaker of a promise later says that it has been kept. */
function doneAfter({ sentence, deed }: Pledge, { utterances, turns, sentencesOf }: Conversed): string | undefined {
  const { summaryCues, words: forms } = turns.language;
  const stems = new Set(words(deed).map(forms.stem));
  const own = new Set(sentence.stems);
  for (let turn = sentence.turn + 1; turn < utterances.length; turn++) {
    if (turns.speakers[turn] !== sentence.speaker) continue;
    for (const { text, stems: said } of sentencesOf(turn)) {
      if (!summaryCues.done.test(text)) continue;
      const shared = said.filter((stem) => own.has(stem)).length;
      const isSameDeed = words(text).some((word) => stems.has(forms.stem(word)) && word.length > 3);
      if (shared >= SHARED_STEMS && isSameDeed) return utterances[turn]!.utterance_id;
    }
  }
  return undefined;
}

function confidenceOf(pledge: Pledge, settled: Settlement): number {
  const { form, isHedged, mention, sentence } = pledge;
  const base = SURE[form] + (settled.isSure ? 0.1 : 0) + (mention ? 0.05 : 0) - (isHedged ? 0.25 : 0);
  return Math.min(0.95, base) * Math.min(1, sentence.asrConfidence.mean + 0.1);
}

/** Whether an owner has already promised the same. */
function isRepeat({ deed }: Pledge, { owner }: Settlement, found: readonly Commitment[]): boolean {
  const own = words(deed);
  return found.some((one) => {
    if (one.owner !== owner) return false;
    const theirs = new Set(words(one.deed));
    const shared = own.filter((word) => theirs.has(word)).length;
    return shared / Math.max(own.length, theirs.size, 1) > 0.7;
  });
}
