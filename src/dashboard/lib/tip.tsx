import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { clamp } from './format.ts';

const tip = signal<{ body: ComponentChildren; x: number; y: number } | undefined>(undefined);
const told = signal('');
let timer = 0;

export const showTip = (body: ComponentChildren, x: number, y: number): void => {
  tip.value = { body, x, y };
};
export const hideTip = (): void => {
  tip.value = undefined;
};
/** Shows a short confirmation, which screen readers also announce. */
export function say(text: string): void {
  told.value = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    told.value = '';
  }, 2500);
}

/** Tooltips and the latest confirmation, which float above every page. */
export function Floating() {
  const box = useRef<HTMLDivElement>(null);
  const shown = tip.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !shown) return;
    const { offsetWidth: w, offsetHeight: h } = element;
    element.style.left = `${clamp(shown.x + 14, 8, innerWidth - w - 8)}px`;
    element.style.top = `${shown.y + 20 + h > innerHeight ? shown.y - h - 14 : shown.y + 20}px`;
  });
  return (
    <>
      {shown && (
        <div class="tip" role="tooltip" ref={box}>
          {shown.body}
        </div>
      )}
      <div class={`tip status ${told.value ? '' : 'off'}`} role="status">
        {told.value}
      </div>
    </>
  );
}
