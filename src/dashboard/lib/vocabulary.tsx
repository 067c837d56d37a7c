import type { TargetedEvent } from 'preact';

/** The names and terms of a vocabulary field, which has one per line. */
export const wordsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Asks for names and terms that the recogniser should know. */
export function VocabularyField(p: {
  /** The place where the words are spoken, such as `in this recording`. */
  where: string;
  class?: string;
  isOptional?: boolean;
  placeholder?: string;
  value?: string;
  defaultValue?: string;
  onInput?: (text: string) => void;
}) {
  const { onInput } = p;
  return (
    <label class={`field ${p.class ?? ''}`}>
      <span>Vocabulary {p.isOptional && <span class="muted">optional</span>}</span>
      <textarea
        class="inp"
        name="words"
        rows={2}
        dir="auto"
        placeholder={p.placeholder}
        value={p.value}
        defaultValue={p.defaultValue}
        onInput={onInput && ((e: TargetedEvent<HTMLTextAreaElement>) => onInput(e.currentTarget.value))}
      />
      <small>
        Names and terms that may be spoken {p.where}, one per line, in their correct spelling. They are then recognised
        more easily.
      </small>
    </label>
  );
}
