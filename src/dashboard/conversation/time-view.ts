import { clamp } from '../lib/format.ts';

/** The visible part of the conversation, s. */
export interface TimeView {
  from: number;
  to: number;
}

/** The view zoomed by `factor`, with the time `at` kept in place. */
export function zoomed(view: TimeView, factor: number, at: number, duration: number): TimeView {
  const before = view.to - view.from;
  const span = clamp(before * factor, Math.min(4, duration), duration);
  const share = clamp((at - view.from) / before, 0, 1);
  const from = clamp(at - span * share, 0, duration - span);
  return { from, to: from + span };
}

export function panned(view: TimeView, seconds: number, duration: number): TimeView {
  const span = view.to - view.from;
  const from = clamp(view.from + seconds, 0, duration - span);
  return { from, to: from + span };
}
