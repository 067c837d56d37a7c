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
/** ... and the smallest change in standard deviations of the speaker's typical variation (methods, section 10). */
const CHANGE_SD = 1.5;
/**
 * Fraction of the required change that the next utterance must still show, because smoothing alone undoes part of it.
 */
const HOLD = 0.8;
/** Spread assumed for a speaker without measures, and the number of utterances that this assumption counts for. */
const PRIOR_SD = 0.1;
const PRIOR_WEIGHT = 4;
/** Number of utterances after which a track has a state that can change. */
const WARM_UP = 2;
/** Minimum length of an utterance that shows its speaker's state, words. A back-channel shows nothing. */
const TELLING_WORDS = 3;
/** A dimension that changes by less than this does not count as a driver. */
const DRIVER_FLOOR = 0.02;
/** Number of utterances of evidence: the last one of the old state, and the first and second of the new one. */
const MAX_EVIDENCE = 3;
/**
 * Number of utterances after a speaker's change within which a change of the whole conversation counts as the same
 * change.
 */
const SAME_CHANGE_UTTERANCES = 8;

const DIMENSIONS = ['valence', 'arousal', 'engagement'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Running mean and spread of one dimension (Welford 1962), with the spread shrunk towards `PRIOR_SD`. */
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

/** A change that one utterance shows and the next must confirm. */
interface Candidate {
  /** Time of the utterance that shows the change, ms. */
  at_ms: number;
  to: AffectState;
  evidence: string[];
}

/** The smoothed affect of one speaker, or of the conversation, and the state in which it has settled. */
class Track {
  readonly speaker: string | undefined;
  #level: AffectLevel | undefined;
  #settled: { state: AffectState; level: AffectLevel; confidence: number } | undefined;
  #spread: Record<Dimension, Spread> = { valence: new Spread(), arousal: new Spread(), engagement: new Spread() };
  #candidate: Candidate | undefined;
  #confidence = 0;
  #seen = 0;
  #lastId = '';

  constructor(speaker: string | undefined) {
    this.speaker = speaker;
  }

  /**
   * @param nextId creates the id of a transition; called only when there is one
   * @returns the change that this utterance confirms
   */
  add(u: Utterance, reading: AffectMeasures, nextId: () => string): TransitionEvent | undefined {
    if (reading.valence === null && reading.arousal === null && reading.engagement === null) return undefined;
    const level = this.#advance(reading);
    const held = this.#step(u, level, nextId);
    this.#remember(u, reading);
    return held;
  }

  /** Follows the affect without reporting changes, because another track reports them. */
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

  #step(u: Utterance, level: AffectLevel, nextId: () => string): TransitionEvent | undefined {
    if (!this.#settled || this.#seen < WARM_UP) {
      this.#settled = { state: nameState(level), level, confidence: this.#confidence };
      return undefined;
    }
    const settled = this.#settled;
    const strength = this.#strength(settled.level, level);
    const candidate = this.#candidate;
    const state = nameState(level, candidate?.to ?? settled.state);
    const changed = strength >= (candidate ? HOLD : 1) && state !== settled.state;
    this.#candidate = undefined;
    if (candidate && changed) {
      const held = this.#event(candidate, level, state, strength, u.utterance_id, nextId());
      this.#settled = { state, level, confidence: this.#confidence };
      return held;
    }
    if (changed)
      this.#candidate = {
        at_ms: Math.round(u.t_start * 1000),
        to: state,
        evidence: this.#lastId ? [this.#lastId, u.utterance_id] : [u.utterance_id],
      };
    else if (!candidate) this.#settled.confidence = this.#confidence;
    return undefined;
  }

  #event(
    { at_ms, evidence }: Candidate,
    level: AffectLevel,
    state: AffectState,
    strength: number,
    lastId: string,
    transition_id: string,
  ): TransitionEvent {
    const before = this.#settled;
    return {
      transition_id,
      at_ms,
      from_state: before?.state ?? state,
      to_state: state,
      evidence_utterance_ids: [...evidence, lastId].slice(0, MAX_EVIDENCE),
      drivers: drivers(before?.level ?? level, level),
      confidence: this.#certainty(strength),
      stability: 'final',
      ...(this.speaker === undefined ? {} : { speaker_id: this.speaker }),
    };
  }

  /**
   * The largest change of a dimension, in units of the change that this speaker needs. It counts if it is at least 1.
   */
  #strength(from: AffectLevel, to: AffectLevel): number {
    return Math.max(
      ...DIMENSIONS.map((d) => Math.abs(to[d] - from[d]) / Math.max(MIN_CHANGE, CHANGE_SD * this.#spread[d].sd)),
    );
  }

  /** min(confidence before, after) (methods, section 10) x how far the change exceeded its threshold. */
  #certainty(strength: number): number {
    const before = this.#settled?.confidence ?? this.#confidence;
    const clear = 1 - Math.exp(-1.5 * strength);
    return Math.min(1, Math.max(0, Math.min(before, this.#confidence) * clear));
  }
}

/** Signed changes of the dimensions that moved by at least `DRIVER_FLOOR`. A drop is negative and a rise positive. */
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
 * Affective state transitions of every speaker and of the conversation as a whole (`speaker_id` absent). A change is
 * reported when two utterances on either side of it show it, each with at least `TELLING_WORDS`. It is reported at the
 * second utterance of the new state and dated by the first. Shorter utterances have no effect. A stream and the
 * findings therefore contain the same transitions, all of them `final`.
 */
export class TransitionDetector {
  readonly #conversationId: string;
  readonly #speakers = new Map<string, Track>();
  readonly #whole = new Track(undefined);
  readonly #events: TransitionEvent[] = [];
  #lastSpeakerChange = Number.NEGATIVE_INFINITY;
  #seen = 0;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** @returns the changes that this utterance confirms, at most one per track */
  add(u: Utterance): TransitionEvent[] {
    // An utterance with withheld affect does not move the conversation's track.
    if (isWithheld(u) || u.text.trim().split(/\s+/).length < TELLING_WORDS) return [];
    const reading = readAffect(u);
    let track = this.#speakers.get(u.speaker);
    if (!track) {
      track = new Track(u.speaker);
      this.#speakers.set(u.speaker, track);
    }
    const own = this.#keep(track.add(u, reading, this.#nextId));
    if (own) this.#lastSpeakerChange = this.#seen;
    // With only one speaker, both tracks follow the same person, and every change would be reported twice.
    const apart = this.#speakers.size > 1 && this.#seen - this.#lastSpeakerChange > SAME_CHANGE_UTTERANCES;
    const whole = apart ? this.#keep(this.#whole.add(u, reading, this.#nextId)) : this.#whole.follow(u, reading);
    this.#seen++;
    return [own, whole].filter((e) => e !== undefined);
  }

  /** Every transition so far, in order of time. */
  get transitions(): TransitionEvent[] {
    return this.#events.toSorted((a, b) => a.at_ms - b.at_ms);
  }

  #nextId = (): string => `${this.#conversationId}_trn_${this.#events.length}`;

  #keep(held: TransitionEvent | undefined): TransitionEvent | undefined {
    if (held) this.#events.push(held);
    return held;
  }
}
