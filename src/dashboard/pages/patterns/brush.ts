/** The first and the last chosen column, by their place. The second is the one that Shift and an arrow move. */
export type Brush = readonly [anchor: number, end: number];

/**
 * A drag over neighbouring columns with one pointer: a mouse, a pen or a finger. A second finger ends it, since two fingers
 * zoom the page.
 */
export class ColumnDrag {
  #began: { pointer: number; column: number } | undefined;
  #brush: Brush | undefined;

  /** The columns so far; undefined while the pointer is where it began. */
  get brush(): Brush | undefined {
    return this.#brush;
  }

  get isDown(): boolean {
    return this.#began !== undefined;
  }

  /** @param column undefined if the pointer is beside the columns */
  begin(pointer: number, column: number | undefined): void {
    const isSecond = this.#began !== undefined;
    this.cancel();
    if (!isSecond && column !== undefined) this.#began = { pointer, column };
  }

  /** Whether the columns have changed. */
  moveTo(pointer: number, column: number | undefined): boolean {
    if (this.#began?.pointer !== pointer || column === undefined) return false;
    const { column: anchor } = this.#began;
    if (this.#brush === undefined ? column === anchor : column === this.#brush[1]) return false;
    this.#brush = [anchor, column];
    return true;
  }

  /** Ends the drag. @returns the chosen columns; undefined for a press, which is a click */
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
 * @param left of the first visible column
 * @param right of the sheet
 */
export const edgeScroll = (x: number, left: number, right: number): number =>
  x < left + EDGE.within ? -EDGE.step : x > right - EDGE.within ? EDGE.step : 0;
