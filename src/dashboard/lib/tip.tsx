import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { clamp } from './format.ts';

/**
 * The place of a tip: below the pointer, above it, where it covers nothing that it explains, or below it and to its left,
 * where it covers no panel at the right.
 */
type TipPlace = 'below' | 'above' | 'before';
const tip = signal<{ body: ComponentChildren; x: number; y: number; place: TipPlace } | undefined>(undefined);
const told = signal<{ text: string; undo: (() => void) | undefined }>({ text: '', undo: undefined });
let timer = 0;
/** Time for which a confirmation is shown, without and with an undo, ms. */
const SHOWN_MS = 2500;
const UNDOABLE_MS = 10_000;

export const showTip = (body: ComponentChildren, x: number, y: number, place: TipPlace = 'below'): void => {
  tip.value = { body, x, y, place };
};
export const hideTip = (): void => {
  tip.value = undefined;
};
/**
 * Shows a short confirmation, which screen readers also announce.
 * @param undo takes the confirmed act back; the confirmation then has a button for it
 */
export function say(text: string, undo?: () => void): void {
  told.value = { text, undo };
  clearTimeout(timer);
  timer = window.setTimeout(hush, undo ? UNDOABLE_MS : SHOWN_MS);
}
/** Error messages that are on the page. */
let troubles = 0;

/** Notes that an error message is on the page, in place of a passing one. @returns what ends this */
export function showTrouble(): () => void {
  troubles++;
  hush();
  return () => {
    troubles--;
  };
}

/** Says that a request is sent again, unless an error message on the page says what happened. */
export function sayRetry(text: string): void {
  if (troubles === 0) say(text);
}

const hush = (): void => {
  told.value = { text: '', undo: undefined };
};

/** Tooltips and the latest confirmation, which float above every page. */
export function Floating() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (e: KeyboardEvent): void => {
      const { undo: takeBack } = told.peek();
      const isPlain = !(e.ctrlKey || e.metaKey || e.altKey);
      if (e.key !== 'z' || !isPlain || !takeBack || (e.target as Element).closest('input, select, textarea, dialog'))
        return;
      hush();
      takeBack();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const shown = tip.value;
  const { text, undo } = told.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !shown) return;
    const { offsetWidth: w, offsetHeight: h } = element;
    const left = shown.place === 'before' ? shown.x - w : shown.x + 14;
    element.style.left = `${clamp(left, 8, innerWidth - w - 8)}px`;
    const isAbove = shown.place === 'above' || shown.y + 20 + h > innerHeight;
    element.style.top = `${Math.max(8, isAbove ? shown.y - h - 14 : shown.y + 20)}px`;
  });
  return (
    <>
      {shown && (
        <div class="tip" role="tooltip" ref={box}>
          {shown.body}
        </div>
      )}
      <div class={`tip status ${text ? '' : 'off'}`} role="status">
        {text}
        {undo && (
          <button
            type="button"
            class="btn"
            onClick={() => {
              hush();
              undo();
            }}
          >
            Undo
          </button>
        )}
      </div>
    </>
  );
}
