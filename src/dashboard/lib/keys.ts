/** Elements that handle Enter and Space themselves. */
const OWN_KEYS = 'button, a, summary';

/** The last clicked control, as long as it keeps the focus. It also matches `:focus-visible` once a key is pressed. */
let clicked: Element | null = null;

/** Whether an element, or one around it, is a control. */
export const isControl = (target: Element): boolean => target.closest(OWN_KEYS) !== null;

/** Whether Space presses the focused control. One that was clicked leaves Space to the player. */
export function handlesSpace(target: Element): boolean {
  const own = target.closest(OWN_KEYS);
  return own !== null && own !== clicked;
}

/**
 * Listens to the keys of the page, and tracks how the focused element got the focus.
 * @returns a function that stops listening
 */
export function listenToKeys(act: (e: KeyboardEvent) => void): () => void {
  const point = (e: PointerEvent): void => {
    clicked = (e.target as Element).closest(OWN_KEYS);
  };
  const focus = (e: FocusEvent): void => {
    if (e.target !== clicked) clicked = null;
  };
  document.addEventListener('pointerdown', point);
  document.addEventListener('focusin', focus);
  document.addEventListener('keydown', act);
  return () => {
    document.removeEventListener('pointerdown', point);
    document.removeEventListener('focusin', focus);
    document.removeEventListener('keydown', act);
  };
}
