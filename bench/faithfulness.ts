import type { ConversationSummary, Findings } from '../src/contract/findings.ts';
import type { Utterance } from '../src/contract/timeline.ts';
import { NO_TOPIC } from '../src/conversation/en/sentences/phases.ts';
import { MOST_PIECES } from '../src/conversation/text/open-sentences.ts';

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];

const QUOTE = /“([^”]*)”|(?<![\p{L}\p{N}])"(.*?)"(?![\p{L}\p{N}])/gsu;
const quotesOf = (text: string): string[] => [...text.matchAll(QUOTE)].map((m) => m[1] ?? m[2] ?? '');

/** Numbers outside quotation marks and speaker names. */
function numbersOf(text: string, speakers: string[]): number[] {
  let rest = text.replace(QUOTE, ' ');
  for (const name of speakers.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(name, ' ');
  return [...rest.matchAll(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu)].map((m) => Number(m[0]));
}

/** Whether the words of a quote were said in this order. Fillers are left out. */
function isSaid(quote: string, text: string): boolean {
  const said = wordsOf(text);
  const words = wordsOf(quote);
  const isShortened = quote.endsWith('...');
  let at = 0;
  return words.every((word, i) => {
    // The last word of a shortened quote may be cut off.
    const mayBeCut = isShortened && i === words.length - 1;
    at = said.findIndex((other, place) => place >= at && (mayBeCut ? other.startsWith(word) : other === word)) + 1;
    return at > 0;
  });
}

/** Every number of an object, with its percentage and common roundings. */
function numbersIn(value: unknown, out = new Set<number>()): Set<number> {
  if (typeof value === 'number') {
    for (const x of [value, value * 100, value / 1000])
      out
        .add(x)
        .add(Math.round(x))
        .add(Math.round(x * 100) / 100);
  } else if (Array.isArray(value)) {
    out.add(value.length);
    for (const v of value) numbersIn(v, out);
  } else if (value && typeof value === 'object') for (const v of Object.values(value)) numbersIn(v, out);
  return out;
}

/** The sentences of an overview as listed in its evidence, or the whole overview if they do not add up to it. */
function overviewLines({ overview, evidence }: ConversationSummary): string[] {
  const lines: string[] = [];
  for (const { text } of evidence) {
    lines.push(text);
    if (lines.join(' ').length >= overview.length) break;
  }
  return lines.join(' ') === overview ? lines : [overview];
}

/**
 * Checks every generated text against its evidence. Quoted words must have been said in it, and numbers must have been
 * measured or said in it. Summary lines are checked against their entry in `evidence`, which has the same order, phases
 * against their utterances, moments against the utterances that they name, and insights against all utterances and the
 * numbers of the insights.
 * @returns each unsupported claim as one sentence; empty if there are none
 */
export function findUnfaithful(findings: Findings, utterances: Utterance[], goal = ''): string[] {
  const { summary, segmentation, moments, insights } = findings;
  const faults: string[] = [];
  const place = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const speakers = [...new Set(utterances.map((u) => u.speaker))];
  const check = (where: string, text: string, spoken: string[], numbers: ReadonlySet<number>) => {
    for (const quote of quotesOf(text))
      if (!spoken.some((s) => isSaid(quote, s))) faults.push(`${where}: nobody said “${quote}” in its evidence`);
    const said = new Set(spoken.flatMap((s) => numbersOf(s, [])));
    for (const n of numbersOf(text, speakers))
      if (!numbers.has(n) && !said.has(n)) faults.push(`${where}: no measure gives ${n} in “${text}”`);
  };
  /** The texts of utterances, and all of them as one, because a sentence may extend over several. */
  const textsOf = (ids: string[]) => {
    const texts = ids.map((id) => utterances[place.get(id) ?? -1]?.text ?? '');
    return [...texts, texts.join(' ')];
  };

  const lines = [
    ...overviewLines(summary),
    ...summary.key_insights,
    ...summary.notable_patterns,
    ...summary.recommendations,
    ...(summary.what_went_well ?? []),
    ...(summary.what_went_wrong ?? []),
    ...summary.quality_reasons,
  ];
  for (const [i, line] of lines.entries()) {
    const evidence = summary.evidence[i];
    if (evidence?.text !== line) {
      faults.push(`summary: no evidence is listed for “${line}”`);
      break;
    }
    for (const id of evidence.utterance_ids) if (!place.has(id)) faults.push(`summary: no utterance ${id}`);
    const measures = Object.values(evidence.measures);
    const spoken = [...textsOf(evidence.utterance_ids), ...measures.filter((m) => typeof m === 'string')];
    check('summary', line, spoken, new Set(measures.filter((m) => typeof m === 'number')));
  }
  const counts = new Set(Array.from({ length: segmentation.total_phases + 1 }, (_, i) => i));
  const none = new Set<number>();
  for (const phase of segmentation.phases) {
    const [from, to] = [place.get(phase.start_utterance_id) ?? 0, (place.get(phase.end_utterance_id) ?? 0) + 1];
    const part = utterances.slice(from, to);
    // A sentence that begins in a phase may end after it.
    const spoken = [
      ...part.map((u) => u.text),
      utterances
        .slice(from, to + MOST_PIECES - 1)
        .map((u) => u.text)
        .join(' '),
    ];
    for (const text of [phase.summary, phase.transition_signal ?? '', ...phase.key_moments])
      check(`phase ${phase.phase_name}`, text, spoken, none);
    // A language model names themes in its own words.
    if (summary.source === 'language_model') continue;
    const said = new Set([...spoken.flatMap(wordsOf), ...wordsOf(NO_TOPIC)]);
    for (const word of wordsOf(phase.theme))
      if (!said.has(word)) faults.push(`phase ${phase.phase_name}: nobody said ${word} of its theme`);
  }
  check('rationale', segmentation.segmentation_rationale, [], counts);
  // The names that a language model gives phases may hold numbers.
  const named = summary.source === 'language_model' ? utterances.map((u) => u.text) : [];
  check('arc', segmentation.narrative_arc, named, counts);
  for (const m of moments)
    check(`moment ${m.category}`, m.summary, [...textsOf(m.utterance_ids), ...m.evidence.map((e) => e.quote)], none);
  for (const m of moments)
    for (const e of m.evidence)
      if (!isSaid(e.quote, textsOf([e.utterance_id])[0] ?? '')) faults.push(`moment: nobody said “${e.quote}”`);
  const whole = utterances.map((_, i) => utterances.slice(i, i + MOST_PIECES).map((u) => u.text));
  const all = [...utterances.map((u) => u.text), ...whole.map((texts) => texts.join(' ')), goal];
  const measured = numbersIn({ insights, moments: moments.map(() => 1) });
  for (let i = 0; i <= moments.length; i++) measured.add(i);
  for (const text of [
    ...insights.key_moments.map((k) => k.description),
    ...insights.cognitive_profile.hotspots.map((h) => h.description),
    ...insights.cognitive_profile.tips,
  ])
    check('insights', text, all, measured);
  return faults;
}
