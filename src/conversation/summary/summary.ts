import type { ConversationSummary } from '../../contract/findings.ts';
import type { StructureWeights } from '../phases/conversation-structure.ts';
import { isMatter } from '../phases/phases.ts';
import { joined, type Spans } from '../sentences/spans.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { speakerDynamics } from './dynamics.ts';
import { EvidenceBook } from './evidence.ts';
import type { SummaryOf } from './findings-of.ts';
import type { GoalCandidate } from './goal-candidates.ts';
import { gatherMaterial, type SummaryInput, type SummaryMaterial } from './material.ts';
import { answerTo, sentenceLine, sentenceWithAnswer, writeOverview } from './overview.ts';
import { findPatterns } from './patterns.ts';
import { pickSentences } from './salience.ts';
import { judge } from './verdict.ts';

/** Limits on the words of a quoted insight, and on the insights. */
const QUOTE_WORDS = 40;
const MAX_INSIGHTS = 5;
/** Minimum salience of an insight. */
const MIN_SALIENCE = 0.08;
/** Number of utterances for each insight. */
const UTTERANCES_PER_INSIGHT = 5;

/**
 * An extractive summary. `evidence` lists the utterances and measures behind every line, in the order of the lines. The
 * overview's sentences are listed one by one.
 * @returns a summary with `source` 'built_in'
 */
export function summarise(input: SummaryInput, weights: Pick<StructureWeights, 'vectors' | 'nouns'>): SummaryOf<Spans> {
  const book = new EvidenceBook();
  const material = gatherMaterial(input, book, weights);
  const overview = writeOverview(material);
  const { well, wrong, recommendations, quality, reasons } = judge(material);
  const insights = insightsOf(material, overview.used);
  const patterns = findPatterns(material);
  return {
    overview: joined(overview.lines, ' '),
    ...answerOf(material),
    key_insights: insights,
    notable_patterns: patterns,
    recommendations,
    what_went_well: well.length > 0 ? well : null,
    what_went_wrong: wrong.length > 0 ? wrong : null,
    speaker_dynamics: speakerDynamics(material),
    conversation_quality: quality,
    evidence: book.of([overview.lines, insights, patterns, recommendations, well, wrong, reasons].flat()),
    quality_reasons: reasons,
    source: 'built_in',
  };
}

/** The members of a summary that answer the goal; none without a goal. */
function answerOf({ goal, answers }: SummaryMaterial): Pick<ConversationSummary, 'answer' | 'nearest'> {
  if (goal === '') return {};
  const { told, possible } = answers;
  const found = ({ utterance_ids, score }: GoalCandidate) => ({ utterance_ids, score });
  return told ? { answer: found(told) } : { answer: null, ...(possible[0] && { nearest: found(possible[0]) }) };
}

/**
 * The most salient sentence of each phase that tells something: a question does so with its answer. Sentences are chosen from the longest phases first, and then put in spoken
 * order.
 * @param used the sentences of the overview
 */
function insightsOf(material: SummaryMaterial, used: SpokenSentence[]): Spans[] {
  const { sentences, value, utterances, phases } = material;
  const count = Math.min(MAX_INSIGHTS, Math.max(1, Math.round(utterances.length / UTTERANCES_PER_INSIGHT)));
  const known = new Set<SpokenSentence | undefined>(used);
  /** Words that are listed already. Somebody may say the same sentence twice. */
  const told = new Set(used.map(({ text }) => text));
  const { procedure } = material.language.summaryCues;
  const isOpen = (s: SpokenSentence): boolean => s.asks && answerTo(material, s) === undefined;
  const pool = sentences.map((s, i) => ({
    s,
    v: told.has(s.text) || procedure.test(s.text) || isOpen(s) ? 0 : value[i]!,
  }));
  const matter = phases.filter(isMatter);
  const longest = (matter.length > 0 ? matter : phases).toSorted(
    (a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from,
  );
  /** Each sentence with its answer. */
  const picked = new Map<SpokenSentence, SpokenSentence | undefined>();
  const pick = (part: typeof pool, n: number) => {
    const fresh = part.filter(({ s, v }) => v > MIN_SALIENCE && !told.has(s.text));
    for (const s of pickSentences(
      fresh.map(({ s }) => s),
      Float64Array.from(fresh, ({ v }) => v),
      n,
    )) {
      if (told.has(s.text)) continue;
      told.add(s.text);
      picked.set(s, answerTo(material, s));
    }
  };
  for (const { from, to } of longest.slice(0, count))
    pick(
      pool.filter(({ s }) => s.turn >= from && s.turn < to),
      1,
    );
  if (picked.size < count) pick(pool, count - picked.size);
  // Avoids listing a sentence twice, once by itself and once as an answer.
  const answers = new Set(picked.values());
  return [...picked.keys()]
    .filter((s) => !answers.has(s) && !known.has(picked.get(s)))
    .sort((a, b) => sentences.indexOf(a) - sentences.indexOf(b))
    .map((s) => lineOf(material, s, (next) => !picked.has(next) && !answers.has(next) && !known.has(next)));
}

/** A sentence with its answer, or with its speaker's next sentence, if they fit in a line. */
function lineOf(material: SummaryMaterial, s: SpokenSentence, isNew: (next: SpokenSentence) => boolean): Spans {
  if (answerTo(material, s)) return sentenceWithAnswer(material, s, QUOTE_WORDS);
  const own = material.sentences.filter(({ turn }) => turn === s.turn);
  const { courtesy, procedure } = material.language.summaryCues;
  const canFollow = (one: SpokenSentence): boolean =>
    !one.asks &&
    !courtesy.test(one.text) &&
    !procedure.test(one.text) &&
    material.value[material.sentences.indexOf(one)]! > 0;
  const next = own[own.indexOf(s) + 1];
  if (!next || !isNew(next) || !canFollow(next) || s.length + next.length > QUOTE_WORDS)
    return sentenceLine(material, s, QUOTE_WORDS);
  const asrConfidence = s.asrConfidence.least < next.asrConfidence.least ? s.asrConfidence : next.asrConfidence;
  const text = `${s.text}${/[.?!]$/.test(s.text) ? '' : '.'} ${next.text}`;
  const broken = `${s.broken}${/[.?!]$/.test(s.broken) ? '' : '.'} ${next.broken}`;
  const both = {
    ...s,
    text,
    broken,
    turns: next.turn + next.turns - s.turn,
    length: s.length + next.length,
    asrConfidence,
    asks: s.asks || next.asks,
  };
  return sentenceLine(material, both, QUOTE_WORDS);
}
