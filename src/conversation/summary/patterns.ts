import type { Spans } from '../sentences/spans.ts';
import { utteranceAsks } from '../text/questions.ts';
import type { SummaryMaterial } from './material.ts';
import { percent } from './wording.ts';

/**
 * Minimum values for listing a pattern. Ordinary calls stay below them (based on Gong's published averages and
 * methods.md).
 */
const DOMINATES = 0.8;
const LONG_MONOLOGUE_S = 60;
/** Minimum length of a conversation in which the shares of the talk say something, s. */
const LONG_ENOUGH_S = 120;
const MANY_QUESTIONS = 8;
const ASKS_MOST = 0.75;
const INTERRUPTS = 2;
const SILENT_SHARE = 0.3;
const SLOW_ANSWER_MS = 1500;
const HEDGED = 0.06;
const MAX_PATTERNS = 5;
/** Number of turns below which shares mean nothing. */
const MIN_TURNS = 6;

/** Patterns in how the speakers talked to each other. Only notable ones are listed. */
export function findPatterns(material: SummaryMaterial): Spans[] {
  const { insights, utterances, speakers, duration, book, language } = material;
  const { patterns: say } = language.sentences;
  const { metrics } = insights;
  const out: Spans[] = [];
  if (utterances.length < MIN_TURNS || speakers.length < 2) return [];
  const bySpeaker = Map.groupBy(utterances, (u) => u.speaker);
  const idsOf = (speaker: string) => (bySpeaker.get(speaker) ?? []).map((u) => u.utterance_id);
  for (const [name, own] of Object.entries(metrics.speakers)) {
    const { talk_ratio: ratio, longest_monologue_s: held } = own;
    if (ratio === null || held === null) continue;
    const share = percent(ratio);
    const monologue = Math.round(held);
    if (ratio >= DOMINATES && duration >= LONG_ENOUGH_S) {
      const long = held >= LONG_MONOLOGUE_S;
      out.push(
        book.note(
          say.dominance({ speaker: name, percent: share, monologue: long ? monologue : undefined }),
          idsOf(name),
          long ? { talk_percent: share, longest_monologue_s: monologue } : { talk_percent: share },
        ),
      );
    }
    if (metrics.questions >= MANY_QUESTIONS && own.questions / metrics.questions >= ASKS_MOST)
      out.push(
        book.note(
          say.questions({ speaker: name, own: own.questions, all: metrics.questions }),
          (bySpeaker.get(name) ?? []).filter((u) => utteranceAsks(u, language)).map((u) => u.utterance_id),
          { questions: own.questions, all_questions: metrics.questions },
        ),
      );
    if (own.interruptions >= INTERRUPTS)
      out.push(
        book.note(say.interruptions(name, own.interruptions), idsOf(name), { interruptions: own.interruptions }),
      );
  }
  out.push(...slowAnswers(material, idsOf));
  if (metrics.silence_share >= SILENT_SHARE) {
    const share = percent(metrics.silence_share);
    out.push(
      book.note(say.silence(share), utterances.map((u) => u.utterance_id).slice(0, 1), {
        silence_percent: share,
      }),
    );
  }
  return [...hedging(material), ...out].slice(0, MAX_PATTERNS);
}

/** Slow answers of all speakers in one line. */
function slowAnswers({ insights, book, language }: SummaryMaterial, idsOf: (speaker: string) => string[]): Spans[] {
  const slow = Object.entries(insights.metrics.speakers).flatMap(([name, { response_latency_ms: latency }]) =>
    latency !== null && latency >= SLOW_ANSWER_MS ? [{ speaker: name, seconds: Math.round(latency / 100) / 10 }] : [],
  );
  if (slow.length === 0) return [];
  return [
    book.note(
      language.sentences.patterns.slowAnswers(slow),
      slow.flatMap(({ speaker }) => idsOf(speaker)),
      Object.fromEntries(slow.map(({ seconds }, i) => [`response_latency_s_${i}`, seconds])),
    ),
  ];
}

/** The speaker who hedges most, if that speaker hedges often. */
function hedging({ utterances, speakers, book, language }: SummaryMaterial): Spans[] {
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
      language.sentences.patterns.hedging(top.speaker, share),
      top.own.filter((u) => (u.lexical_markers?.hedge_density ?? 0) >= HEDGED).map((u) => u.utterance_id),
      { hedges_per_100_words: share, words: 100 },
    ),
  ];
}
