/** Praat's costs, from Boersma (1993) with the defaults of `To Pitch (ac)`. */
const OCTAVE_COST = 0.01;
const OCTAVE_JUMP_COST = 0.35;
const VOICED_UNVOICED_COST = 0.14;

/** Limit on the candidates of a frame. The first candidate is voicelessness. */
export const MAX_CANDIDATES = 15;

/** Pitch candidates of every frame, in arrays that grow and are reused. */
export class PitchCandidates {
  /**
   * log2 of the frequency in Hz, and strength from 0 to 1. Each frame has MAX_CANDIDATES of them, the first being
   * voicelessness.
   */
  logFrequency = new Float64Array(0);
  strength = new Float64Array(0);
  count = new Uint8Array(0);
  unvoicedStrength = new Float64Array(0);
  #from = new Uint8Array(0);
  #score = [new Float64Array(MAX_CANDIDATES), new Float64Array(MAX_CANDIDATES)] as const;

  /** Resets to `frames` frames that each have only voicelessness. */
  reset(frames: number): void {
    if (this.count.length < frames) {
      const room = Math.ceil(frames * 1.5);
      this.logFrequency = new Float64Array(room * MAX_CANDIDATES);
      this.strength = new Float64Array(room * MAX_CANDIDATES);
      this.count = new Uint8Array(room);
      this.unvoicedStrength = new Float64Array(room);
      this.#from = new Uint8Array(room * MAX_CANDIDATES);
    }
    this.count.fill(1, 0, frames);
  }

  /** Adds a candidate to a frame. In a full frame, it replaces the weakest candidate if that is weaker. */
  add(frame: number, logFrequency: number, strength: number): void {
    const first = frame * MAX_CANDIDATES;
    let index = this.count[frame]!;
    if (index < MAX_CANDIDATES) this.count[frame] = index + 1;
    else {
      let weakest = Number.POSITIVE_INFINITY;
      for (let i = 1; i < MAX_CANDIDATES; i++) {
        const value = this.strength[first + i]! + OCTAVE_COST * this.logFrequency[first + i]!;
        if (value < weakest) {
          weakest = value;
          index = i;
        }
      }
      if (strength + OCTAVE_COST * logFrequency <= weakest) return;
    }
    this.logFrequency[first + index] = logFrequency;
    this.strength[first + index] = strength;
  }

  /**
   * The path through the candidates with the least cost (Viterbi).
   * @param ceilingHz candidates above it count as voiceless.
   * @param stepS seconds between frames; the costs are defined for 10 ms.
   * @param frequencyHz receives the path; 0 = voiceless.
   * @param strength receives the autocorrelation at the pitch, 0 = voiceless.
   */
  path(frames: number, ceilingHz: number, stepS: number, frequencyHz: Float64Array, strength: Float64Array): void {
    if (frames === 0) return;
    const logCeiling = Math.log2(ceilingHz);
    const jump = (OCTAVE_JUMP_COST * 0.01) / stepS;
    const change = (VOICED_UNVOICED_COST * 0.01) / stepS;
    const log = this.logFrequency;
    let [before, now] = this.#score;
    for (let frame = 0; frame < frames; frame++) {
      const first = frame * MAX_CANDIDATES;
      const count = this.count[frame]!;
      const earlier = frame === 0 ? 0 : this.count[frame - 1]!;
      const earlierFirst = first - MAX_CANDIDATES;
      for (let i = 0; i < count; i++) {
        const voiced = i > 0 && log[first + i]! < logCeiling;
        const local = voiced
          ? this.strength[first + i]! - OCTAVE_COST * (logCeiling - log[first + i]!)
          : this.unvoicedStrength[frame]!;
        let best = earlier === 0 ? 0 : Number.NEGATIVE_INFINITY;
        let from = 0;
        for (let j = 0; j < earlier; j++) {
          const wasVoiced = j > 0 && log[earlierFirst + j]! < logCeiling;
          const cost =
            wasVoiced !== voiced ? change : voiced ? jump * Math.abs(log[earlierFirst + j]! - log[first + i]!) : 0;
          const value = before[j]! - cost;
          if (value > best) {
            best = value;
            from = j;
          }
        }
        now[i] = best + local;
        this.#from[first + i] = from;
      }
      [before, now] = [now, before];
    }
    let at = 0;
    for (let i = 1; i < this.count[frames - 1]!; i++) if (before[i]! > before[at]!) at = i;
    for (let frame = frames - 1; frame >= 0; frame--) {
      const index = frame * MAX_CANDIDATES + at;
      const voiced = at > 0 && log[index]! < logCeiling;
      frequencyHz[frame] = voiced ? 2 ** log[index]! : 0;
      strength[frame] = voiced ? this.strength[index]! : 0;
      at = this.#from[index]!;
    }
  }
}
