import type { PageState } from './state.ts';

/** Keyboard actions beyond the page's own state. */
export interface KeyActions {
  openKeyMap: () => void;
  copyLink: () => void;
}

const FIELDS = 'input, select, textarea, dialog, [contenteditable], [role="menu"]';
/** Elements that handle Enter and Space themselves. */
const OWN_KEYS = 'button, a, summary';

/** The last clicked control, as long as it keeps the focus. It also matches `:focus-visible` once a key is pressed. */
let clicked: Element | null = null;

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

/** Keyboard control of the page. Single keys have no effect while a field has the focus. */
export function onKey(page: PageState, hands: KeyActions, isOn: boolean, e: KeyboardEvent): void {
  const target = e.target as Element;
  if (target.closest(FIELDS) || e.ctrlKey || e.metaKey || e.altKey) return;
  const { player } = page;
  const own = target.closest(OWN_KEYS);
  const always: Record<string, () => void> = {
    ArrowRight: () => player.seek(player.time.peek() + (e.shiftKey ? 1 : 5)),
    ArrowLeft: () => player.seek(player.time.peek() - (e.shiftKey ? 1 : 5)),
    ArrowDown: () => line(page, 1),
    ArrowUp: () => line(page, -1),
    Home: () => page.goTo(0),
    End: () => page.goTo(page.conversation.duration),
    Escape: () => {
      page.select(undefined);
      if (page.tab.peek() === 'people') page.tab.value = 'transcript';
    },
  };
  // After a click on a control, Space still plays or pauses the recording.
  if (!own || own === clicked) always[' '] = () => player.toggle();
  if (!own)
    always.Enter = () =>
      page.select(page.selected.peek() === undefined ? Math.max(0, player.current.peek()) : undefined);
  const single: Record<string, () => void> = {
    j: () => line(page, 1),
    k: () => line(page, -1),
    m: () => moment(page, 1),
    M: () => moment(page, -1),
    p: () => phase(page, 1),
    P: () => phase(page, -1),
    '/': () => document.getElementById('search')?.focus(),
    f: () => {
      page.follows.value = true;
      page.show(player.current.peek());
    },
    u: () => {
      page.showsUnsure.value = !page.showsUnsure.peek();
    },
    ']': () => player.faster(1),
    '[': () => player.faster(-1),
    '+': () => page.zoom(0.6),
    '=': () => page.zoom(0.6),
    '-': () => page.zoom(1 / 0.6),
    c: hands.copyLink,
    '?': hands.openKeyMap,
  };
  const speaker = Number(e.key) - 1;
  const act =
    always[e.key] ??
    (isOn
      ? (single[e.key] ?? (speaker in page.conversation.labels ? () => page.toggleSolo(speaker) : undefined))
      : undefined);
  if (!act) return;
  act();
  e.preventDefault();
}

function line(page: PageState, by: 1 | -1): void {
  const selected = page.selected.peek();
  if (selected === undefined) {
    if (by > 0) page.player.on();
    else page.player.back();
    page.show(page.player.current.peek());
    return;
  }
  const next = page.conversation.lines[selected + by];
  if (!next) return;
  page.select(next.index);
  page.show(next.index);
}

function moment(page: PageState, by: 1 | -1): void {
  const t = page.player.time.peek();
  const { pins } = page.conversation;
  const pin = by > 0 ? pins.find(({ at }) => at > t + 0.3) : pins.findLast(({ at }) => at < t - 0.6);
  if (pin) page.goToMoment(pin);
}

function phase(page: PageState, by: 1 | -1): void {
  const t = page.player.time.peek();
  const { phases } = page.conversation;
  const found = by > 0 ? phases.find(({ start }) => start > t + 0.3) : phases.findLast(({ start }) => start < t - 0.6);
  if (found) page.goTo(found.start);
}
