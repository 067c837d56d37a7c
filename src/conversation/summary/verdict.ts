import type { MomentEvent } from '../../contract/findings.ts';
import { isWithheld, polarityOf } from '../affect/states.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import type { SummaryMaterial } from './material.ts';
import { idsOf, isChoice, momentQuote, owed, possessive } from './outcome-lines.ts';
import { type AudioQualityRating, rateQuality } from './quality.ts';
import { ended, enumerate, percent, quoted } from './wording.ts';

const {
  addressed: ADDRESSED,
  complaint: COMPLAINT,
  denied: DENIED,
  pleasantry: PLEASANTRY,
  praise: PRAISE,
  price: PRICE,
  seen: SEEN,
  supposed: SUPPOSED,
  time: TIME,
} = DEFAULT_LANGUAGE.summaryCues;

const QUOTE_WORDS = 18;
const MAX_LINES = 4;
/** Mean polarity of an utterance that counts as praise or complaint, -1..1. */
const STRONG_POLARITY = 0.4;
/** Share of talk that leaves the others no room. */
const NO_ROOM = 0.8;

/** Share of the conversation that is its end. */
const FAREWELL = 0.2;
/** Fewer words praise nothing in particular. */
const PRAISE_WORDS = 5;
/** Agreements, refusals and objections told, and words of an answer. */
const MAX_SETTLED = 2;
const ANSWER_WORDS = 12;
/** Words of an agreement that is told a second time, as a task. */
const TASK_WORDS = 10;

export interface Verdict extends AudioQualityRating {
  well: string[];
  wrong: string[];
  recommendations: string[];
}

/** What went well and wrong, what to do about it and how good the conversation was; each line with its evidence. */
export function judge(material: SummaryMaterial): Verdict {
  const { outcomes, book } = material;
  const well: string[] = [];
  const wrong: string[] = [];
  const todo: string[] = [];
  // What nobody is known to have proposed is neither taken up nor turned down.
  const isKnown = ({ offer }: Settled): boolean => offer === undefined || isProposed(offer);
  const agreed = outcomes.accepted.filter(isKnown).slice(-MAX_SETTLED);
  const chosen = agreed.filter(({ offer, answer }) => offer && isChoice(offer, answer));
  if (chosen.length > 0) {
    const { speaker_id } = chosen[0]!.answer;
    const choices = enumerate([...new Set(chosen.map(({ answer }) => momentQuote(answer, ANSWER_WORDS)))]);
    well.push(book.note(ended(`${speaker_id} knows what to take: ${choices}`), chosen.flatMap(idsOf)));
    todo.push(book.note(ended(`Give ${speaker_id} what was chosen: ${choices}`), chosen.flatMap(idsOf)));
  }
  const others = agreed.filter((settled) => !chosen.includes(settled));
  for (const settled of others) well.push(book.note(ended(agreement(settled)), idsOf(settled)));
  const last = others.at(-1);
  if (last?.offer) todo.push(book.note(ended(taskOf(last.offer, last.answer)), idsOf(last)));
  for (const o of outcomes.overcome.slice(0, 1))
    well.push(
      book.note(
        `${possessive(o.speaker_id)} objection${groundsOf(o)}, ${momentQuote(o, QUOTE_WORDS)}, did not stand in the way of an agreement.`,
        o.utterance_ids,
      ),
    );
  for (const { offer, answer } of outcomes.rejected.filter(isKnown).slice(-MAX_SETTLED)) {
    const ids = [...answer.utterance_ids, ...(offer?.utterance_ids ?? [])];
    const said = momentQuote(answer, ANSWER_WORDS);
    wrong.push(
      book.note(
        ended(
          offer
            ? `${answer.speaker_id} turns down ${momentQuote(offer, QUOTE_WORDS)}: ${said}`
            : `${answer.speaker_id} declines: ${said}`,
        ),
        ids,
      ),
    );
  }
  const refused = new Set(outcomes.rejected.flatMap(({ answer }) => answer.utterance_ids));
  for (const o of outcomes.standing.slice(-MAX_SETTLED)) {
    const said = momentQuote(o, QUOTE_WORDS);
    // A refusal that is an objection too is told once.
    if (!o.utterance_ids.some((id) => refused.has(id)))
      wrong.push(
        book.note(
          ended(`Nobody resolves ${possessive(o.speaker_id)} objection${groundsOf(o)}: ${said}`),
          o.utterance_ids,
        ),
      );
    todo.push(
      book.note(
        ended(REMEDIES[o.labels[0] ?? '']?.(o.speaker_id, said) ?? `Take up what ${o.speaker_id} objects: ${said}`),
        o.utterance_ids,
      ),
    );
  }
  for (const o of outcomes.open.slice(-1))
    todo.push(
      book.note(
        `Make sure that ${possessive(o.speaker_id)} ${momentQuote(o, QUOTE_WORDS)} is answered: neither a yes nor a no was recognised.`,
        o.utterance_ids,
      ),
    );
  const praise = voiced(material, PRAISE, 1);
  const complaint = voiced(material, COMPLAINT, -1);
  if (praise) {
    const late = praise.turn >= material.utterances.length * (1 - FAREWELL);
    const line = late ? 'It ends on a warm note' : `${praise.speaker} is pleased`;
    well.push(book.note(ended(`${line}: ${quoted(praise.text, QUOTE_WORDS)}`), [praise.id]));
  }
  if (complaint) {
    const said = quoted(complaint.text, QUOTE_WORDS);
    wrong.push(book.note(ended(`${complaint.speaker} complains: ${said}`), [complaint.id]));
    todo.push(book.note(ended(`Make good what ${complaint.speaker} complains of: ${said}`), [complaint.id]));
  }
  const recommendations = [...new Set([...todo, ...tasks(material), ...onTalk(material), ...unanswered(material)])];
  return {
    well: [...new Set(well)].slice(0, MAX_LINES),
    wrong: [...new Set(wrong)].slice(0, MAX_LINES),
    recommendations: recommendations.slice(0, MAX_LINES),
    ...rateQuality(material, well.length, wrong.length, praise !== undefined),
  };
}

/** What an objection is about, by its label. */
const GROUNDS: Readonly<Record<string, string>> = {
  price: ' to the price',
  timing: ' to the timing',
  authority: ' about who decides',
  need: ' about the need for it',
  trust: ' out of doubt',
  competitor: ' in favour of an alternative',
  technical: ' on technical grounds',
};
const groundsOf = ({ labels: [about = ''] }: MomentEvent): string => GROUNDS[about] ?? '';

/** What an objection asks to be done, by its label. */
const REMEDIES: Readonly<Record<string, (who: string, said: string) => string>> = {
  price: (who, said) => `Come back to ${who} on the price: ${said}`,
  timing: (who, said) => `Find a time that suits ${who}: ${said}`,
  authority: (who, said) => `Bring in whoever decides with ${who}: ${said}`,
  need: (who, said) => `Find out what would be of use to ${who}, who says ${said}`,
  trust: (who, said) => `Show ${who} what speaks for it: ${said}`,
  competitor: (who, said) => `Tell ${who} how it differs from the alternative: ${said}`,
  technical: (who, said) => `Settle the technical question of ${who}: ${said}`,
};

/** An agreement in a line: when, for how much, or what was taken up. */
function agreement({ offer, answer }: Settled): string {
  const said = momentQuote(answer, ANSWER_WORDS);
  if (!offer) return `${answer.speaker_id} agrees: ${said}`;
  const proposed = momentQuote(offer, QUOTE_WORDS);
  const text = offer.evidence[0]?.quote ?? '';
  if (TIME.test(text)) return `They find a time: ${answer.speaker_id} accepts ${proposed}`;
  if (PRICE.test(text)) return `They meet on the price: ${answer.speaker_id} accepts ${proposed}`;
  return `${answer.speaker_id} takes up ${possessive(offer.speaker_id)} ${proposed}`;
}

/** What an agreement leaves to be done. */
function taskOf(offer: MomentEvent, answer: MomentEvent): string {
  const timed = TIME.test(offer.evidence[0]?.quote ?? '');
  return `${timed ? 'Keep the time' : 'Carry out what'} ${answer.speaker_id} accepted: ${momentQuote(offer, TASK_WORDS)}`;
}

/** The clearest sentence of praise (sign 1) or complaint (-1). */
function voiced({ sentences, utterances, idOf }: SummaryMaterial, cue: RegExp, sign: 1 | -1) {
  let best: { speaker: string; text: string; id: string; turn: number } | undefined;
  let most = 0;
  for (const s of sentences) {
    if (s.length < PRAISE_WORDS || s.asks || PLEASANTRY.test(s.text) || SUPPOSED.test(s.text)) continue;
    const at = s.text.search(cue);
    const before = s.text.slice(0, at);
    if (sign > 0 && !ADDRESSED.test(s.text)) continue;
    if (at < 0 || DENIED.test(before) || (sign < 0 && SEEN.test(before))) continue;
    const said = utterances[s.turn]!;
    if (isWithheld(said)) continue;
    const polarity = polarityOf(said);
    const strength = (polarity === null ? STRONG_POLARITY : sign * polarity) + Math.min(1, s.stems.length / 6) * 0.2;
    if (strength >= STRONG_POLARITY && strength > most) {
      most = strength;
      best = { speaker: s.speaker, text: s.text, id: idOf(s), turn: s.turn };
    }
  }
  return best;
}

/** What was promised last, to be followed up. */
const tasks = (material: SummaryMaterial): string[] =>
  owed(material).map((s) =>
    material.book.note(ended(`${s.speaker} owes what was promised: ${quoted(s.text, QUOTE_WORDS)}`), [
      material.idOf(s),
    ]),
  );

function onTalk({ insights, speakers, utterances, book }: SummaryMaterial): string[] {
  const loud = Object.entries(insights.metrics.speakers).find(([, m]) => m.talk_ratio >= NO_ROOM);
  if (!loud || speakers.length < 2 || utterances.length < 8) return [];
  const share = percent(loud[1].talk_ratio);
  const others = speakers.filter((s) => s !== loud[0]);
  const room = others.length === 1 ? others[0] : 'the others';
  return [
    book.note(
      `Leave ${room} more room: ${loud[0]} held ${share} % of the talk.`,
      utterances.filter((u) => u.speaker === loud[0]).map((u) => u.utterance_id),
      { talk_percent: share },
    ),
  ];
}

/** A question that closed the conversation without an answer. */
function unanswered({ sentences, utterances, speakers, book, idOf }: SummaryMaterial): string[] {
  if (speakers.length < 2) return [];
  const last = utterances.at(-1);
  const question = sentences.filter((s) => s.asks && s.length >= 4).at(-1);
  if (!last || !question || utterances.length < 4) return [];
  const later = utterances.slice(question.turn + 1).some((u) => u.speaker !== question.speaker);
  if (later) return [];
  return [
    book.note(ended(`Answer ${possessive(question.speaker)} last question: ${quoted(question.text, QUOTE_WORDS)}`), [
      idOf(question),
    ]),
  ];
}
