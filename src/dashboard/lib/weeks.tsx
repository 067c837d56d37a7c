import { WEEKS } from '../../sdk/page-filters.ts';

/** The choice of how many weeks a page looks back on. */
export function WeeksChoice({ weeks, choose }: { weeks: number; choose: (weeks: number) => void }) {
  return (
    <select
      class="pill"
      aria-label="Weeks"
      value={String(weeks)}
      onChange={(e) => choose(Number(e.currentTarget.value))}
    >
      {WEEKS.map((count) => (
        <option key={count} value={String(count)}>
          last {count} weeks
        </option>
      ))}
    </select>
  );
}
