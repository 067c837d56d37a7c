import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalPath, readEvalJson } from '../../scripts/eval-data.ts';
import type { MomentCategory } from '../../src/contract/findings.ts';
import { readSurfaces } from '../../src/conversation/dialogue-acts/dialogue-acts.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import type { Table } from '../report.ts';
import { type Encodings, encodeTexts } from './encodings.ts';
import { KeywordTeller, keywordActs } from './keywords.ts';
import { type MomentSource, mean, momentsByTurn, Score, service } from './scoring.ts';

/** A turn with its dialogue act as the corpus names it. */
interface Turn {
  speaker: string;
  text: string;
  act: string;
}

const keywords = (): MomentSource => new KeywordTeller();

/** Limit on the dialogues read from one corpus. SwDA's training part alone has over a thousand. */
const MAX_DIALOGUES = 250;

/**
 * Files of `speaker|text|...|act`. SwDA has three columns and MRDA five. MRDA provides its development part, if
 * present, and SwDA every part, since its development part has only seven offers. Nothing is trained on either.
 */
function corpus(name: 'swda' | 'mrda'): Turn[][] {
  const folder = evalPath('conversations', name);
  const parts = readdirSync(folder).filter((part) => part !== 'metadata');
  const read = name === 'mrda' && parts.includes('val') ? ['val'] : parts;
  return read
    .flatMap((part) => readdirSync(join(folder, part)).map((file) => join(folder, part, file)))
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .slice(0, MAX_DIALOGUES)
    .map((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.split('|'))
        .filter((p) => p.length >= 3)
        .map((p) => ({ speaker: p[0] ?? '', text: p[1] ?? '', act: (p.length > 4 ? p[4] : p[2])?.trim() ?? '' })),
    );
}

const OFFER = { swda: ['ad', 'oo_co_cc'], mrda: ['cs', 'co'] };
const COMMITMENT = { swda: [], mrda: ['cc'] };
const ACCEPT = { swda: ['aa', 'aap_am'], mrda: ['aa', 'aap'] };
const REJECT = { swda: ['ar', 'arp_nd', 'ng'], mrda: ['ar', 'arp', 'nd', 'ng'] };
const OBJECT = { swda: ['ar', 'arp_nd'], mrda: ['ar', 'arp', 'nd'] };
/** Number of the other side's turns within which an answer counts as the answer to an offer (methods, section 6). */
const ANSWER_TURNS = 3;

const hasAct = (turn: Turn, acts: string[]): boolean =>
  acts.includes(turn.act) || turn.act.split(/[:|^]/).some((a) => acts.includes(a.replace(/\.%.*/, '')));

/** Whether each turn comes within three turns of the other side after a marked offer by another speaker. */
function answersOffer(turns: Turn[], isOffer: (t: Turn, i: number) => boolean): boolean[] {
  let offer: { speaker: string; turns: number } | undefined;
  let last = '';
  return turns.map((t, i) => {
    if (offer && t.speaker !== offer.speaker && t.speaker !== last) offer.turns++;
    last = t.speaker;
    const answers = offer !== undefined && t.speaker !== offer.speaker && offer.turns <= ANSWER_TURNS;
    if (isOffer(t, i)) offer = { speaker: t.speaker, turns: 0 };
    return answers;
  });
}

/** The acts that object: an answer that disagrees or rejects, with or without a reason. */
const OBJECTING = ['refusal'];

type ActNames = ReadonlySet<string>;

/** The acts of an utterance. A back-channel of assent ("yeah") agrees if an offer precedes it. */
const ownActs = (text: string): ActNames =>
  new Set(
    readSurfaces(text, languageOf('en')).map(({ act, cues }) =>
      act === 'back_channel' && cues.has('yes.weak') ? 'agreement' : act,
    ),
  );

/**
 * Public proxies: F1 of the acts that moments consist of. The corpora mark the act of an utterance and not whether it
 * advances a deal, so the acts are scored. An answer to an offer is an act of answering, found or marked, within three
 * turns of the other side after an act of offering. `inMoments` scores the conversation's own accepted and rejected
 * offers instead.
 */
function proxies(
  name: 'swda' | 'mrda',
  acts: (text: string) => ActNames,
  inMoments?: () => MomentSource,
  encodings?: Encodings,
): Map<string, Score> {
  const scores = new Map<string, Score>();
  const add = (row: string, predicted: boolean, gold: boolean): void => {
    const score = scores.get(row) ?? new Score();
    scores.set(row, score);
    score.add(predicted, gold);
  };
  for (const turns of corpus(name)) {
    const said = turns.map((t) => acts(t.text));
    const settled = inMoments && momentsByTurn(inMoments(), turns, encodings);
    const offers = said.map((s) => s.has('offer') || (name === 'swda' && s.has('commitment')));
    const chained = answersOffer(turns, (_, i) => Boolean(offers[i]));
    const after = answersOffer(turns, (t) => hasAct(t, [...OFFER[name], ...COMMITMENT[name]]));
    turns.forEach((t, i) => {
      const answers = (act: string, category: MomentCategory): boolean =>
        settled ? settled[i]!.some((m) => m.category === category) : Boolean(chained[i] && said[i]?.has(act));
      add('acceptance of an offer', answers('agreement', 'cta_accepted'), after[i]! && hasAct(t, ACCEPT[name]));
      add('refusal of an offer', answers('refusal', 'cta_rejected'), after[i]! && hasAct(t, REJECT[name]));
      if (settled) return;
      add('offer', offers[i]!, hasAct(t, OFFER[name]));
      if (COMMITMENT[name].length > 0) add('commitment', said[i]!.has('commitment'), hasAct(t, COMMITMENT[name]));
      add(
        'objection',
        OBJECTING.some((a) => said[i]!.has(a)),
        hasAct(t, OBJECT[name]),
      );
    });
  }
  return scores;
}

interface CasinoDialogue {
  chat_logs: { id: string; text: string }[];
}

/** CaSiNo: whether the last acceptance is within one turn of the last turn before a deal is submitted. */
async function casino(make: () => MomentSource): Promise<Score> {
  const score = new Score();
  // Its training part is used to fit the agreement head and is therefore not scored.
  const files = readdirSync(evalPath('conversations/casino')).filter((f) => f.endsWith('.json') && f !== 'train.json');
  const dialogues = files.flatMap((f) => readEvalJson<CasinoDialogue[]>('conversations/casino', f));
  const encodings = await encodeTexts(dialogues.flatMap((d) => d.chat_logs.map((m) => m.text)));
  for (const { chat_logs } of dialogues) {
    const end = chat_logs.findIndex((m) => /^(Submit-Deal|Walk-Away)$/.test(m.text));
    const deal = chat_logs[end]?.text === 'Submit-Deal' ? end - 1 : -1;
    const turns = chat_logs.slice(0, end < 0 ? undefined : end).map((m) => ({ speaker: m.id, text: m.text }));
    const last = momentsByTurn(make(), turns, encodings).findLastIndex((ms) =>
      ms.some((m) => m.category === 'cta_accepted'),
    );
    if (deal >= 0 && last >= 0 && Math.abs(last - deal) <= 1) score.tp++;
    else {
      if (last >= 0) score.fp++;
      if (deal >= 0) score.fn++;
    }
  }
  return score;
}

/** Accuracy of the acts behind moments in corpora that mark acts. */
export async function proxyTable(): Promise<Table> {
  const rows: Table['rows'] = [];
  const ratios: Table['rows'] = [];
  const acts: [own: Score, base: Score][] = [];
  const moments: [own: Score, base: Score][] = [];
  const row = (corpusName: string, name: string, own: Score, base: Score): void => {
    rows.push([corpusName, name, own.tp + own.fn, own.precision, own.recall, own.f1, base.f1]);
  };
  for (const name of ['mrda', 'swda'] as const) {
    const own = proxies(name, ownActs);
    const base = proxies(name, keywordActs);
    const encodings = await encodeTexts(corpus(name).flatMap((turns) => turns.map((t) => t.text)));
    const ownMoments = proxies(name, ownActs, service, encodings);
    const baseMoments = proxies(name, keywordActs, keywords);
    for (const [act, score] of own) {
      const pair = [score, base.get(act) ?? new Score()] as const;
      row(name.toUpperCase(), act, ...pair);
      acts.push([...pair]);
      moments.push([ownMoments.get(act) ?? pair[0], baseMoments.get(act) ?? pair[1]]);
    }
    for (const [act, score] of ownMoments)
      row(name.toUpperCase(), `${act}, by the moments`, score, baseMoments.get(act) ?? new Score());
  }
  const deal = [await casino(service), await casino(keywords)] as const;
  row('CaSiNo', 'agreement reached, within one turn', ...deal);
  for (const [how, pairs] of [
    ['answers by acts', acts],
    ['answers by the moments', moments],
  ] as const) {
    const own = mean([...pairs.map(([o]) => o.f1), deal[0].f1]);
    const base = mean([...pairs.map(([, b]) => b.f1), deal[1].f1]);
    ratios.push(['', `macro-F1, ${how}`, null, null, null, own, base]);
    ratios.push(['', `ratio to the keyword baseline (bar 1.3), ${how}`, null, null, null, own / base, 1]);
  }
  return {
    title: 'Public proxies, development parts (MRDA and SwDA are evaluation only)',
    columns: ['corpus', 'class', 'n', 'P', 'R', 'F1', 'keyword F1'],
    rows: [...rows, ...ratios],
    note: 'Own acts and keywords answer their own offers within the same three turns. SwDA has few of these acts. What objects is a refusing answer here, not a reason against something.',
  };
}
