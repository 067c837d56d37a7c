import type { MomentCategory, MomentEvent } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import {
  type CONTEXT_MODELS,
  type ContextWeights,
  linear,
  sigmoid,
} from '../../../src/conversation/dialogue-acts/act-model.ts';
import { readActs } from '../../../src/conversation/dialogue-acts.ts';
import { type Settles, strongest, TalkContext } from '../../../src/conversation/moments/context.ts';
import { type Heard, OfferBook, openOffer, settling } from '../../../src/conversation/moments/offers.ts';
import { TopicMemory, WARM_UP } from '../../../src/conversation/moments/topic-shifts.ts';
import { TurnReader, withReading } from '../../../src/conversation/moments/turn-reader.ts';
import type { Dialogue, UnseenReadings } from './corpus.ts';
import { isExchange } from './heads.ts';

/** One decision: of a turn, or of a turn about what it may answer. */
export interface Row {
  values: Record<string, number>;
  positive: boolean;
  dialogue: string;
  turn: number;
}

export type Rows = Record<(typeof CONTEXT_MODELS)[number], Row[]>;

export const noRows = (): Rows => ({ accepted: [], rejected: [], shift: [], offer: [], objection: [] });

/** A turn as an utterance named by its number. */
export const spoken = (turn: number, speaker: string, text: string): Utterance => ({
  utterance_id: String(turn),
  speaker,
  t_start: turn,
  t_end: turn + 1,
  text,
});

/** Stored readings take the place of the encodings they were made from. */
export const UNUSED = new Float32Array(0);

/** Tells what was read in a dialogue before. */
export const storedReader = ({ turns, pairs }: UnseenReadings[string]): TurnReader =>
  new TurnReader({
    turn: ([turn]) => turns[turn!.index]!,
    pair: ([turn], back) => pairs[`${turn!.index} ${turn!.index - back}`]!,
  });

/**
 * Rows for the models that read in context, of dialogues that the loaded heads have not seen.
 * @param known what was read in them by networks that have not seen them; without it the rows are those of words alone
 * @param decide the context models of an earlier round: what stands in the context is then what they would have found,
 * as when a conversation is read; without them it is what is marked
 */
export function contextRows(dialogues: Dialogue[], known?: UnseenReadings, decide?: ContextWeights): Rows {
  const rows = noRows();
  for (const { id, turns } of dialogues) {
    const whole = !isExchange(id);
    const guess = whole ? decide : undefined;
    const reader = known ? storedReader(known[id]!) : new TurnReader();
    const offers = new OfferBook(reader);
    const memory = new TopicMemory();
    const context = new TalkContext();
    turns.forEach(({ speaker, text, moments = [] }, i) => {
      const acts = readActs(text);
      const u = spoken(i, speaker, text);
      const heard: Heard = { u, acts, reading: reader.read(u, known && UNUSED) };
      const { reading } = heard;
      const is = (c: MomentCategory): boolean => moments.some((m) => m.category === c);
      const finds = (model: keyof ContextWeights, values: Record<string, number>): boolean =>
        guess !== undefined && sigmoid(linear(guess[model], values)) >= guess[model].threshold;
      const row = (model: keyof ContextWeights, values: Record<string, number>, positive: boolean): void => {
        rows[model].push({ values, positive, dialogue: id, turn: i });
      };

      let settles: Settles = is('cta_accepted') ? 'accepted' : is('cta_rejected') ? 'rejected' : undefined;
      if (guess) settles = undefined;
      const readings = offers.read(heard);
      for (const { offer, read } of readings) {
        const made = offer.utterance.utterance_id;
        const answers = (c: MomentCategory): boolean =>
          moments.some((m) => m.category === c && String(m.answers) === made);
        row('accepted', read.values, answers('cta_accepted'));
        row('rejected', read.values, answers('cta_rejected'));
        if (!guess && (answers('cta_accepted') || answers('cta_rejected'))) offer.settledBy.add(speaker);
      }
      const found = guess && settling(readings, guess);
      if (found) {
        settles = found.accepted ? 'accepted' : 'rejected';
        readings[found.which]!.offer.settledBy.add(speaker);
      }

      const shift = withReading(memory.add(acts, settles), reading);
      if (whole && i >= WARM_UP) row('shift', shift, is('topic_shift'));
      if (i >= WARM_UP && (guess ? finds('shift', shift) : is('topic_shift'))) memory.shifted();
      const objects = context.objection(speaker, acts, settles, reading);
      if (whole) row('objection', objects, is('objection'));
      const proposes = context.offer(speaker, acts, settles, reading);
      if (whole) row('offer', proposes, is('cta_offered'));

      const best = strongest(acts, 'offer');
      const made = guess ? finds('offer', proposes) : is('cta_offered');
      if (best) {
        const opened = openOffer(u, best.sentence, decide ? linear(decide.offer, proposes) : best.logits.offer);
        if (made) opened.moment = { moment_id: String(i) } as MomentEvent;
        offers.keep(opened);
      }
      const categories: MomentCategory[] = [
        ...(settles ? [`cta_${settles}` as const] : []),
        ...(finds('objection', objects) ? ['objection' as const] : []),
        ...(made ? ['cta_offered' as const] : []),
      ];
      context.note(speaker, acts, guess ? categories : moments.map((m) => m.category));
    });
  }
  return rows;
}
