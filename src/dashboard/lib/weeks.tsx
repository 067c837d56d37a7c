/** The choice of how many weeks a page looks back on, and of one of them. */

const WEEKS = [4, 8, 13, 26] as const;
export const USUAL_WEEKS = 8;

export interface WeekFilters {
  weeks: number;
  /** The Monday of one week. Empty: all weeks. */
  week: string;
}

/** The choice in an address. Other values are left out. */
export function weeksIn({ weeks = '', week = '' }: Readonly<Record<string, string>>): WeekFilters {
  const count = Number(weeks);
  return {
    weeks: WEEKS.some((one) => one === count) ? count : USUAL_WEEKS,
    week: /^\d{4}-\d\d-\d\d$/.test(week) ? week : '',
  };
}

export function WeeksChoice({ weeks, choose }: { weeks: number; choose: (chosen: WeekFilters) => void }) {
  return (
    <select
      class="pill"
      aria-label="Weeks"
      value={String(weeks)}
      onChange={(e) => choose({ weeks: Number(e.currentTarget.value), week: '' })}
    >
      {WEEKS.map((count) => (
        <option key={count} value={String(count)}>
          last {count} weeks
        </option>
      ))}
    </select>
  );
}
