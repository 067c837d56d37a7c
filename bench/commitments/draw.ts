import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { readEvalJson } from '../../scripts/eval-data.ts';
import { qmsum } from '../../scripts/train/dialogue-corpus.ts';
import { dialogueLines } from '../../scripts/train/role-corpus.ts';
import type { Commitment } from '../../src/contract/commitments.ts';
import { recordedAt } from '../../src/conversation/commitments/recorded-at.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { chosen, dialogsumDev, joined, labelled, spoken, type Turn } from '../reading-dialogues.ts';

/** When every dialogue began, as its dates are worked out: a Wednesday. */
export const RECORDED = { recorded_at: '2026-03-04T10:00:00Z', time_zone: 'Europe/London' };

/** Turns at the end of an interview, where the plan is told. */
const PLAN_TURNS = 30;
/** Turns of a part of a meeting. */
const MEETING_TURNS = 50;
const OF_A_CORPUS = 10;
/** Dialogues of the draw `told` in which a commitment has a day, if there are as many: they are rare. */
const DATED_OF_A_CORPUS = 5;

/**
 * Why a dialogue is among the sheets. `all`: drawn from all dialogues; `told`: drawn from those in which the service
 * finds a commitment, with a day in half of them, since few of all have any.
 */
export type Draw = 'all' | 'told';

export interface DrawnDialogue {
  corpus: string;
  draw: Draw;
  turns: Turn[];
  commitments: Commitment[];
}

/** Parts of equal length; what remains at the end is left out. */
function parts(turns: readonly Turn[], length: number): Turn[][] {
  return Array.from({ length: Math.floor(turns.length / length) }, (_, i) => turns.slice(i * length, (i + 1) * length));
}

/** Two campers who divide what they have, and people who ask for a donation. */
function negotiations(): Turn[][] {
  const campers = readEvalJson<{ chat_logs: { text: string; id: string }[] }[]>('conversations/casino/valid.json');
  return [
    ...campers.map(({ chat_logs }) =>
      chat_logs
        .filter(({ text }) => !/^(Submit|Accept|Reject|Walk)-/.test(text))
        .map(({ id, text }) => ({ speaker: id, text })),
    ),
    ...dialogueLines('persuasion-for-good').map(({ turns }) => turns),
  ];
}

function corpora(): Record<string, Turn[][]> {
  return {
    osce: dialogueLines('osce-interviews').map(({ turns }) => joined(turns).slice(-PLAN_TURNS)),
    dialogsum: dialogsumDev().map(joined),
    qmsum: qmsum('val').flatMap(({ turns, speakers }) =>
      parts(joined(turns.map((text, i) => ({ speaker: speakers[i]!, text }))), MEETING_TURNS),
    ),
    negotiation: negotiations().map(joined),
  };
}

/** Commitments that the service finds in a dialogue, as in a stored conversation of the same words. */
export function commitmentsIn(turns: readonly Turn[]): Commitment[] {
  const recorded = recordedAt(RECORDED);
  const conversation = new Conversation({ conversationId: 'reading', goal: '', recorded }, conversationWeights());
  for (const utterance of spoken(turns)) conversation.add(utterance);
  return conversation.finish().commitments ?? [];
}

/** The dialogues of both draws, none of them twice, in an order that says nothing about the draw. */
export function drawnDialogues(seed: number): DrawnDialogue[] {
  const drawn = Object.entries(corpora()).flatMap(([corpus, dialogues]) => {
    const order = chosen(dialogues.map(labelled), dialogues.length, seed);
    const read = (turns: Turn[], draw: Draw): DrawnDialogue => ({
      corpus,
      draw,
      turns,
      commitments: commitmentsIn(turns),
    });
    const all = order.slice(0, OF_A_CORPUS).map((turns) => read(turns, 'all'));
    const told = order
      .slice(OF_A_CORPUS)
      .map((turns) => read(turns, 'told'))
      .filter(({ commitments }) => commitments.length > 0);
    const dated = told.filter(({ commitments }) => commitments.some(({ due }) => due)).slice(0, DATED_OF_A_CORPUS);
    const others = told.filter((one) => !dated.includes(one)).slice(0, OF_A_CORPUS - dated.length);
    return [...all, ...dated, ...others];
  });
  return chosen(drawn, drawn.length, seed);
}
