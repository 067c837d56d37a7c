import { shortened } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import type { PageState } from './state.ts';
import { placeOf, type Thumb, type ThumbedKind } from './thumbs.ts';

const WORDS: readonly [Thumb, string][] = [
  ['up', 'Right'],
  ['down', 'Wrong'],
];

/** The rated item in the words of the tip. */
const RATED: Readonly<Record<ThumbedKind, string>> = {
  moment: 'this moment',
  utterance: 'these words and measures',
  line: 'this sentence',
};

/** Moves the focus between the two buttons, which are one stop of the Tab key. */
function move(e: KeyboardEvent): void {
  const other = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' } as const;
  const to = other[e.key as keyof typeof other];
  if (!to) return;
  ((e.target as Element).closest('button')?.[to] as HTMLElement | null)?.focus();
  // On the page, arrows move the recording.
  e.preventDefault();
  e.stopPropagation();
}

/** @param what describes the rated item, for screen readers */
export function ThumbButtons(p: { page: PageState; kind: ThumbedKind; on: string; what: string }) {
  const thumbs = p.page.thumbs.value;
  if (!thumbs) return null;
  const given = thumbs.given.value.get(placeOf(p.kind, p.on));
  return (
    <>
      {given === 'down' && ' '}
      {given === 'down' && <small class="wrong1">You said this is wrong</small>}{' '}
      <span
        class={`thumbs ${given ? 'given' : ''}`}
        role="toolbar"
        aria-label={`Rating of ${RATED[p.kind]}`}
        onKeyDown={move}
      >
        {WORDS.map(([thumb, word]) => (
          <button
            type="button"
            key={thumb}
            tabIndex={thumb === (given ?? 'up') ? 0 : -1}
            aria-pressed={given === thumb}
            aria-label={`${word}: ${shortened(p.what, 60)}`}
            title={`${word}: ${RATED[p.kind]}`}
            onClick={() => thumbs.give(p.kind, p.on, given === thumb ? undefined : thumb)}
          >
            <Icon name={thumb === 'up' ? 'thumbUp' : 'thumbDown'} size={15} />
          </button>
        ))}
      </span>
    </>
  );
}
