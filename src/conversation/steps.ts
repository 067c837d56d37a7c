/**
 * Work that is divided into steps is a generator. Other work of the same thread runs between the steps, so a step should
 * take well under 100 ms.
 */

/** Characters of text that are read in one step. */
export const STEP_CHARS = 50_000;

/** Runs steps to their end without a break. */
export function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
