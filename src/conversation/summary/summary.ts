import type { ConversationSummary } from '../../contract/findings.ts';
import type { StructureWeights } from '../phases/conversation-structure.ts';
import { isMatter } from '../phases/phases.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { speakerDynamics } from './dynamics.ts';
import { EvidenceBook } from './evidence.ts';
import { gatherMaterial, type SummaryInput, type SummaryMaterial } from './material.ts';
import { answerTo, sentenceLine, sentenceWithAnswer, writeOverview } from './overview.ts';
import { findPatterns } from './patterns.ts';
import { pickSentences } from './salience.ts';
import { judge } from './verdict.ts';

/** Words of a quoted insight, and how many insights at most. */
const QUOTE_WORDS = 40;
const MAX_INSIGHTS = 6;
/** Salience below which a sentence is no insight. */
const WORTH_TELLING = 0.08;
/** Utterances that bear one insight. */
const UTTERANCES_PER_INSIGHT = 4;

/**
 * An extractive summary: every line rests on the utterances and measures that `evidence` lists with it, in the order in
 * which the lines stand here; the overview's sentences are listed one by one.
 * @returns a summary with `source` 'built_in'.
 */
export function summarise(
  input: SummaryInput,
  weights: Pick<StructureWeights, 'vectors' | 'nouns'>,
): ConversationSummary {
  const book = new EvidenceBook();
  const material = gatherMaterial(input, book, weights);
  const overview = writeOverview(material);
  const { well, wrong, recommendations, quality, reasons } = judge(material);
  const insights = insightsOf(material, overview.told);
  const patterns = findPatterns(material);
  return {
    overview: overview.lines.join(' '),
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

/** What was said that matters: the most telling sentence of each phase, longest phases first, told in spoken order. */
function insightsOf(material: SummaryMaterial, told: SpokenSentence[]): string[] {
  const { sentences, value, utterances, phases: purposes } = material;
  const count = Math.min(MAX_INSIGHTS, Math.max(1, Math.round(utterances.length / UTTERANCES_PER_INSIGHT)));
  const known = new Set<SpokenSentence | undefined>(told);
  const pool = sentences.map((s, i) => ({ s, v: known.has(s) ? 0 : value[i]! }));
  const matter = purposes.filter(isMatter);
  const spans = (matter.length > 0 ? matter : purposes).toSorted(
    (a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from,
  );
  /** With what is told as its answer. */
  const picked = new Map<SpokenSentence, SpokenSentence | undefined>();
  const pick = (part: typeof pool, n: number) => {
    const fresh = part.filter(({ s, v }) => v > WORTH_TELLING && !picked.has(s));
    for (const s of pickSentences(
      fresh.map(({ s }) => s),
      Float64Array.from(fresh, ({ v }) => v),
      n,
    ))
      picked.set(s, answerTo(material, s));
  };
  for (const { from, to } of spans.slice(0, count))
    pick(
      pool.filter(({ s }) => s.turn >= from && s.turn < to),
      1,
    );
  if (picked.size < count) pick(pool, count - picked.size);
  // Nothing is told twice, by itself and as an answer.
  const answers = new Set(picked.values());
  return [...picked.keys()]
    .filter((s) => !answers.has(s) && !known.has(picked.get(s)))
    .sort((a, b) => sentences.indexOf(a) - sentences.indexOf(b))
    .map((s) => tellOn(material, s, (next) => !picked.has(next) && !answers.has(next) && !known.has(next)));
}

/** A sentence with what answers it, or with what its speaker goes on to say, as far as a line holds it. */
function tellOn(material: SummaryMaterial, s: SpokenSentence, isNew: (next: SpokenSentence) => boolean): string {
  if (answerTo(material, s)) return sentenceWithAnswer(material, s, QUOTE_WORDS);
  const own = material.sentences.filter(({ turn }) => turn === s.turn);
  const next = own[own.indexOf(s) + 1];
  if (!next || !isNew(next) || s.length + next.length > QUOTE_WORDS) return sentenceLine(material, s, QUOTE_WORDS);
  const heard = s.asrConfidence.least < next.asrConfidence.least ? s.asrConfidence : next.asrConfidence;
  const text = `${s.text}${/[.?!]$/.test(s.text) ? '' : '.'} ${next.text}`;
  return sentenceLine(
    material,
    { ...s, text, length: s.length + next.length, asrConfidence: heard, asks: s.asks || next.asks },
    QUOTE_WORDS,
  );
}
