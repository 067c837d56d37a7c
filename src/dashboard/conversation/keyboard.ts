import { handlesSpace, isControl } from '../lib/keys.ts';
import type { PageState } from './state.ts';

/** Keyboard actions beyond the page's own state. */
export interface KeyActions {
  openKeyMap: () => void;
  copyLink: () => void;
}

const FIELDS = 'input, select, textarea, dialog, [contenteditable], [role="menu"]';

/** Keyboard control of the page. Single keys have no effect while a field has the focus. */
export function onKey(page: PageState, hands: KeyActions, isOn: boolean, e: KeyboardEvent): void {
  const target = e.target as Element;
  if (target.closest(FIELDS) || e.ctrlKey || e.metaKey || e.altKey) return;
  const { player } = page;
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
  if (!handlesSpace(target)) always[' '] = () => player.toggle();
  if (!isControl(target))
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
