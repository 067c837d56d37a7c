/**
 * Fits the weights of the dialogue acts, answers and topic shifts: `node scripts/train/moments.ts`.
 *
 * Data: the project's own dialogues (tuning half) and single lines, and, free to use, CaSiNo (CC BY 4.0: the last turn
 * before a deal agrees), QMSum (MIT: where a topic opens) and ABCD (MIT), the latter two as a background of sentences
 * that for the most part offer, answer and object nothing. Writes src/conversation/generated/moment-weights.ts.
 * With `--folds` prints what five-fold cross-validation over the own dialogues reaches for each head.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalPath, readEvalJson } from '../../bench/eval-data.ts';
import type { MomentCategory, MomentEvent } from '../../src/contract/findings.ts';
import type { Utterance } from '../../src/contract/timeline.ts';
import {
  type LinearWeights,
  linear,
  sigmoid,
  TRAINED_HEADS,
  type TrainedHead,
} from '../../src/conversation/dialogue-acts/act-model.ts';
import { BUCKETS, ngramBuckets } from '../../src/conversation/dialogue-acts/ngrams.ts';
import { readActs, type SentenceAct } from '../../src/conversation/dialogue-acts.ts';
import { OBJECTION_LABELS } from '../../src/conversation/lexicon/objections.ts';
import { readAnswer } from '../../src/conversation/moments/answers.ts';
import { type Settles, strongest, TalkContext } from '../../src/conversation/moments/context.ts';
import { OBJECTION_PROBABILITY } from '../../src/conversation/moments/objections.ts';
import {
  ANSWER_TURNS,
  OFFER_PROBABILITY,
  type OpenOffer,
  openOffer,
  SETTLED,
  SETTLED_TENTATIVE,
  TENTATIVE_PROBABILITY,
} from '../../src/conversation/moments/offers.ts';
import { TopicMemory } from '../../src/conversation/moments/topic-shifts.ts';
import { fitLinear, fitSparse, type SparseExample, type SparseModel } from './moments/logistic.ts';

interface Turn {
  speaker: string;
  text: string;
  moments?: { category: MomentCategory; labels?: string[]; answers?: number }[];
}
interface Dialogue {
  id: string;
  turns: Turn[];
}
interface Line {
  act: 'offer' | 'none' | 'accept' | 'reject' | 'neither' | 'objection' | 'topic_shift';
  text: string;
  labels?: string[];
}
type Head = TrainedHead;
type Models = Record<Head, SparseModel>;

const OWN = join(import.meta.dirname, '../../bench/data/moments');
const OUT = join(import.meta.dirname, '../../src/conversation/generated/moment-weights.ts');
const own = <T>(name: string): T => JSON.parse(readFileSync(join(OWN, name), 'utf8')) as T;

/** Weight of a background sentence against one of our own, and how many are drawn from each corpus. */
const BACKGROUND_WEIGHT = 0.4;
const BACKGROUND_SENTENCES = 900;
/** Weight of a corpus label that is only implied. */
const IMPLIED_WEIGHT = 0.15;
/** Shrinkage of n-gram weights; chosen by `--folds`. */
const SHRINKAGE = 2e-3;
const FOLDS = 5;

/** Small deterministic generator (mulberry32), so that the weights are the same every time. */
function generator(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
function sample<T>(items: T[], n: number, seed: number): T[] {
  const random = generator(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, n)
    .map(({ item }) => item);
}

/** QMSum prints tokenised text with marks of disfluency. */
const detokenise = (text: string): string =>
  text
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/ ([.,?!'])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

const cueLogit = (act: SentenceAct, head: Head): number => {
  if (head in act.cueLogits) return act.cueLogits[head as keyof typeof act.cueLogits];
  const label = head as (typeof OBJECTION_LABELS)[number];
  return act.cues.has(`objection.${label}`) ? 3 : act.cues.has('concern') && act.cues.has(`topic.${label}`) ? 1.5 : 0;
};

const example = (act: SentenceAct, head: Head, positive: boolean, weight = 1): SparseExample => ({
  buckets: ngramBuckets(act.sentence),
  prior: cueLogit(act, head),
  positive,
  weight,
});

function logitsOf(models: Models, act: SentenceAct): SentenceAct['logits'] {
  const logits = { ...act.logits };
  const buckets = ngramBuckets(act.sentence);
  for (const head of TRAINED_HEADS) logits[head] = models[head].logit(buckets, cueLogit(act, head));
  return logits;
}

const reread = (models: Models, text: string): SentenceAct[] =>
  readActs(text).map((act) => ({ ...act, logits: logitsOf(models, act) }));

interface Background {
  plain: SentenceAct[];
  opening: SentenceAct[];
  agreeing: SentenceAct[];
}

function background(): Background {
  const meetings = readFileSync(evalPath('conversations/qmsum/train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(
      (l) =>
        JSON.parse(l) as {
          topic_list: { relevant_text_span: string[][] }[];
          meeting_transcripts: { content: string }[];
        },
    );
  const opening: string[] = [];
  const meeting: string[] = [];
  for (const { topic_list, meeting_transcripts } of meetings) {
    const starts = new Set(topic_list.flatMap((t) => t.relevant_text_span.map((s) => Number(s[0]))));
    meeting_transcripts.forEach(({ content }, i) => {
      const text = detokenise(content);
      (i > 3 && starts.has(i) ? opening : meeting).push(text);
    });
  }
  const support = readEvalJson<{ original: [string, string][] }[]>('conversations/abcd/abcd_sample.json').flatMap((c) =>
    c.original.filter(([who]) => who !== 'action').map(([, text]) => text),
  );
  const agreeing = readEvalJson<{ chat_logs: { text: string }[] }[]>('conversations/casino/train.json').flatMap(
    ({ chat_logs }) => chat_logs.filter((_, i) => chat_logs[i + 1]?.text === 'Submit-Deal').map((m) => m.text),
  );
  const read = (texts: string[], seed: number): SentenceAct[] =>
    sample(
      texts.flatMap((t) => readActs(t)).filter((a) => a.sentence.tokens.length > 4),
      BACKGROUND_SENTENCES,
      seed,
    );
  return {
    plain: [...read(meeting, 1), ...read(support, 2)],
    opening: opening.flatMap((t) => readActs(t).slice(0, 2)),
    agreeing: sample(agreeing, 300, 3).flatMap((t) => readActs(t).slice(0, 1)),
  };
}

/** The sentence of an utterance that carries its label: the one the cues favour. */
const carrier = (acts: SentenceAct[], head: Head): SentenceAct | undefined =>
  acts.reduce<SentenceAct | undefined>((a, b) => (a && cueLogit(a, head) >= cueLogit(b, head) ? a : b), undefined);

/** Whether each turn stands where an open offer of somebody else waits for an answer. */
function awaited(turns: Turn[]): boolean[] {
  let offer: { by: string; turns: number } | undefined;
  let last = '';
  return turns.map(({ speaker, moments = [] }) => {
    if (offer && speaker !== offer.by && speaker !== last) offer.turns++;
    last = speaker;
    const waits = offer !== undefined && offer.by !== speaker && offer.turns <= ANSWER_TURNS;
    if (waits && moments.some((m) => m.answers !== undefined)) offer = undefined;
    if (moments.some((m) => m.category === 'cta_offered')) offer = { by: speaker, turns: 0 };
    return waits;
  });
}

const CATEGORY: Partial<Record<Head, MomentCategory>> = {
  offer: 'cta_offered',
  agreement: 'cta_accepted',
  refusal: 'cta_rejected',
  objection: 'objection',
  topic: 'topic_shift',
};

function examplesOf(
  head: Head,
  dialogues: Dialogue[],
  lines: Line[],
  { plain, opening, agreeing }: Background,
): SparseExample[] {
  const examples: SparseExample[] = [];
  const isLabel = (OBJECTION_LABELS as readonly string[]).includes(head);
  const isAnswer = head === 'agreement' || head === 'refusal' || head === 'deferral';
  for (const { turns } of dialogues) {
    const waits = awaited(turns);
    turns.forEach(({ text, moments = [] }, i) => {
      const acts = readActs(text);
      const objection = moments.find((m) => m.category === 'objection');
      if (isLabel) {
        const best = carrier(acts, 'objection');
        if (objection && best) examples.push(example(best, head, Boolean(objection.labels?.includes(head))));
        return;
      }
      if (head === 'deferral' || (isAnswer && !waits[i])) return;
      const positive = moments.some((m) => m.category === CATEGORY[head]);
      const best = carrier(acts, head);
      if (positive && best) examples.push(example(best, head, true));
      else if (!positive) for (const a of acts) examples.push(example(a, head, false));
    });
  }
  for (const { act, text, labels } of lines) {
    const best = carrier(readActs(text), isLabel ? 'objection' : head);
    if (!best) continue;
    if (isLabel) {
      if (act === 'objection') examples.push(example(best, head, Boolean(labels?.includes(head))));
      continue;
    }
    const wanted = {
      offer: 'offer',
      agreement: 'accept',
      refusal: 'reject',
      deferral: 'neither',
      objection: 'objection',
      topic: 'topic_shift',
    }[head as 'offer'];
    const answers = act === 'accept' || act === 'reject' || act === 'neither';
    // A refusal may state its reason, an objection may refuse, a question that puts off may look like an offer.
    const unclear = (head === 'refusal' && act === 'objection') || (head === 'objection' && act === 'reject');
    if (unclear || (isAnswer && !answers && act !== 'none')) continue;
    examples.push(example(best, head, act === wanted, act === wanted ? 1 : 0.7));
  }
  if (!isLabel && !isAnswer) for (const a of plain) examples.push(example(a, head, false, BACKGROUND_WEIGHT));
  if (head === 'agreement') for (const a of agreeing) examples.push(example(a, head, true, IMPLIED_WEIGHT));
  if (head === 'topic') for (const a of opening) examples.push(example(a, head, true, IMPLIED_WEIGHT));
  return examples;
}

function fitHeads(dialogues: Dialogue[], lines: Line[], noise: Background): Models {
  const models = {} as Models;
  for (const head of TRAINED_HEADS)
    models[head] = fitSparse(examplesOf(head, dialogues, lines, noise), BUCKETS, SHRINKAGE);
  return models;
}

type Row = { values: Record<string, number>; positive: boolean; text: string };
const CONTEXT_MODELS = ['accepted', 'rejected', 'shift', 'offer', 'objection'] as const;
type Rows = Record<(typeof CONTEXT_MODELS)[number], Row[]>;
const noRows = (): Rows => ({ accepted: [], rejected: [], shift: [], offer: [], objection: [] });

/** A turn as an utterance named by its number. */
const spoken = (turn: number, speaker: string, text: string): Utterance => ({
  utterance_id: String(turn),
  speaker,
  t_start: turn,
  t_end: turn + 1,
  text,
});

type ContextWeights = Record<(typeof CONTEXT_MODELS)[number], LinearWeights>;

/**
 * Rows for the models that read in context, of dialogues that `models` has not seen.
 * @param decide the context models of an earlier round: what stands in the context is then what they would have found,
 * as when a conversation is read; without them it is what is marked
 */
function contextRows(models: Models, dialogues: Dialogue[], decide?: ContextWeights): Rows {
  const rows = noRows();
  for (const { id, turns } of dialogues) {
    // An exchange begins with its offer: it tells how answers look, not how often offers come.
    const whole = !id.startsWith('exchange');
    const guess = whole ? decide : undefined;
    let open: OpenOffer[] = [];
    let last = '';
    const memory = new TopicMemory();
    const context = new TalkContext();
    turns.forEach(({ speaker, text, moments = [] }, i) => {
      const acts = reread(models, text);
      const is = (c: MomentCategory): boolean => moments.some((m) => m.category === c);
      const chance = (model: keyof ContextWeights, values: Record<string, number>): number =>
        guess ? sigmoid(linear(guess[model], values)) : 0;
      if (speaker !== last) for (const o of open) if (o.utterance.speaker !== speaker) o.turns++;
      last = speaker;

      const marked = moments.filter((m) => m.answers !== undefined).map((m) => String(m.answers));
      const others = open.filter((o) => o.utterance.speaker !== speaker);
      const offer = others.findLast((o) => o.moment !== undefined || o.turns <= 1);
      let settles: Settles = is('cta_accepted') ? 'accepted' : is('cta_rejected') ? 'rejected' : undefined;
      if (guess) settles = undefined;
      if (offer && acts.length > 0) {
        const { values } = readAnswer(acts, offer);
        const answered = marked.includes(offer.utterance.utterance_id);
        rows.accepted.push({ text, values, positive: answered && is('cta_accepted') });
        rows.rejected.push({ text, values, positive: answered && is('cta_rejected') });
        if ((values.deferral ?? 0) > 0) offer.deferred = true;
        const [yes, no] = [chance('accepted', values), chance('rejected', values)];
        if (Math.max(yes, no) >= (offer.moment ? SETTLED : SETTLED_TENTATIVE)) {
          settles = yes >= no ? 'accepted' : 'rejected';
          open = open.filter((o) => o !== offer);
        }
      }
      if (!guess) open = open.filter((o) => !marked.includes(o.utterance.utterance_id));

      const shift = memory.add(acts);
      if (whole && i >= 4) rows.shift.push({ text, values: shift, positive: is('topic_shift') });
      const objects = context.objection(speaker, acts, settles);
      const offers = context.offer(speaker, acts, settles);
      if (whole) rows.objection.push({ text, values: objects, positive: is('objection') });
      if (whole) rows.offer.push({ text, values: offers, positive: is('cta_offered') });

      const best = strongest(acts, 'offer');
      const made = guess ? chance('offer', offers) >= OFFER_PROBABILITY : is('cta_offered');
      const tentative = guess ? chance('offer', offers) >= TENTATIVE_PROBABILITY : (best?.logits.offer ?? -9) > -1;
      if (best && (made || tentative)) {
        const logit = guess ? linear(guess.offer, offers) : best.logits.offer;
        const opened = openOffer(spoken(i, speaker, text), best.sentence, logit);
        if (made) opened.moment = { moment_id: String(i) } as MomentEvent;
        open.push(opened);
      }
      const found: MomentCategory[] = [
        ...(settles ? [`cta_${settles}` as const] : []),
        ...(chance('objection', objects) >= OBJECTION_PROBABILITY ? ['objection' as const] : []),
        ...(made ? ['cta_offered' as const] : []),
      ];
      context.note(speaker, acts, guess ? found : moments.map((m) => m.category));
    });
  }
  return rows;
}

function pack(models: Models): { heads: Record<string, { bias: number; cues: number; step: number }>; table: string } {
  const table = new Int8Array(BUCKETS * TRAINED_HEADS.length);
  const heads: Record<string, { bias: number; cues: number; step: number }> = {};
  TRAINED_HEADS.forEach((head, h) => {
    const { bias, cues, weights } = models[head];
    const step = weights.reduce((max, w) => Math.max(max, Math.abs(w)), 1e-9) / 127;
    weights.forEach((w, b) => {
      table[b * TRAINED_HEADS.length + h] = Math.round(w / step);
    });
    heads[head] = { bias: round(bias), cues: round(cues), step };
  });
  return { heads, table: Buffer.from(table.buffer).toString('base64') };
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;
const rounded = ({ bias, weights }: LinearWeights): LinearWeights => ({
  bias: round(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([k, w]) => [k, round(w)])),
});

/** Prints the best F1 that a context model reaches on rows it was not fitted to, and with `--show` its errors. */
function judge(name: string, list: Row[]): void {
  const scored = list.map((row, i) => {
    const others = list.filter(
      (_, j) => Math.floor((j * FOLDS) / list.length) !== Math.floor((i * FOLDS) / list.length),
    );
    return { row, others };
  });
  const byFold = new Map<number, LinearWeights>();
  const judged = scored
    .map(({ row, others }, i) => {
      const f = Math.floor((i * FOLDS) / list.length);
      const model = byFold.get(f) ?? fitLinear(others);
      byFold.set(f, model);
      return { ...row, p: sigmoid(linear(model, row.values)) };
    })
    .sort((a, b) => b.p - a.p);
  const total = list.filter((r) => r.positive).length;
  let best = { f1: 0, at: 0 };
  let tp = 0;
  judged.forEach((r, i) => {
    if (r.positive) tp++;
    const f1 = (2 * tp) / (i + 1 + total);
    if (f1 > best.f1) best = { f1, at: r.p };
  });
  console.error(
    `cross-validated ${name}: best F1 ${best.f1.toFixed(3)} at ${best.at.toFixed(2)}, ${total} of ${list.length}`,
  );
  if (process.argv.includes('--show'))
    for (const r of judged)
      if (r.p >= best.at !== r.positive)
        console.error(`${name} ${r.p.toFixed(2)} ${r.positive ? 'MISSED' : 'FALSE '} ${r.text}`);
}

const heldOut = Number(process.argv.find((a) => a.startsWith('--hold-out='))?.split('=')[1] ?? -1);
const dialogues = [
  ...own<Dialogue[]>('tune.json').filter((_, i) => i % FOLDS !== heldOut),
  ...own<Dialogue[]>('exchanges.json'),
];
const lines = own<Line[]>('lines.json');
const noise = background();
const fold = (i: number): number => i % FOLDS;
const byFold = Array.from({ length: FOLDS }, (_, f) => ({
  models: fitHeads(
    dialogues.filter((_, i) => fold(i) !== f),
    lines,
    noise,
  ),
  unseen: dialogues.filter((_, i) => fold(i) === f),
}));
/** Rounds in which the context is read with the models of the round before (after DAgger, Ross et al. 2011). */
const ROUNDS = 2;
const rows = noRows();
let context: ContextWeights | undefined;
for (let round = 0; round <= ROUNDS; round++) {
  for (const { models, unseen } of byFold) {
    const more = contextRows(models, unseen, context);
    for (const k of CONTEXT_MODELS) rows[k].push(...more[k]);
  }
  context = Object.fromEntries(CONTEXT_MODELS.map((k) => [k, rounded(fitLinear(rows[k]))])) as ContextWeights;
}
if (process.argv.includes('--folds')) for (const k of CONTEXT_MODELS) judge(k, rows[k]);
const { accepted, rejected, shift, offer, objection } = context ?? ({} as ContextWeights);
const models = fitHeads(dialogues, lines, noise);
const weights = { ...pack(models), answer: { accepted, rejected }, topicShift: shift, offer, objection };
writeFileSync(
  OUT,
  `// Written by scripts/train/moments.ts. Trained on the project's own lines and dialogues, CaSiNo (CC BY 4.0), QMSum (MIT) and ABCD (MIT).
import type { MomentWeights } from '../dialogue-acts/act-model.ts';

export const MOMENT_WEIGHTS: MomentWeights = ${JSON.stringify(weights, null, 2)};
`,
);
console.log(JSON.stringify({ heads: weights.heads, ...context }, null, 1));
