import type { MomentCategory, MomentEvent } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { type LinearWeights, linear, sigmoid } from '../../../src/conversation/dialogue-acts/act-model.ts';
import { readActs } from '../../../src/conversation/dialogue-acts.ts';
import { readAnswer } from '../../../src/conversation/moments/answers.ts';
import { type Settles, strongest, TalkContext } from '../../../src/conversation/moments/context.ts';
import { OBJECTION_PROBABILITY } from '../../../src/conversation/moments/objections.ts';
import {
  OFFER_PROBABILITY,
  openOffer,
  SETTLED,
  SETTLED_TENTATIVE,
  TENTATIVE_PROBABILITY,
} from '../../../src/conversation/moments/offers.ts';
import type { OpenOffer } from '../../../src/conversation/moments/open-offer.ts';
import { TopicMemory } from '../../../src/conversation/moments/topic-shifts.ts';
import type { Dialogue } from './corpus.ts';

export type Row = { values: Record<string, number>; positive: boolean; text: string };

export const CONTEXT_MODELS = ['accepted', 'rejected', 'shift', 'offer', 'objection'] as const;

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

export type ContextWeights = Record<(typeof CONTEXT_MODELS)[number], LinearWeights>;

/**
 * Rows for the models that read in context, of dialogues that the loaded heads have not seen.
 * @param decide the context models of an earlier round: what stands in the context is then what they would have found,
 * as when a conversation is read; without them it is what is marked
 */
export function contextRows(dialogues: Dialogue[], decide?: ContextWeights): Rows {
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
      const acts = readActs(text);
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

      const shift = memory.add(acts, settles);
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
