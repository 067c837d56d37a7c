import { ServiceError } from '../../../contract/errors.ts';
import { MAX_CELLS, MEAN_FROM, type TrendCell, type TrendGroup, type TrendMark } from '../../../contract/trends.ts';
import { meanOf, quartilesOf, ratioOf } from './statistics.ts';
import type { GroupValues, Values } from './trend-groups.ts';
import type { Fraction } from './trend-shares.ts';

/** The sums over some conversations in one place. */
class Cell {
  readonly of: Values;
  readonly conversations: string[] = [];
  readonly #above: number[] = [];
  readonly #below: number[] = [];
  #unsure = 0;
  #outOf = 0;
  #unknown = 0;
  marks: TrendMark[] | undefined;

  constructor(of: Values) {
    this.of = of;
  }

  add(conversation: string, part: Fraction | null): void {
    if (!part) {
      this.#unknown++;
      return;
    }
    this.conversations.push(conversation);
    this.#above.push(part.above);
    this.#below.push(part.below);
    this.#unsure += part.unsure;
    this.#outOf += part.outOf;
  }

  get values(): number[] {
    return this.#above.map((above, i) => above / this.#below[i]!);
  }

  written(isRatio: boolean): TrendCell {
    const { values, conversations } = this;
    const hasMean = values.length >= MEAN_FROM;
    return {
      group: this.of,
      n: values.length,
      n_unknown: this.#unknown,
      sum: isRatio ? null : this.#above.reduce((sum, above) => sum + above, 0),
      unsure: this.#unsure,
      unsure_share: hasMean && this.#outOf > 0 ? Math.min(1, this.#unsure / this.#outOf) : null,
      mean: hasMean ? meanOf(values) : null,
      pooled: hasMean && isRatio ? ratioOf(this.#above, this.#below) : null,
      quartiles: hasMean ? quartilesOf(values) : null,
      values: hasMean ? null : conversations.map((id, i) => ({ conversation_id: id, value: values[i]! })),
      ...(this.marks && { marks: this.marks }),
    };
  }
}

/** The cells of an answer. */
export class Cells {
  readonly #groups: readonly TrendGroup[];
  readonly #cells = new Map<GroupValues, Map<string, Cell>>();
  #size = 0;

  constructor(groups: readonly TrendGroup[]) {
    this.#groups = groups;
  }

  /** The cell of a whole conversation's place and of a place that divides it. */
  at(whole: GroupValues, part: GroupValues): Cell {
    let cell = this.find(whole, part.key);
    if (!cell) {
      if (this.#size >= MAX_CELLS)
        throw new ServiceError('INVALID_REQUEST', `by: gives more than ${MAX_CELLS} cells; choose a shorter period`);
      const of = { ...whole.of, ...part.of };
      cell = new Cell(Object.fromEntries(this.#groups.map((group) => [group, of[group] ?? null])));
      const row = this.#cells.get(whole) ?? new Map<string, Cell>();
      this.#cells.set(whole, row.set(part.key, cell));
      this.#size++;
    }
    return cell;
  }

  find(whole: GroupValues, part: string): Cell | undefined {
    return this.#cells.get(whole)?.get(part);
  }

  /** By the value of each group; those without a value last. People are ordered by name. */
  inOrder(names: ReadonlyMap<string, string>): Cell[] {
    const shown = (cell: Cell, group: TrendGroup): string | null => {
      const value = cell.of[group] ?? null;
      return group === 'person' && value !== null ? `${names.get(value) ?? ''}\n${value}` : value;
    };
    return [...this.#cells.values()]
      .flatMap((row) => [...row.values()])
      .sort((a, b) => {
        for (const group of this.#groups) {
          const [one, other] = [shown(a, group), shown(b, group)];
          if (one === other) continue;
          if (one === null || other === null) return one === null ? 1 : -1;
          return one < other ? -1 : 1;
        }
        return 0;
      });
  }
}
