import type { Signal } from '@preact/signals';

/** The question that an analysis answers. */
export function GoalField({ goal, placeholder }: { goal: Signal<string>; placeholder?: string }) {
  return (
    <label class="field">
      <span>
        What do you want to know? <span class="muted">optional</span>
      </span>
      <input
        class="inp"
        type="text"
        maxLength={500}
        placeholder={placeholder}
        value={goal.value}
        onInput={(e) => {
          goal.value = e.currentTarget.value;
        }}
      />
    </label>
  );
}
