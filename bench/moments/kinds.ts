import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { MOMENT_CATEGORY_NAMES, type MomentCategory } from '../../src/contract/findings.ts';
import { DEFAULT_LANGUAGE } from '../../src/conversation/languages.ts';
import { evenFloors } from '../../src/conversation/moments/floors.ts';
import { MomentDetector } from '../../src/conversation/moments/moment-detector.ts';
import { SmallTalkGuess } from '../../src/conversation/moments/small-talk.ts';
import { FOLDS, type MarkedDialogue, readDialogues } from '../../support/own-data.ts';
import { seeded, shuffled } from '../../support/random.ts';
import type { Table } from '../report.ts';
import { encodeTexts } from './encodings.ts';
import { firstJudgeSet, judgeSet } from './judge-set.ts';
import { mean, momentsByTurn, Score, scoreDialogues, service } from './scoring.ts';
import { CORPORA } from './small-talk.ts';

/** Number of ways in which the dialogues are divided into folds. */
const DIVISIONS = 20;
/** Fewest marked moments for a kind to have its own threshold. */
const LEAST = 8;
const THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8];

const NO_FLOORS = { smallTalk: evenFloors(0), meeting: evenFloors(0), other: evenFloors(0) };

/** A dialogue with the confidence of every category at every turn, 0 if there is none. */
interface ReadDialogue extends MarkedDialogue {
  confidences: Record<MomentCategory, number>[];
}

async function readAll(dialogues: readonly MarkedDialogue[]): Promise<ReadDialogue[]> {
  const encodings = await encodeTexts(dialogues.flatMap(({ turns }) => turns.map(({ text }) => text)));
  const { moments } = conversationWeights();
  const lowest = Object.fromEntries(MOMENT_CATEGORY_NAMES.map((c) => [c, THRESHOLDS[0]! / 2]));
  const weights = { ...moments, thresholds: lowest as Record<MomentCategory, number> };
  return dialogues.map((dialogue) => {
    const detector = new MomentDetector('d', weights, DEFAULT_LANGUAGE, { floors: NO_FLOORS });
    const source = {
      add: (...turn: Parameters<MomentDetector['add']>) => ({ moments: detector.add(...turn) }),
      end: () => ({ moments: detector.end() }),
    };
    const found = momentsByTurn(source, dialogue.turns, encodings);
    const confidenceOf = (i: number, category: MomentCategory): number =>
      Math.max(0, ...found[i]!.filter((m) => m.category === category).map(({ confidence }) => confidence));
    const confidences = found.map(
      (_, i) =>
        Object.fromEntries(MOMENT_CATEGORY_NAMES.map((c) => [c, confidenceOf(i, c)])) as Record<MomentCategory, number>,
    );
    return { ...dialogue, confidences };
  });
}

function addTo(score: Score, { turns, confidences }: ReadDialogue, category: MomentCategory, threshold: number): void {
  for (const [i, { moments = [] }] of turns.entries()) {
    const marked = moments.filter((m) => m.category === category);
    const isFound = confidences[i]![category] >= threshold;
    if (isFound || marked.some(({ sure = true }) => sure)) score.add(isFound, marked.length > 0);
  }
}

function best(dialogues: readonly ReadDialogue[], category: MomentCategory): number {
  const f1 = (threshold: number): number => {
    const score = new Score();
    for (const dialogue of dialogues) addTo(score, dialogue, category, threshold);
    return score.f1;
  };
  return THRESHOLDS.reduce((a, b) => (f1(b) > f1(a) ? b : a));
}

const CORPUS_KINDS: Record<string, string> = { swda: 'telephone', mrda: 'meeting', qmsum: 'meeting' };
const isMeeting = ({ turns }: MarkedDialogue): boolean => new Set(turns.map(({ speaker }) => speaker)).size > 2;

function guessedKind(dialogue: MarkedDialogue): string {
  const guess = new SmallTalkGuess(DEFAULT_LANGUAGE);
  for (const { text } of dialogue.turns) guess.add(text);
  return isMeeting(dialogue) ? 'meeting' : guess.isSmallTalk ? 'small talk' : 'other';
}

const WAYS: Record<string, (dialogue: MarkedDialogue) => string> = {
  'one threshold': () => 'all',
  'by guessed kind (meeting, small talk, other)': guessedKind,
  'by known corpus (everyday, telephone, meeting)': ({ id }) => CORPUS_KINDS[id.split('-')[0]!] ?? 'everyday',
};

/** F1 with thresholds that were chosen on other folds of the judged dialogues, for all or for each kind. */
export async function kindsTable(): Promise<Table> {
  const [judged, first] = [await readAll(judgeSet()), await readAll(firstJudgeSet())];
  const dialogues = [...judged, ...first];
  const firstOnes = new Set(first);
  const rows = Object.entries(WAYS).map(([name, kindOf]) => {
    const divisions = Array.from({ length: DIVISIONS }, (_, division) => {
      const shuffledOnce = [...shuffled(dialogues.length, seeded(division))].map((i) => dialogues[i]!);
      const scored = [dialogues, judged, first].map(() => MOMENT_CATEGORY_NAMES.map(() => new Score()));
      for (let fold = 0; fold < FOLDS; fold++) {
        const outside = shuffledOnce.filter((_, i) => i % FOLDS !== fold);
        const inside = shuffledOnce.filter((_, i) => i % FOLDS === fold);
        for (const [c, category] of MOMENT_CATEGORY_NAMES.entries()) {
          const common = best(outside, category);
          for (const [kind, own] of Map.groupBy(inside, kindOf)) {
            const alike = outside.filter((dialogue) => kindOf(dialogue) === kind);
            const marked = alike.flatMap(({ turns }) =>
              turns.flatMap(({ moments = [] }) => moments.filter((m) => m.category === category)),
            );
            const threshold = marked.length < LEAST ? common : best(alike, category);
            for (const dialogue of own)
              for (const scores of [scored[0]!, scored[firstOnes.has(dialogue) ? 2 : 1]!])
                addTo(scores[c]!, dialogue, category, threshold);
          }
        }
      }
      return scored.map((scores) => scores.map(({ f1 }) => f1));
    });
    const [f1, ofJudged, ofFirst] = [0, 1, 2].map((set) =>
      MOMENT_CATEGORY_NAMES.map((_, c) => mean(divisions.map((division) => division[set]![c]!))),
    );
    return [name, ...f1!, mean(f1!), mean(ofJudged!), mean(ofFirst!)];
  });
  return {
    title: `Best F1: thresholds by kind of conversation, chosen on other folds of the ${dialogues.length} judged dialogues`,
    columns: ['thresholds', ...MOMENT_CATEGORY_NAMES, 'macro-F1', `of the ${judged.length}`, `of the ${first.length}`],
    rows,
    note: `Means of ${DIVISIONS} divisions into folds. A kind with fewer than ${LEAST} marked moments has the common threshold.`,
  };
}

/** Precision of the moments that the service reports, by kind of conversation. */
export async function reportedTable(): Promise<Table> {
  const judged = [...judgeSet(), ...firstJudgeSet()];
  const kinds = Map.groupBy(judged, ({ id }) => CORPORA[id.split('-')[0]!] ?? 'other');
  kinds.set('doctors, bookings, persuasion', readDialogues('judge-kinds'));
  kinds.set('all of them', [...kinds.values()].flat());
  const encodings = await encodeTexts(kinds.get('all of them')!.flatMap(({ turns }) => turns.map(({ text }) => text)));
  const rows = [...kinds].map(([kind, dialogues]) => {
    const reported = new Map(dialogues.map(({ id, turns }) => [id, momentsByTurn(service(), turns, encodings)]));
    const scores = MOMENT_CATEGORY_NAMES.map((category) => scoreDialogues(dialogues, reported).rows.get(category)!);
    const total = new Score();
    for (const { tp, fp, fn } of scores) {
      total.tp += tp;
      total.fp += fp;
      total.fn += fn;
    }
    const counts = [total.tp + total.fp, total.tp, total.tp + total.fp > 0 ? total.precision : null, total.recall];
    return [kind, dialogues.length, ...counts, ...scores.map(({ tp, fp }) => `${tp} of ${tp + fp}`)];
  });
  return {
    title: 'Reported moments that are right, by kind of conversation',
    columns: ['kind', 'dialogues', 'reported', 'right', 'P', 'R', ...MOMENT_CATEGORY_NAMES],
    rows,
    note: 'The floors (src/conversation/moments/floors.ts) were chosen on these dialogues: at least .65 right in every kind.',
  };
}
