import type { Signal } from '@preact/signals';
import '../style/pills.css';
import '../style/who-is-recorded.css';

/** The answers. With `5+`, the service determines the number. */
const COUNTS = ['Find out', '1', '2', '3', '4', '5+'] as const;
export type CountAnswer = (typeof COUNTS)[number];

/** The number of speakers that an answer states. Undefined: the service determines it. */
export function speakersIn(answer: CountAnswer): number | undefined {
  const speakers = Number(answer);
  return Number.isInteger(speakers) ? speakers : undefined;
}

/** @param more advice that applies here alone */
export function SpeakerCount({ count, more = '' }: { count: Signal<CountAnswer>; more?: string }) {
  return (
    <fieldset class="who1 count1">
      <legend>How many people speak?</legend>
      <div class="seg">
        {COUNTS.map((name) => (
          <button type="button" key={name} aria-pressed={count.value === name} onClick={() => (count.value = name)}>
            {name}
          </button>
        ))}
      </div>
      <small class="muted">Set this if you know it: the number is hard to detect. {more}</small>
    </fieldset>
  );
}
