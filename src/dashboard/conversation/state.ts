import { computed, signal } from '@preact/signals';
import type { Comments } from './comments.ts';
import { type ConversationView, isHard, type MomentPin, type Pin, type SoundLevels } from './model.ts';
import { createPlayer } from './player.ts';
import type { Thumbs } from './thumbs.ts';
import { panned, type TimeView, zoomed } from './time-view.ts';

export type Tab = 'summary' | 'transcript' | 'people';
export type Filter = 'questions' | 'moments' | 'promises' | 'hard';
export interface Hit {
  line: number;
  from: number;
  to: number;
}
/** Length of the shortest search. A shorter query would mark almost everything. */
const SHORTEST_SEARCH = 2;

/** State of one open conversation: the selection, the search, and the visible part. */
export function createPageState(conversation: ConversationView) {
  const player = createPlayer(conversation);
  const { lines, duration, pins, promises } = conversation;
  /** Sound levels, which load after the words. */
  const levels = signal<SoundLevels | undefined>(undefined);
  const thumbs = signal<Thumbs | undefined>(undefined);
  const comments = signal<Comments | undefined>(undefined);
  const view = signal<TimeView>({ from: 0, to: duration });
  const selected = signal<number | undefined>(undefined);
  /** The moment that was gone to last, until the page goes elsewhere. */
  const moment = signal<MomentPin | undefined>(undefined);
  const solo = signal<number | undefined>(undefined);
  /** Speakers whose affect is hidden. The result does not contain their affect. */
  const hidden = signal<ReadonlySet<number>>(new Set());
  const filter = signal<Filter | undefined>(undefined);
  const evidence = signal<readonly number[]>([]);
  const query = signal('');
  const hitAt = signal(0);
  const tab = signal<Tab>('summary');
  const showsUnsure = signal(false);
  const follows = signal(true);
  /** The line to scroll to, with a number that changes on every request. */
  const wanted = signal<{ line: number; turn: number } | undefined>(undefined);
  let turn = 0;

  const hits = computed<Hit[]>(() => {
    const text = query.value.trim().toLowerCase();
    if (text.length < SHORTEST_SEARCH) return [];
    return lines.flatMap((line) => occurrences(line.text.toLowerCase(), text, line.index));
  });
  const withMoment = new Set(pins.map((pin) => pin.line));
  const withPromise = new Set(promises.flatMap(({ line, request }) => [line, request ?? line]));
  const shown = computed<ReadonlySet<number> | undefined>(() => {
    const kind = filter.value;
    if (!kind) return undefined;
    const passes = {
      questions: (i: number) => lines[i]!.entry.lexical_markers.is_question,
      moments: (i: number) => withMoment.has(i),
      promises: (i: number) => withPromise.has(i),
      hard: (i: number) => isHard(lines[i]!),
    }[kind];
    return new Set(lines.map((line) => line.index).filter(passes));
  });

  function show(line: number): void {
    turn += 1;
    wanted.value = { line, turn };
  }
  function goTo(t: number): void {
    moment.value = undefined;
    player.seek(t);
    follows.value = true;
    const line = player.current.peek();
    if (line >= 0) show(line);
    const { from, to } = view.peek();
    if (t < from || t > to) view.value = panned(view.peek(), t - from - (to - from) * 0.1, duration);
  }
  function step(by: 1 | -1): void {
    const count = hits.peek().length;
    if (count === 0) return;
    hitAt.value = (hitAt.peek() + by + count) % count;
    show(hits.peek()[hitAt.peek()]!.line);
  }

  return {
    conversation,
    levels,
    thumbs,
    comments,
    player,
    view,
    selected,
    moment,
    solo,
    hidden,
    filter,
    shown,
    evidence,
    query,
    hits,
    hitAt,
    tab,
    showsUnsure,
    follows,
    wanted,
    show,
    goTo,
    goToMoment(pin: MomentPin): void {
      goTo(pin.at);
      moment.value = pin;
    },
    step,
    /**
     * Goes to the place that an activated control refers to. Activating it with a pointer also starts playback there.
     * The keyboard does not start playback, because Space belongs to the control.
     */
    hear(t: number, { detail }: UIEvent): void {
      goTo(t);
      if (detail > 0) player.play();
    },
    /** The same for a moment or a promise, whose utterance is selected. */
    hearSign(sign: Pin, e: UIEvent): void {
      this.hear(sign.at, e);
      selected.value = sign.line;
      if (sign.category !== 'promise') moment.value = sign;
    },
    select(index: number | undefined): void {
      selected.value = index;
    },
    look(text: string): void {
      query.value = text;
      const found = hits.peek().findIndex((hit) => lines[hit.line]!.start >= player.time.peek());
      hitAt.value = Math.max(0, found);
      const hit = hits.peek()[hitAt.peek()];
      if (hit) show(hit.line);
    },
    zoom(factor: number, at: number = player.time.peek()): void {
      view.value = zoomed(view.peek(), factor, at, duration);
    },
    pan(seconds: number): void {
      view.value = panned(view.peek(), seconds, duration);
    },
    toggleSolo(speaker: number): void {
      solo.value = solo.peek() === speaker ? undefined : speaker;
    },
  };
}

export type PageState = ReturnType<typeof createPageState>;

function occurrences(text: string, word: string, line: number): Hit[] {
  const hits: Hit[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length))
    hits.push({ line, from, to: from + word.length });
  return hits;
}
