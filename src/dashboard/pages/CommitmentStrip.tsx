import { daysAfter, mondayOf } from '../../sdk/days.ts';
import type { CommitmentEntry } from '../../sdk/wire.ts';
import { shortDate, shortened } from '../lib/format.ts';

/** Days of the strip, and the days before today's week that it begins with. */
const STRIP_WEEKS = 7;
const STRIP_BEFORE_DAYS = 14;
/** Marks of one day that the strip draws. */
const MOST_MARKS = 5;

/** Seven weeks with a mark for each commitment on the day it is due: solid where the day has passed, hollow where it has not. */
export function CommitmentStrip({
  commitments,
  today,
  undated,
}: {
  commitments: readonly CommitmentEntry[];
  today: string;
  undated: number;
}) {
  const first = daysAfter(mondayOf(today), -STRIP_BEFORE_DAYS);
  const weeks = Array.from({ length: STRIP_WEEKS }, (_, i) => daysAfter(first, 7 * i));
  const onDay = (day: string) => commitments.filter(({ due }) => due?.date === day);
  const shown = weeks.map((monday) => Array.from({ length: 7 }, (_, i) => onDay(daysAfter(monday, i))));
  if (shown.flat(2).length === 0) return null;
  const goTo = (entries: readonly CommitmentEntry[]): void => {
    const [one] = entries;
    const name = one && `Play: ${shortened(one.deed, 60)}`;
    const button = [...document.querySelectorAll<HTMLElement>('.owed .play')].find(
      (element) => element.getAttribute('aria-label') === name,
    );
    button?.focus();
    button?.scrollIntoView({ block: 'center' });
  };
  return (
    <section class="card days" aria-label="Commitments by the day they are due">
      <p>
        <b>By the day they are due</b>
        <small>each mark: one commitment</small>
        <small>solid: the day has passed · hollow: to come · bar: today</small>
        {undated > 0 && <small>{undated} more have no day</small>}
      </p>
      <div class="weeks1">
        {weeks.map((monday, week) => {
          const count = shown[week]!.flat().length;
          return (
            <button
              key={monday}
              type="button"
              disabled={count === 0}
              aria-label={`Week of ${shortDate(monday)}: ${count}`}
              onClick={() => goTo(shown[week]!.flat())}
            >
              <small>{shortDate(monday)}</small>
              <span class="marks1" aria-hidden="true">
                {shown[week]!.map((entries, i) => {
                  const day = daysAfter(monday, i);
                  return (
                    <span key={day} class={day === today ? 'today' : ''}>
                      {entries.slice(0, MOST_MARKS).map(({ commitment_id }) => (
                        <i key={commitment_id} class={day < today ? '' : 'hol'} />
                      ))}
                      {entries.length > MOST_MARKS && <small>+{entries.length - MOST_MARKS}</small>}
                    </span>
                  );
                })}
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
