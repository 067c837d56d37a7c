/**
 * Topic boundaries compared with labelled conversations: Pk and WindowDiff (k = half of the mean reference segment,
 * averaged over conversations), and F1 of boundaries exactly and within 1, 3 and 5 turns, against no boundaries, random
 * and even ones, and classic TextTiling.
 */

import { conversationWeights } from '../containers/pipeline/conversation-weights.ts';
import { evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { qmsum } from '../scripts/train/dialogue-corpus.ts';
import { languageOf } from '../src/conversation/languages.ts';
import { segmentConversation } from '../src/conversation/summary/phase-descriptions.ts';
import { readTurns } from '../src/conversation/text/turns.ts';
import { findBoundaries } from '../src/conversation/topics/boundaries.ts';
import { seeded } from '../support/random.ts';
import { report, say, type Table } from './report.ts';
import { type Labelled, score, TOLERANCES } from './segmentation-metrics.ts';
import { textTiling } from './text-tiling.ts';

interface JoinedDialogue {
  utterances: string[];
  segments: number[];
}

function topics(file: string): Labelled[] {
  return readEvalJson<JoinedDialogue[]>('conversations/topic-segmentation', file).map(({ utterances, segments }) => {
    let at = 0;
    const ends = segments.map((length) => {
      at += length;
      return at;
    });
    // The data has no speakers, so two speakers take turns.
    return { turns: utterances, speakers: utterances.map((_, i) => `${i % 2}`), boundaries: ends.slice(0, -1) };
  });
}

/** The seed of the random baseline. */
const SEED = 11;
/** Mean segment length below which a TextTiling block is narrow, turns. */
const SHORT_SEGMENT = 20;
const BLOCK = { short: 2, long: 10 } as const;

function table(title: string, docs: Labelled[]): Table {
  const turns = docs.reduce((s, d) => s + d.turns.length, 0);
  const segments = docs.reduce((s, d) => s + d.boundaries.length + 1, 0);
  const mean = turns / segments;
  const random = seeded(SEED);
  const inner = (d: Labelled) => d.turns.slice(1).map((_, i) => i + 1);
  const even = (d: Labelled) => {
    const parts = Math.max(1, Math.round(d.turns.length / mean));
    return [...new Set(Array.from({ length: parts - 1 }, (_, j) => Math.round(((j + 1) * d.turns.length) / parts)))];
  };
  const systems: [string, (d: Labelled) => number[]][] = [
    ['none', () => []],
    ['random (true rate)', (d) => inner(d).filter(() => random() < 1 / mean)],
    ['even (true mean length)', even],
    ['TextTiling', (d) => textTiling(d.turns, mean < SHORT_SEGMENT ? BLOCK.short : BLOCK.long)],
    [
      'undertone',
      (d) =>
        findBoundaries(
          readTurns(
            d.turns.map((text, i) => ({ text, speaker: d.speakers[i] ?? '' })),
            conversationWeights().vectors,
            languageOf('en'),
          ),
          conversationWeights().boundaries,
        ).starts,
    ],
    ['undertone, phases as told', told],
  ];
  say(title);
  return {
    title: `${title}: ${docs.length} conversations, ${(turns / docs.length).toFixed(1)} turns, ${(segments / docs.length).toFixed(1)} segments each`,
    columns: ['system', 'Pk', 'WindowDiff', ...TOLERANCES.map((t) => (t === 0 ? 'F1' : `F1 ±${t}`)), 'segments'],
    rows: systems.map(([name, segment]) => [name, ...score(docs, segment).slice(0, -1)]),
  };
}

/** Starts of the phases of an answer. They include topics and purposes, while the labels contain only topics. */
function told(d: Labelled): number[] {
  const utterances = d.turns.map((text, i) => ({
    utterance_id: String(i),
    speaker: d.speakers[i] ?? '',
    t_start: i,
    t_end: i + 1,
    text,
  }));
  return segmentConversation(utterances, {}, conversationWeights())
    .phases.slice(1)
    .map((phase) => Number(phase.start_utterance_id));
}

evalPath('conversations');
report('segmentation', [
  table('DialSeg711', topics('dialseg_711.json')),
  table('TIAGE', topics('tiage.json')),
  {
    ...table(
      'QMSum val',
      qmsum('val').map((m) => ({ ...m, boundaries: m.boundaries ?? [] })),
    ),
    note: "DialSeg711 and TIAGE train nothing; QMSum train spans train the meeting model. Thresholds were chosen on these open halves, and the project's own small talk was written knowing what chats like TIAGE's look like.",
  },
]);
