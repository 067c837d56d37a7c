/** The first and the last chosen week, by their place. The second is the one that Shift and an arrow move. */
export type Brush = readonly [anchor: number, end: number];

/**
 * A drag over neighbouring weeks with one pointer: a mouse, a pen or a finger. A second finger ends it, since two fingers
 * zoom the page.
 */
export class WeekDrag {
  #began: { pointer: number; week: number } | undefined;
  #brush: Brush | undefined;

  /** The weeks so far; undefined while the pointer is where it began. */
  get brush(): Brush | undefined {
    return this.#brush;
  }

  get isDown(): boolean {
    return this.#began !== undefined;
  }

  /** @param week undefined if the pointer is beside the weeks */
  begin(pointer: number, week: number | undefined): void {
    const isSecond = this.#began !== undefined;
    this.cancel();
    if (!isSecond && week !== undefined) this.#began = { pointer, week };
  }

  /** Whether the weeks have changed. */
  moveTo(pointer: number, week: number | undefined): boolean {
    if (this.#began?.pointer !== pointer || week === undefined) return false;
    const { week: anchor } = this.#began;
    if (this.#brush === undefined ? week === anchor : week === this.#brush[1]) return false;
    this.#brush = [anchor, week];
    return true;
  }

  /** Ends the drag. @returns the chosen weeks; undefined for a press, which is a click */
  end(pointer: number): Brush | undefined {
    const chosen = this.#began?.pointer === pointer ? this.#brush : undefined;
    this.cancel();
    return chosen;
  }

  cancel(): void {
    this.#began = undefined;
    this.#brush = undefined;
  }
}

/** The distance from the edge at which a drag scrolls the sheet, and how far each time, px. */
const EDGE = { within: 24, step: 12 };

/**
 * How far a sheet that is wider than the screen scrolls sideways while a drag is at its edge, px.
 *
 * @param x of the pointer
 * @param left of the first visible week
 * @param right of the sheet
 */
export const edgeScroll = (x: number, left: number, right: number): number =>
  x < left + EDGE.within ? -EDGE.step : x > right - EDGE.within ? EDGE.step : 0;
