import type { AffectState, Drivers, TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import {
  type AffectLevel,
  type AffectMeasures,
  isWithheld,
  NEUTRAL_LEVEL,
  nameState,
  readAffect,
  smooth,
} from './states.ts';

/** Weight of the newest utterance in the smoothed level (methods: EWMA .4). */
const SMOOTHING = 0.4;
/** Smallest change of a smoothed dimension that can be a transition (methods, section 10). */
const MIN_CHANGE = 0.15;
/** ... and in standard deviations of the speaker's usual variation (methods, section 10). */
const CHANGE_SD = 1.5;
/** Share of the required change that the next utterance must still show: smoothing alone reverts part of it. */
const HOLD = 0.8;
/** Spread assumed for a speaker without measures, and the number of utterances that this assumption weighs. */
const PRIOR_SD = 0.1;
const PRIOR_WEIGHT = 4;
/** Utterances before a track has a state that can change. */
const WARM_UP = 2;
/** Confidence of a change seen once, against one that held for two utterances. */
const PROVISIONAL_PERSISTENCE = 0.6;
/** A dimension that changes by less than this is not a driver. */
const DRIVER_FLOOR = 0.02;
/** Utterances of evidence: the last of the old state, the first and second of the new one. */
const MAX_EVIDENCE = 3;
/** Utterances after a speaker's change within which a change of the whole conversation counts as the same change. */
const SAME_CHANGE_UTTERANCES = 8;

const DIMENSIONS = ['valence', 'arousal', 'engagement'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Running mean and spread of one dimension (Welford 1962), shrunk towards `PRIOR_SD`. */
class Spread {
  #n = 0;
  #mean = 0;
  #m2 = 0;
  add(x: number): void {
    const d = x - this.#mean;
    this.#mean += d / ++this.#n;
    this.#m2 += d * (x - this.#mean);
  }
  get sd(): number {
    return Math.sqrt((this.#m2 + PRIOR_WEIGHT * PRIOR_SD ** 2) / (this.#n + PRIOR_WEIGHT));
  }
}

/** The outcome of one utterance on a track: a change that now shows, or an earlier one that now holds. */
interface Step {
  shown?: TransitionEvent;
  confirmed?: TransitionEvent;
}

/** The smoothed affect of one speaker, or of the conversation, and the state it has settled in. */
class Track {
  readonly speaker: string | undefined;
  #level: AffectLevel | undefined;
  #settled: { state: AffectState; level: AffectLevel; confidence: number } | undefined;
  #spread: Record<Dimension, Spread> = { valence: new Spread(), arousal: new Spread(), engagement: new Spread() };
  #candidate: TransitionEvent | undefined;
  #confidence = 0;
  #seen = 0;
  #lastId = '';

  constructor(speaker: string | undefined) {
    this.speaker = speaker;
  }

  /** @param nextId makes the id of a transition; called only when there is one */
  add(u: Utterance, reading: AffectMeasures, nextId: () => string): Step {
    if (reading.valence === null && reading.arousal === null && reading.engagement === null) return {};
    const level = this.#advance(reading);
    const step = this.#step(u, level, nextId);
    this.#remember(u, reading);
    return step;
  }

  /** Follows the affect without reporting: another track reports any change here. */
  follow(u: Utterance, reading: AffectMeasures): undefined {
    const level = this.#advance(reading);
    this.#settled = { state: nameState(level), level, confidence: this.#confidence };
    this.#candidate = undefined;
    this.#remember(u, reading);
  }

  #advance(reading: AffectMeasures): AffectLevel {
    const first = this.#level === undefined;
    this.#level = smooth(this.#level ?? NEUTRAL_LEVEL, reading, first ? 1 : SMOOTHING);
    this.#confidence += (first ? 1 : SMOOTHING) * (reading.confidence - this.#confidence);
    return this.#level;
  }

  #remember(u: Utterance, reading: AffectMeasures): void {
    for (const d of DIMENSIONS) if (reading[d] !== null) this.#spread[d].add(reading[d]);
    this.#seen++;
    this.#lastId = u.utterance_id;
  }

  #step(u: Utterance, level: AffectLevel, nextId: () => string): Step {
    if (!this.#settled || this.#seen < WARM_UP) {
      this.#settled = { state: nameState(level), level, confidence: this.#confidence };
      return {};
    }
    const settled = this.#settled;
    const strength = this.#strength(settled.level, level);
    const state = nameState(level, this.#candidate?.to_state ?? settled.state);
    const candidate = this.#candidate;
    const changed = strength >= (candidate ? HOLD : 1) && state !== settled.state;
    this.#candidate = undefined;
    if (candidate && changed) {
      const confirmed = this.#event(candidate, level, state, strength, u.utterance_id);
      this.#settled = { state, level, confidence: this.#confidence };
      return { confirmed };
    }
    if (!changed) {
      if (!candidate) this.#settled.confidence = this.#confidence;
      return {};
    }
    const shown: TransitionEvent = {
      transition_id: nextId(),
      at_ms: Math.round(u.t_start * 1000),
      from_state: settled.state,
      to_state: state,
      evidence_utterance_ids: this.#lastId ? [this.#lastId, u.utterance_id] : [u.utterance_id],
      drivers: drivers(settled.level, level),
      confidence: this.#certainty(strength, PROVISIONAL_PERSISTENCE),
      stability: 'provisional',
      ...(this.speaker === undefined ? {} : { speaker_id: this.speaker }),
    };
    this.#candidate = shown;
    return { shown };
  }

  #event(
    first: TransitionEvent,
    level: AffectLevel,
    state: AffectState,
    strength: number,
    id: string,
  ): TransitionEvent {
    return {
      ...first,
      to_state: state,
      evidence_utterance_ids: [...first.evidence_utterance_ids, id].slice(0, MAX_EVIDENCE),
      drivers: drivers(this.#settled?.level ?? level, level),
      confidence: this.#certainty(strength, 1),
      stability: 'final',
    };
  }

  /** The largest change of a dimension, in units of the change that this speaker needs: from 1 on it counts. */
  #strength(from: AffectLevel, to: AffectLevel): number {
    return Math.max(
      ...DIMENSIONS.map((d) => Math.abs(to[d] - from[d]) / Math.max(MIN_CHANGE, CHANGE_SD * this.#spread[d].sd)),
    );
  }

  /** min(confidence before, after) x persistence (methods, section 10) x how far the change passed its threshold. */
  #certainty(strength: number, persistence: number): number {
    const before = this.#settled?.confidence ?? this.#confidence;
    const clear = 1 - Math.exp(-1.5 * strength);
    return Math.min(1, Math.max(0, Math.min(before, this.#confidence) * persistence * clear));
  }
}

/** Signed deltas of what moved by at least `DRIVER_FLOOR`; a drop is negative, a rise positive. */
function drivers(from: AffectLevel, to: AffectLevel): Drivers {
  const result: Drivers = {};
  const valence = round(to.valence - from.valence);
  const arousal = round(to.arousal - from.arousal);
  const engagement = round(to.engagement - from.engagement);
  if (valence <= -DRIVER_FLOOR) result.valence_drop = valence;
  if (valence >= DRIVER_FLOOR) result.valence_rise = valence;
  if (arousal <= -DRIVER_FLOOR) result.arousal_drop = arousal;
  if (arousal >= DRIVER_FLOOR) result.arousal_rise = arousal;
  if (Math.abs(engagement) >= DRIVER_FLOOR) result.engagement_delta = engagement;
  return result;
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

/**
 * Affective state transitions of every speaker and of the conversation as a whole (`speaker_id` absent).
 *
 * A change is reported as `provisional` with the utterance that shows it. When the same speaker's next utterance still
 * shows it, the findings hold it as `final` under the same id, with the drivers and the state of that second utterance;
 * a change that did not hold stays `provisional`, so the findings contain every id that a stream has sent.
 */
export class TransitionDetector {
  readonly #conversationId: string;
  readonly #speakers = new Map<string, Track>();
  readonly #whole = new Track(undefined);
  readonly #events = new Map<string, TransitionEvent>();
  #lastSpeakerChange = Number.NEGATIVE_INFINITY;
  #seen = 0;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** @returns the changes that this utterance newly shows, at most one per track, `provisional` */
  add(u: Utterance): TransitionEvent[] {
    // An utterance with withheld affect does not move the conversation's track.
    if (isWithheld(u)) return [];
    const reading = readAffect(u);
    let track = this.#speakers.get(u.speaker);
    if (!track) {
      track = new Track(u.speaker);
      this.#speakers.set(u.speaker, track);
    }
    const own = this.#keep(track.add(u, reading, this.#nextId));
    if (own) this.#lastSpeakerChange = this.#seen;
    // With one speaker, the conversation is that speaker; and a speaker's change moves the whole by itself.
    const apart = this.#speakers.size > 1 && this.#seen - this.#lastSpeakerChange > SAME_CHANGE_UTTERANCES;
    const whole = apart ? this.#keep(this.#whole.add(u, reading, this.#nextId)) : this.#whole.follow(u, reading);
    this.#seen++;
    return [own, whole].filter((e) => e !== undefined);
  }

  /** Every transition so far, in order of time. */
  get transitions(): TransitionEvent[] {
    return [...this.#events.values()].sort((a, b) => a.at_ms - b.at_ms);
  }

  #nextId = (): string => `${this.#conversationId}_trn_${this.#events.size}`;

  #keep({ shown, confirmed }: Step): TransitionEvent | undefined {
    if (confirmed) this.#events.set(confirmed.transition_id, confirmed);
    if (shown) this.#events.set(shown.transition_id, shown);
    return shown;
  }
}
