import { afterFlags, PAIR_TURNS, pairFlags, turnFlags } from '../../../src/conversation/moments/heard-turns.ts';
import { TurnReader } from '../../../src/conversation/moments/turn-reader.ts';
import { spoken, UNUSED } from './context-rows.ts';
import type { Dialogue } from './corpus.ts';

/** What the networks are told of a turn beside encodings. */
export interface TurnFlags {
  flags: number[];
  /** `[earlier turn, flags]` for each one of another speaker that it may answer, first to last. */
  answers: [number, number[]][];
  /** Of the turn after. */
  after: number[];
}

const NOTHING = [0, 0, 0, 0, 0];

/** What they are told of each turn of a dialogue. */
export function flagsOf({ turns }: Dialogue): TurnFlags[] {
  const told: TurnFlags[] = [];
  const reader = new TurnReader({
    turn: (heard, after) => {
      const { index, utterance } = heard[0]!;
      if (after) {
        told[index]!.after = afterFlags(heard, after.next);
        return NOTHING;
      }
      const answers = heard
        .slice(0, PAIR_TURNS + 1)
        .flatMap((earlier, back): [number, number[]][] =>
          earlier.utterance.speaker === utterance.speaker ? [] : [[index - back, pairFlags(heard, back)]],
        );
      told.push({ flags: turnFlags(heard), answers: answers.reverse(), after: [] });
      return NOTHING;
    },
    pair: () => NOTHING,
  });
  for (const [i, { speaker, text }] of turns.entries()) {
    reader.read(spoken(i, speaker, text), UNUSED);
    reader.again();
  }
  reader.atLast();
  return told;
}
