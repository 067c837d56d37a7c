/** Counts which recognisers transcribed the utterances of a recording. */
export class EngineTally {
  readonly #counts = new Map<string, number>();

  add(transcribedBy: string): void {
    this.#counts.set(transcribedBy, (this.#counts.get(transcribedBy) ?? 0) + 1);
  }

  /** Utterances by the id of the recogniser that transcribed them. */
  get transcribedBy(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** @param requested id of the requested recogniser */
  warnings(requested: string): string[] {
    const all = this.#counts.values().reduce((sum, count) => sum + count, 0);
    return [...this.#counts]
      .filter(([other]) => other !== requested)
      .map(
        ([other, count]) =>
          `${count} of ${all} utterances were transcribed by ${other} because ${requested} did not respond.`,
      );
  }
}
