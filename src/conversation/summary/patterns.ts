import { DEFAULT_LANGUAGE } from '../languages.ts';
import { utteranceAsks } from '../text/questions.ts';
import type { SummaryMaterial } from './material.ts';
import { pickSentences } from './salience.ts';
import { enumerate, percent } from './wording.ts';

/** From here on a measure is worth a line; ordinary calls stay below (after Gong's published averages and methods.md). */
const DOMINATES = 0.65;
const LONG_MONOLOGUE_S = 60;
const MANY_QUESTIONS = 4;
const ASKS_MOST = 0.75;
const INTERRUPTS = 2;
const SILENT_SHARE = 0.3;
const SLOW_ANSWER_MS = 1500;
const HEDGED = 0.06;
const MAX_PATTERNS = 5;
/** Turns below which shares say nothing. */
const MIN_TURNS = 6;

/** How they talked to each other: only what stands out. */
export function findPatterns(material: SummaryMaterial): string[] {
  const { insights, utterances, speakers, book } = material;
  const { metrics } = insights;
  const out: string[] = [];
  if (utterances.length < MIN_TURNS || speakers.length < 2) return moodPatterns(material);
  const bySpeaker = Map.groupBy(utterances, (u) => u.speaker);
  const idsOf = (speaker: string) => (bySpeaker.get(speaker) ?? []).map((u) => u.utterance_id);
  const longest = Math.max(...Object.values(metrics.speakers).map((m) => m.longest_monologue_s));
  for (const [name, own] of Object.entries(metrics.speakers)) {
    const share = percent(own.talk_ratio);
    const monologue = Math.round(own.longest_monologue_s);
    if (own.talk_ratio >= DOMINATES) {
      const long = own.longest_monologue_s >= LONG_MONOLOGUE_S;
      out.push(
        book.note(
          `${name} does ${share} % of the talking${long ? `, ${monologue} s of it in one go` : ''}.`,
          idsOf(name),
          long ? { talk_percent: share, longest_monologue_s: monologue } : { talk_percent: share },
        ),
      );
    } else if (own.longest_monologue_s >= Math.max(LONG_MONOLOGUE_S, longest))
      out.push(
        book.note(`${name} once speaks ${monologue} s without a break.`, idsOf(name), {
          longest_monologue_s: monologue,
        }),
      );
    if (metrics.questions >= MANY_QUESTIONS && own.questions / metrics.questions >= ASKS_MOST)
      out.push(
        book.note(
          own.questions === metrics.questions
            ? `All ${own.questions} questions come from ${name}.`
            : `${own.questions} of the ${metrics.questions} questions come from ${name}.`,
          (bySpeaker.get(name) ?? []).filter((u) => utteranceAsks(u, DEFAULT_LANGUAGE)).map((u) => u.utterance_id),
          { questions: own.questions, all_questions: metrics.questions },
        ),
      );
    if (own.interruptions >= INTERRUPTS)
      out.push(
        book.note(`${name} cuts in ${own.interruptions} times.`, idsOf(name), { interruptions: own.interruptions }),
      );
  }
  out.push(...slowAnswers(material, idsOf));
  if (metrics.silence_share >= SILENT_SHARE) {
    const share = percent(metrics.silence_share);
    out.push(
      book.note(`Nobody speaks for ${share} % of the time.`, utterances.map((u) => u.utterance_id).slice(0, 1), {
        silence_percent: share,
      }),
    );
  }
  return [...moodPatterns(material), ...hedging(material), ...out].slice(0, MAX_PATTERNS);
}

/** Who lets the others wait for an answer; one line for all. */
function slowAnswers({ insights, book }: SummaryMaterial, idsOf: (speaker: string) => string[]): string[] {
  const slow = Object.entries(insights.metrics.speakers).flatMap(([name, { response_latency_ms: latency }]) =>
    latency !== null && latency >= SLOW_ANSWER_MS ? [{ name, seconds: Math.round(latency / 100) / 10 }] : [],
  );
  if (slow.length === 0) return [];
  const times = slow.map(({ name, seconds }) => `${name} ${seconds} s`);
  const line = `Answers take their time: ${enumerate(times)} at the median.`;
  return [
    book.note(
      line,
      slow.flatMap(({ name }) => idsOf(name)),
      Object.fromEntries(slow.map(({ seconds }, i) => [`response_latency_s_${i}`, seconds])),
    ),
  ];
}

/** The strongest turn of mood, with what was said at it. */
function moodPatterns({ transitions, utterances, sentences, value, book }: SummaryMaterial): string[] {
  const strongest = transitions.filter((t) => t.stability === 'final').sort((a, b) => b.confidence - a.confidence)[0];
  if (!strongest) return [];
  const ids = new Set(strongest.evidence_utterance_ids);
  const at = sentences
    .map((s, i) => ({ s, v: value[i]! }))
    .filter(({ s }) => ids.has(utterances[s.turn]!.utterance_id));
  const said = pickSentences(
    at.map(({ s }) => s),
    Float64Array.from(at, ({ v }) => v),
    1,
  )[0];
  const who = strongest.speaker_id ?? 'The conversation';
  const quote = said
    ? ` around “${said.text.split(' ').slice(0, 14).join(' ')}${said.text.split(' ').length > 14 ? ' …' : ''}”`
    : '';
  return [book.note(`${who} turns from ${strongest.from_state} to ${strongest.to_state}${quote}.`, [...ids])];
}

/** Whoever hedges far more than the others. */
function hedging({ utterances, speakers, book }: SummaryMaterial): string[] {
  const bySpeaker = Map.groupBy(utterances, (u) => u.speaker);
  const rates = speakers.map((speaker) => {
    const spoken = bySpeaker.get(speaker) ?? [];
    const own = spoken.filter((u) => u.lexical_markers?.hedge_density !== undefined);
    const words = own.reduce((n, u) => n + u.text.split(/\s+/).length, 0);
    const hedges = own.reduce((n, u) => n + u.text.split(/\s+/).length * (u.lexical_markers?.hedge_density ?? 0), 0);
    return { speaker, own, rate: words >= 40 ? hedges / words : 0 };
  });
  const top = rates.sort((a, b) => b.rate - a.rate)[0];
  if (!top || top.rate < HEDGED) return [];
  const share = percent(top.rate);
  return [
    book.note(
      `${top.speaker} hedges: ${share} of 100 words soften what is said.`,
      top.own.filter((u) => (u.lexical_markers?.hedge_density ?? 0) >= HEDGED).map((u) => u.utterance_id),
      { hedges_per_100_words: share, words: 100 },
    ),
  ];
}
