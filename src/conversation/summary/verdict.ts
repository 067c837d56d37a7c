import type { MomentEvent } from '../../contract/findings.ts';
import { isWithheld, polarityOf } from '../affect/states.ts';
import type { Language } from '../language.ts';
import { isProposed, type Settled } from '../outcomes.ts';
import type { ObjectionFacts } from '../sentences/sentences.ts';
import { type Spans, textOf } from '../sentences/spans.ts';
import { hesitates, isBroken } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isNumber, words } from '../text/tokens.ts';
import { isMachine } from '../turn-taking/setting.ts';
import { distinct } from './evidence.ts';
import type { SummaryMaterial } from './material.ts';
import { idsOf, isChoice, momentQuote, openPromises, quotedMoment } from './outcome-lines.ts';
import { type QualityRating, rateQuality } from './quality.ts';
import { otherOf, percent, quoteOf } from './wording.ts';

const QUOTE_WORDS = 18;
const MAX_LINES = 4;
/** Minimum mean polarity of an utterance, in absolute value, for it to count as praise or complaint, -1..1. */
const STRONG_POLARITY = 0.4;
/** Share of the talk that leaves the others too little time, from this length of the conversation on, s. */
const NO_ROOM = 0.8;
const LONG_ENOUGH_S = 120;

/** Fraction of the conversation that counts as its end. */
const FAREWELL = 0.2;
/** Minimum length of praise, words. Shorter praise is about nothing in particular. */
const PRAISE_WORDS = 5;
/** Limits on the agreements, refusals and objections that are listed, and on the words of an answer. */
const MAX_SETTLED = 2;
const ANSWER_WORDS = 12;
/** Length limit of an agreement that is repeated as a task, words. */
const TASK_WORDS = 18;

export interface Verdict extends QualityRating {
  well: Spans[];
  wrong: Spans[];
  recommendations: Spans[];
}

/**
 * Strengths, weaknesses, recommendations and the quality of the conversation, each line with its evidence. Every line
 * is based on a confident moment, a clear word of praise or complaint, a promise or a measure. Only matters that the
 * conversation leaves open are recommended.
 */
export function judge(material: SummaryMaterial): Verdict {
  if (isMachine(material.setting)) return { well: [], wrong: [], recommendations: [], quality: 'fair', reasons: [] };
  const { outcomes, book, language } = material;
  const { verdict: say } = language.sentences;
  const { praise: praised, complaint: complained } = language.summaryCues;
  const well: Spans[] = [];
  const wrong: Spans[] = [];
  const recommended: Spans[] = [];
  const agreed = outcomes.accepted.slice(-MAX_SETTLED);
  const chosen = agreed.filter(({ offer, answer }) => isChoice(offer, answer, language));
  if (chosen.length > 0) {
    const { speaker_id } = chosen[0]!.answer;
    const quotes = chosen.map(({ answer }) => momentQuote(answer, ANSWER_WORDS, language));
    const choices = [...new Map(quotes.map((one) => [textOf(one), one])).values()];
    well.push(book.note(say.choice(speaker_id, choices), chosen.flatMap(idsOf)));
  }
  const others = agreed.filter((settled) => !chosen.includes(settled) && isProposed(settled.offer));
  for (const settled of others) well.push(book.note(agreement(settled, language), idsOf(settled)));
  const last = others.findLast(({ offer }) => language.summaryCues.time.test(evidenceOf(offer)));
  if (last) {
    const proposal = momentQuote(last.offer, TASK_WORDS, language);
    recommended.push(book.note(say.keepTime(last.answer.speaker_id, proposal), idsOf(last)));
  }
  for (const o of outcomes.overcome.slice(0, 1))
    well.push(book.note(say.objectionOvercome(objectionOf(o, language)), o.utterance_ids));
  for (const settled of outcomes.rejected.slice(-MAX_SETTLED)) {
    const proposal = momentQuote(settled.offer, QUOTE_WORDS, language);
    const answer = quotedMoment(settled.answer, ANSWER_WORDS, language);
    wrong.push(book.note(say.rejection(answer, proposal), idsOf(settled)));
  }
  const refused = new Set(outcomes.rejected.flatMap(({ answer }) => answer.utterance_ids));
  for (const o of outcomes.unresolved.slice(-MAX_SETTLED)) {
    // A refusal that is also an objection is listed once.
    if (!o.utterance_ids.some((id) => refused.has(id)))
      wrong.push(book.note(say.objectionUnresolved(objectionOf(o, language)), o.utterance_ids));
    recommended.push(book.note(say.remedy(objectionOf(o, language)), o.utterance_ids));
  }
  const praise = material.isSmallTalk ? undefined : voiced(material, praised, 1);
  const complaint = material.isSmallTalk ? undefined : voiced(material, complained, -1);
  if (praise) {
    const isAtEnd = praise.sentence.turn >= material.utterances.length * (1 - FAREWELL);
    well.push(book.note(say.praise({ ...praise, isAtEnd }), material.idsOf(praise.sentence)));
  }
  if (complaint) wrong.push(book.note(say.complaint(complaint), material.idsOf(complaint.sentence)));
  const recommendations = distinct([...recommended, ...tasks(material), ...onTalk(material)]);
  return {
    well: distinct(well).slice(0, MAX_LINES),
    wrong: distinct(wrong).slice(0, MAX_LINES),
    recommendations: recommendations.slice(0, MAX_LINES),
    ...rateQuality(material, {
      praise: praise && material.idsOf(praise.sentence),
      complaint: complaint && material.idsOf(complaint.sentence),
    }),
  };
}

const objectionOf = (moment: MomentEvent, language: Language): ObjectionFacts => ({
  ...quotedMoment(moment, QUOTE_WORDS, language),
  ground: moment.labels[0] ?? '',
});

const evidenceOf = (moment: MomentEvent): string => moment.evidence[0]?.quote ?? '';

/** An agreement as a line: about a time, a price, or a proposal. A price is an amount of money. */
function agreement({ offer, answer }: Settled, language: Language): Spans {
  const { time, price } = language.summaryCues;
  const text = evidenceOf(offer);
  const isAmount = words(text).some((word) => isNumber(word, language));
  return language.sentences.verdict.proposalAccepted({
    speaker: answer.speaker_id,
    proposal: quotedMoment(offer, QUOTE_WORDS, language),
    on: time.test(text) ? 'time' : price.test(text) && isAmount ? 'price' : 'other',
  });
}

/** The clearest sentence of praise (sign 1) or complaint (-1). */
function voiced({ sentences, utterances, idsOf, language }: SummaryMaterial, cue: RegExp, sign: 1 | -1) {
  const { pleasantry, supposed, addressed, denied, seen } = language.summaryCues;
  let best: SpokenSentence | undefined;
  let most = 0;
  for (const s of sentences) {
    if (s.length < PRAISE_WORDS || s.asks || pleasantry.test(s.text) || supposed.test(s.text)) continue;
    if (isBroken(s.text, language) || hesitates(s.text, language)) continue;
    const at = s.text.search(cue);
    const before = s.text.slice(0, at);
    if (sign > 0 && !addressed.test(s.text)) continue;
    if (at < 0 || denied.test(before) || (sign < 0 && seen.test(before))) continue;
    const utterance = utterances[s.turn]!;
    if (isWithheld(utterance)) continue;
    const polarity = polarityOf(utterance);
    const strength = (polarity === null ? STRONG_POLARITY : sign * polarity) + Math.min(1, s.stems.length / 6) * 0.2;
    if (strength >= STRONG_POLARITY && strength > most) {
      most = strength;
      best = s;
    }
  }
  return best && { sentence: best, speaker: best.speaker, quote: quoteOf(best, QUOTE_WORDS, { idsOf, language }) };
}

/** The last promises, which should be followed up. */
const tasks = (material: SummaryMaterial): Spans[] =>
  openPromises(material).map((s) => {
    const promise = { speaker: s.speaker, quote: quoteOf(s, QUOTE_WORDS, material) };
    return material.book.note(material.language.sentences.verdict.keepPromise(promise), material.idsOf(s));
  });

function onTalk({ insights, speakers, utterances, duration, book, language }: SummaryMaterial): Spans[] {
  const loud = Object.entries(insights.metrics.speakers).find(([, m]) => (m.talk_ratio ?? 0) >= NO_ROOM);
  if (!loud || speakers.length < 2 || utterances.length < 8 || duration < LONG_ENOUGH_S) return [];
  const [speaker, { talk_ratio }] = loud;
  const share = percent(talk_ratio ?? 0);
  return [
    book.note(
      language.sentences.verdict.shareTalk({ speaker, percent: share, other: otherOf(speaker, speakers) }),
      utterances.filter((u) => u.speaker === speaker).map((u) => u.utterance_id),
      { talk_percent: share },
    ),
  ];
}
