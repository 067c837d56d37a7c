import { MOMENT_CATEGORIES, type MomentCategory } from '../../../sdk/wire.ts';
import { isUnsure } from '../../lib/format.ts';
import type { MomentPin } from '../model.ts';

/** Up to this number, moments are listed in order of time, without groups. */
export const MOST_UNGROUPED = 12;

/** The moments of one kind, in order of time. An answer stays with the offer that it settles. */
export interface MomentGroup {
  category: MomentCategory;
  /** Those that are sure or likely, or have an answer that is. */
  sure: MomentPin[];
  unsure: MomentPin[];
  /** Number of answers of other kinds below them. */
  answers: number;
}

const isUnsurePin = ({ moment, answers }: MomentPin): boolean =>
  isUnsure(moment.confidence) && answers.every(isUnsurePin);

/** Groups moments by kind, in the order of the contract. */
export function groupsOf(pins: readonly MomentPin[]): MomentGroup[] {
  const byCategory = Map.groupBy(
    pins.filter(({ offer }) => !offer),
    ({ category }) => category,
  );
  return MOMENT_CATEGORIES.flatMap(({ name: category }) => {
    const heads = byCategory.get(category);
    if (!heads) return [];
    return {
      category,
      sure: heads.filter((pin) => !isUnsurePin(pin)),
      unsure: heads.filter(isUnsurePin),
      answers: heads.reduce((sum, { answers }) => sum + answers.length, 0),
    };
  });
}
