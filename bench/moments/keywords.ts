import type { Utterance } from '../../src/contract/timeline.ts';
import type { MomentSource, ReportedMoment } from './scoring.ts';

/** The baseline: one short regular expression per act, a straightforward first attempt. */
const ACTS = {
  offer:
    /\b(i can (send|give|offer|get|call)|let me|do you want to|would you like|why don'?t (we|you|i)|how about|what (if|about)|shall (we|i)|should (we|i)|let'?s|we could|you (should|could|might want to|need to))\b/i,
  commitment: /\b(i'?ll|we'?ll|i will|we will|i'?m going to|i promise)\b/i,
  agreement:
    /^\W*((well|oh|um|uh|and|but),? )*(yeah|yes|yep|sure|okay|ok|right|exactly|sounds? (good|great|fair)|deal|agreed|i agree|absolutely|definitely|of course|perfect|that'?s (right|true|fine|great|good))\b/i,
  refusal:
    /(^\W*((well|oh|um|uh|yeah),? )*(no|nope|nah|not really)\b|\bi (don'?t|can'?t|cannot|won'?t|wouldn'?t) (think|believe|agree|accept|really|want)|\bnot (interested|for (me|us))|\bno thanks|\b(doesn'?t|won'?t) work\b)/i,
  objection:
    /\b(too (expensive|much|high|long|late|early|complicated)|expensive|budget|can'?t afford|no time|too busy|not sure|worried|concern(ed)?|problem is|don'?t need|already (have|use)|unfortunately|cheaper|don'?t trust)\b/i,
} as const;
const TOPIC =
  /\b(by the way|moving on|next (item|topic|point|thing)|another thing|speaking of|before i forget|let'?s (talk about|move on|turn to)|anyway)\b/i;

export type KeywordAct = keyof typeof ACTS;

export function keywordActs(text: string): Set<KeywordAct> {
  return new Set((Object.keys(ACTS) as KeywordAct[]).filter((a) => ACTS[a].test(text)));
}

/** Number of the other side's turns within which a keyword answer counts as the answer to the last keyword offer. */
const ANSWER_TURNS = 3;

/** Moments by keywords alone. */
export class KeywordTeller implements MomentSource {
  #offer: { id: string; speaker: string; turns: number } | undefined;
  #last = '';
  #n = 0;

  add(u: Utterance): { moments: ReportedMoment[] } {
    const acts = keywordActs(u.text);
    const offer = this.#offer;
    if (offer && u.speaker !== offer.speaker && u.speaker !== this.#last) offer.turns++;
    this.#last = u.speaker;
    const found: ReportedMoment[] = [];
    const id = (): string => `k${this.#n++}`;
    if (TOPIC.test(u.text))
      found.push({ moment_id: id(), category: 'topic_shift', labels: [], utterance_ids: [u.utterance_id] });
    if (acts.has('objection'))
      found.push({ moment_id: id(), category: 'objection', labels: [], utterance_ids: [u.utterance_id] });
    if (offer && offer.speaker !== u.speaker && offer.turns <= ANSWER_TURNS) {
      const category = acts.has('refusal') ? 'cta_rejected' : acts.has('agreement') ? 'cta_accepted' : undefined;
      if (category) {
        found.push({ moment_id: id(), category, answers: offer.id, labels: [], utterance_ids: [u.utterance_id] });
        this.#offer = undefined;
      }
    }
    if (acts.has('offer')) {
      const moment_id = id();
      found.push({ moment_id, category: 'cta_offered', labels: [], utterance_ids: [u.utterance_id] });
      this.#offer = { id: moment_id, speaker: u.speaker, turns: 0 };
    }
    return { moments: found };
  }
}
