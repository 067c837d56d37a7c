interface WeeksChoiceProps {
  weeks: number;
  choices: readonly number[];
  choose: (weeks: number) => void;
  /** The choice in words. */
  nameOf?: (weeks: number) => string;
}

/** The choice of how far a page looks back. */
export function WeeksChoice({ weeks, choices, choose, nameOf = (count) => `last ${count} weeks` }: WeeksChoiceProps) {
  return (
    <select
      class="pill"
      aria-label="Period"
      value={String(weeks)}
      onChange={(e) => choose(Number(e.currentTarget.value))}
    >
      {choices.map((count) => (
        <option key={count} value={String(count)}>
          {nameOf(count)}
        </option>
      ))}
    </select>
  );
}
