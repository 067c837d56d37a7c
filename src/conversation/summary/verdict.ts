import type { ConversationSummary } from '../../contract/findings.ts';
import { polarityOf } from '../affect-states.ts';
import type { Material } from './material.ts';
import { momentQuote, possessive } from './overview.ts';
import { deed, ended, percent, quoted } from './wording.ts';

const QUOTE_WORDS = 18;
const MAX_LINES = 4;
/** Mean polarity of an utterance that counts as praise or complaint, -1..1. */
const STRONG_POLARITY = 0.4;
/** Change of mean polarity from the first to the last third that counts. */
const TURNED = 0.12;
/** Interruptions a minute that disturb. */
const MANY_INTERRUPTIONS = 1;
/** Share of talk that leaves the others no room. */
const NO_ROOM = 0.8;

const PRAISE =
  /\b(thank|thanks|great|perfect|excellent|wonderful|love|helpful|appreciate|happy|glad|awesome|fantastic|pleased)\b/i;
const COMPLAINT =
  /\b(frustrat(ed|ing)|annoy(ed|ing)|disappoint(ed|ing)|unacceptable|ridiculous|upset|waste of|fed up|still (waiting|not)|(second|third|fourth) time|again and again|not happy|unhappy|complaint)\b/i;
/** Somebody promises to do something that can be checked later. */
const TASK =
  /\b(i|we)('ll| will| am going to|'m going to|'re going to)\b.*\b(send|call|e?-?mail|write|check|prepare|finish|schedule|book|bring|draft|share|update|order|fix|ask|talk to|get back|follow up|look into|put|set up|by (monday|tuesday|wednesday|thursday|friday|tomorrow|next|the end))\b/i;
/** Promises told. */
const MAX_TASKS = 2;

export interface Verdict {
  well: string[];
  wrong: string[];
  recommendations: string[];
  quality: ConversationSummary['conversation_quality'];
  reasons: string[];
}

/** What went well and wrong, what to do about it and how good the conversation was; each line with its evidence. */
export function judge(material: Material): Verdict {
  const { outcomes, book } = material;
  const well: string[] = [];
  const wrong: string[] = [];
  const recommendations: string[] = [];
  for (const { offer, answer } of outcomes.accepted.slice(-2)) {
    const ids = [...answer.utterance_ids, ...(offer?.utterance_ids ?? [])];
    if (offer) {
      well.push(
        book.note(
          `${possessive(offer.speaker_id)} ${momentQuote(offer, QUOTE_WORDS)} is taken up by ${answer.speaker_id}.`,
          ids,
        ),
      );
      recommendations.push(
        book.note(
          ended(`See that what ${answer.speaker_id} agreed to happens: ${momentQuote(offer, QUOTE_WORDS)}`),
          ids,
        ),
      );
    } else well.push(book.note(ended(`${answer.speaker_id} agrees: ${momentQuote(answer, QUOTE_WORDS)}`), ids));
  }
  for (const o of outcomes.overcome.slice(0, 1))
    well.push(
      book.note(
        `${possessive(o.speaker_id)} objection ${momentQuote(o, QUOTE_WORDS)} did not prevent agreement.`,
        o.utterance_ids,
      ),
    );
  for (const { offer, answer } of outcomes.rejected.slice(-2)) {
    const ids = [...answer.utterance_ids, ...(offer?.utterance_ids ?? [])];
    wrong.push(
      offer
        ? book.note(ended(`${answer.speaker_id} turns down ${momentQuote(offer, QUOTE_WORDS)}`), ids)
        : book.note(ended(`${answer.speaker_id} declines: ${momentQuote(answer, QUOTE_WORDS)}`), ids),
    );
  }
  for (const o of outcomes.standing.slice(-2)) {
    const about = o.labels[0];
    wrong.push(
      book.note(
        ended(
          `${possessive(o.speaker_id)} ${about ? `${about} ` : ''}objection is left standing: ${momentQuote(o, QUOTE_WORDS)}`,
        ),
        o.utterance_ids,
      ),
    );
    recommendations.push(book.note(ended(`Answer ${o.speaker_id} on ${momentQuote(o, QUOTE_WORDS)}`), o.utterance_ids));
  }
  for (const o of outcomes.open.slice(-1))
    recommendations.push(
      book.note(
        `Come back to ${possessive(o.speaker_id)} ${momentQuote(o, QUOTE_WORDS)}: it got neither a yes nor a no.`,
        o.utterance_ids,
      ),
    );
  const praise = voiced(material, PRAISE, 1);
  const complaint = voiced(material, COMPLAINT, -1);
  if (praise)
    well.push(book.note(ended(`${praise.speaker} is pleased: ${quoted(praise.text, QUOTE_WORDS)}`), [praise.id]));
  if (complaint) {
    wrong.push(
      book.note(ended(`${complaint.speaker} complains: ${quoted(complaint.text, QUOTE_WORDS)}`), [complaint.id]),
    );
    recommendations.push(
      book.note(ended(`Make good what ${complaint.speaker} complained of: ${quoted(complaint.text, QUOTE_WORDS)}`), [
        complaint.id,
      ]),
    );
  }
  recommendations.push(...tasks(material), ...onTalk(material), ...unanswered(material));
  return {
    well: well.slice(0, MAX_LINES),
    wrong: wrong.slice(0, MAX_LINES),
    recommendations: recommendations.slice(0, MAX_LINES),
    ...rate(material, well.length, wrong.length),
  };
}

/** The clearest sentence of praise (sign 1) or complaint (-1). */
function voiced({ sentences, utterances, idOf }: Material, cue: RegExp, sign: 1 | -1) {
  let best: { speaker: string; text: string; id: string } | undefined;
  let most = 0;
  for (const s of sentences) {
    if (s.length < 4 || s.asks || !cue.test(s.text)) continue;
    const polarity = polarityOf(utterances[s.turn]!);
    const strength = (polarity === null ? STRONG_POLARITY : sign * polarity) + Math.min(1, s.stems.length / 6) * 0.2;
    if (strength >= STRONG_POLARITY && strength > most) {
      most = strength;
      best = { speaker: s.speaker, text: s.text, id: idOf(s) };
    }
  }
  return best;
}

/** What was promised last, to be followed up. */
function tasks({ sentences, book, idOf, outcomes }: Material): string[] {
  const told = new Set(outcomes.accepted.slice(-2).flatMap(({ offer }) => offer?.utterance_ids ?? []));
  return sentences
    .filter((s) => !s.asks && deed(s) === 'promises' && TASK.test(s.text) && !told.has(idOf(s)))
    .slice(-MAX_TASKS)
    .map((s) => book.note(ended(`Follow up on what ${s.speaker} promised: ${quoted(s.text, QUOTE_WORDS)}`), [idOf(s)]));
}

function onTalk({ insights, speakers, utterances, book }: Material): string[] {
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
function unanswered({ sentences, utterances, book, idOf }: Material): string[] {
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

/** Points for and against; where they end up is the quality. */
function rate(
  { insights, utterances, outcomes, duration, book }: Material,
  well: number,
  wrong: number,
): Pick<Verdict, 'quality' | 'reasons'> {
  let points = 0;
  const reasons: string[] = [];
  const add = (value: number, line: string, ids: string[], measures: Record<string, number> = {}) => {
    points += value;
    reasons.push(book.note(line, ids, measures));
  };
  const ids = utterances.map((u) => u.utterance_id);
  const yes = outcomes.accepted.length;
  const no = outcomes.rejected.length;
  if (yes > 0)
    add(
      1,
      `${yes} ${yes === 1 ? 'proposal' : 'proposals'} accepted`,
      outcomes.accepted.flatMap((a) => a.answer.utterance_ids),
      { accepted: yes },
    );
  if (no > 0)
    add(
      -0.5,
      `${no} ${no === 1 ? 'proposal' : 'proposals'} declined`,
      outcomes.rejected.flatMap((a) => a.answer.utterance_ids),
      { rejected: no },
    );
  if (outcomes.standing.length > 0)
    add(
      -0.5,
      `${outcomes.standing.length} ${outcomes.standing.length === 1 ? 'objection' : 'objections'} left standing`,
      outcomes.standing.flatMap((o) => o.utterance_ids),
      { standing_objections: outcomes.standing.length },
    );
  const polarity = utterances.map(polarityOf);
  const third = Math.floor(utterances.length / 3);
  const mean = (part: (number | null)[]) => {
    const known = part.filter((p) => p !== null);
    return known.length > 0 ? known.reduce((s, p) => s + p, 0) / known.length : null;
  };
  const start = third > 0 ? mean(polarity.slice(0, third)) : null;
  const end = third > 0 ? mean(polarity.slice(-third)) : null;
  const round = (x: number) => Math.round(x * 100) / 100;
  if (start !== null && end !== null && Math.abs(end - start) >= TURNED)
    add(
      end > start ? 0.7 : -0.7,
      `sentiment ${end > start ? 'rises' : 'falls'} from ${round(start)} in the first third to ${round(end)} in the last`,
      [...ids.slice(0, third), ...ids.slice(-third)],
      { first_third_polarity: round(start), last_third_polarity: round(end) },
    );
  const all = mean(polarity);
  if (all !== null && Math.abs(all) >= TURNED)
    add(all > 0 ? 0.6 : -0.8, `mean sentiment ${round(all)}`, ids, { mean_polarity: round(all) });
  const cuts = Object.values(insights.metrics.speakers).reduce((s, m) => s + m.interruptions, 0);
  if (duration > 0 && (cuts * 60) / duration >= MANY_INTERRUPTIONS && cuts > 1)
    add(-0.6, `${cuts} interruptions`, ids, { interruptions: cuts });
  if (well > 1 && wrong === 0) points += 0.3;
  if (reasons.length === 0) reasons.push(book.note('neither agreement nor trouble stands out', []));
  const quality = points <= -1 ? 'poor' : points < 0.5 ? 'fair' : points < 1.6 ? 'good' : 'excellent';
  return { quality, reasons };
}
