import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { clamp, clock, tier, two } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Badge, Glyph, MOMENT_NAMES, speakerClass, ToneMark } from '../lib/signs.tsx';
import { hideTip, showTip } from '../lib/tip.tsx';
import { mark, span, textNode, wordAt, wordAtOffset } from './highlights.ts';
import { type Conversation, isHard, isHollow, type Line, type Phase, type Pin } from './model.ts';
import type { Filter, Page } from './state.ts';

/** A silence that is a row of its own, s. */
const SILENCE_S = 2.5;
/** Words less sure than this are underlined. */
const UNSURE_WORD = 0.4;
/** An emotion is named in the transcript from this confidence on. */
const NAMED = 0.5;
const SPOKEN_OVER = 0.08;

/** What was said: the transcript, all of it in the page, so that it can be searched, read out and printed. */
export function Said({ page }: { page: Page }) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLElement[]>([]);
  const ready = useGrowing(page);
  /** Goes up whenever there are more rows to be marked. */
  const made = useSignal(0);
  useEffect(() => {
    rows.current = [...scroll.current!.querySelectorAll<HTMLElement>('.u')];
    made.value += 1;
  }, [page, ready.value]);
  useMarks(page, rows, made);
  useFollowing(page, rows, scroll);
  return (
    <section class="col said" aria-label="What was said">
      <div class="shd">
        <Search page={page} />
        <Filters page={page} />
      </div>
      <section
        class={`tx-scroll ${page.filter.value ? 'some' : ''}`}
        ref={scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        aria-label="Transcript"
      >
        <Rows page={page} ready={ready} />
      </section>
      <Jump page={page} rows={rows} scroll={scroll} />
    </section>
  );
}

type Ref<T> = { current: T };

/** Lays the marks of search, unsure words and the word being said over the text. */
function useMarks(page: Page, rows: Ref<HTMLElement[]>, made: ReadonlySignal<number>): void {
  const { lines } = page.conversation;
  useSignalEffect(() => {
    void made.value;
    const all = page.showsUnsure.value;
    mark(
      'unsure',
      lines.flatMap((line) =>
        all || isHard(line)
          ? line.words
              .filter((word) => word.confidence < UNSURE_WORD)
              .map((word) => span(textNode(rows.current[line.index]), word.from, word.to))
          : [],
      ),
    );
  });
  useSignalEffect(() => {
    void made.value;
    const hits = page.hits.value.map((hit) => span(textNode(rows.current[hit.line]), hit.from, hit.to));
    mark('hit', hits);
    mark('cur', [hits[page.hitAt.value]]);
  });
  useSignalEffect(() => {
    const line = lines[page.player.spoken.value];
    const word = line && wordAt(line, page.player.time.value);
    mark('word', [word && span(textNode(rows.current[line.index]), word.from, word.to)]);
  });
  useSignalEffect(() => {
    void made.value;
    const { value } = page.player.spoken;
    for (const row of rows.current) row.classList.remove('act');
    rows.current[value]?.classList.add('act');
  });
  useSignalEffect(() => {
    void made.value;
    const { value } = page.selected;
    rows.current.forEach((row, i) => {
      row.classList.toggle('sel', i === value);
    });
  });
  useSignalEffect(() => {
    void made.value;
    const { value } = page.shown;
    rows.current.forEach((row, i) => {
      row.hidden = value !== undefined && !value.has(i);
    });
  });
  useEffect(
    () => () => {
      for (const name of ['word', 'hit', 'cur', 'unsure'] as const) mark(name, []);
    },
    [],
  );
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
/** Farther than this the text jumps instead of gliding, px. */
const FAR_PX = 2400;

function useFollowing(page: Page, rows: Ref<HTMLElement[]>, scroll: Ref<HTMLDivElement | null>): void {
  const bring = (index: number): void => {
    const row = rows.current[index];
    const box = scroll.current;
    if (!row || !box) return;
    const top = clamp(row.offsetTop - box.clientHeight / 3, 0, box.scrollHeight - box.clientHeight);
    if (Math.abs(box.scrollTop - top) < 1) return;
    // Until it is there, what scrolls is not the reader.
    box.dataset.glides = '';
    box.addEventListener('scrollend', () => delete box.dataset.glides, { once: true });
    const isJump = isCalm.matches || Math.abs(box.scrollTop - top) > FAR_PX;
    box.scrollTo({ top, behavior: isJump ? 'auto' : 'smooth' });
  };
  useSignalEffect(() => {
    const { value } = page.wanted;
    // Its row may only now be made.
    if (value) requestAnimationFrame(() => bring(value.line));
  });
  useSignalEffect(() => {
    const index = page.player.spoken.value;
    const row = rows.current[index];
    const box = scroll.current;
    if (!row || !box || !page.follows.peek() || !page.player.isPlaying.peek()) return;
    const top = row.offsetTop - box.scrollTop;
    if (top < 40 || top + row.offsetHeight > box.clientHeight - 60) bring(index);
  });
}

function Search({ page }: { page: Page }) {
  const { hits, hitAt, query } = page;
  const count = hits.value.length;
  const told = query.value.trim().length < 2 ? '' : count > 0 ? `${hitAt.value + 1} of ${count}` : 'Nothing found';
  return (
    <>
      <label class="srch">
        <Icon name="search" size={16} />
        <input
          type="search"
          id="search"
          placeholder="Search"
          aria-label="Search what was said"
          value={query.value}
          onInput={(e) => page.look(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter') page.step(e.shiftKey ? -1 : 1);
            else if (e.key === 'Escape') {
              page.look('');
              e.currentTarget.blur();
            } else return;
            e.preventDefault();
          }}
        />
      </label>
      <span class="t-lab muted num" aria-live="polite">
        {told}
      </span>
    </>
  );
}

function Filters({ page }: { page: Page }) {
  const { lines, pins } = page.conversation;
  const counts: [Filter, string, number][] = [
    ['questions', 'Questions', lines.filter((line) => line.entry.lexical_markers.is_question).length],
    ['moments', 'Moments', pins.length],
    ['hard', 'Hard to hear', lines.filter(isHard).length],
  ];
  return (
    <span class="filters">
      {counts
        .filter(([, , count]) => count > 0)
        .map(([kind, name, count]) => (
          <button
            type="button"
            class="fch"
            key={kind}
            aria-pressed={page.filter.value === kind}
            onClick={() => {
              page.filter.value = page.filter.peek() === kind ? undefined : kind;
            }}
          >
            {name} <span class="num">{count}</span>
          </button>
        ))}
      <button
        type="button"
        class="fch k"
        aria-pressed={page.showsUnsure.value}
        title="Underline words the recogniser was unsure of (U)"
        onClick={() => {
          page.showsUnsure.value = !page.showsUnsure.peek();
        }}
      >
        Unsure words
      </button>
    </span>
  );
}

/** Drawn once; what changes while it plays is laid over it. */
/** Rows are made in blocks: the first at once, the others one by one while the browser idles. */
const BLOCK = 25;
const idle: (work: () => void) => void =
  typeof requestIdleCallback === 'function' ? (work) => requestIdleCallback(work) : (work) => setTimeout(work, 30);

/** How many rows there are by now; asked for a later one, those up to it are made at once. */
function useGrowing(page: Page): Signal<number> {
  const { lines } = page.conversation;
  const ready = useSignal(Math.min(BLOCK, lines.length));
  useEffect(() => {
    let isGone = false;
    const grow = (): void => {
      if (isGone || ready.peek() >= lines.length) return;
      ready.value = Math.min(lines.length, ready.peek() + BLOCK);
      idle(grow);
    };
    idle(grow);
    // Paper has all of it.
    const growWhole = (): void => {
      ready.value = lines.length;
    };
    addEventListener('beforeprint', growWhole);
    return () => {
      isGone = true;
      removeEventListener('beforeprint', growWhole);
    };
  }, [page]);
  useSignalEffect(() => {
    const line = page.wanted.value?.line ?? 0;
    if (line >= ready.peek()) ready.value = Math.min(lines.length, Math.ceil((line + 1) / BLOCK) * BLOCK + BLOCK);
  });
  return ready;
}

function Rows({ page, ready }: { page: Page; ready: Signal<number> }) {
  const hidden = page.hidden.value;
  const blocks = Math.ceil(ready.value / BLOCK);
  const plan = useMemo(() => planOf(page.conversation), [page]);
  return (
    <>
      {Array.from({ length: blocks }, (_, block) => (
        <Block key={block} page={page} hidden={hidden} plan={plan} from={block * BLOCK} />
      ))}
    </>
  );
}

/** What rows need to know of others: their pins, the phase that begins there, and when all before had ended. */
function planOf({ lines, pins, phases }: Conversation) {
  let end = 0;
  const ends = lines.map((line) => {
    const before = end;
    end = Math.max(end, line.end);
    return before;
  });
  return {
    ends,
    pins: Map.groupBy(pins, (pin) => pin.line),
    phases: new Map(phases.map((phase) => [phase.firstLine, phase])),
  };
}

interface BlockProps {
  page: Page;
  hidden: ReadonlySet<number>;
  plan: ReturnType<typeof planOf>;
  from: number;
}

function Block({ page, hidden, plan, from }: BlockProps) {
  return useMemo(
    () => <>{page.conversation.lines.slice(from, from + BLOCK).flatMap((line) => rowsOf(page, hidden, plan, line))}</>,
    [page, hidden, from],
  );
}

function rowsOf(page: Page, hidden: ReadonlySet<number>, plan: BlockProps['plan'], line: Line): ComponentChildren[] {
  const { conversation } = page;
  const out: ComponentChildren[] = [];
  const phase = plan.phases.get(line.index);
  if (phase) out.push(<PhaseHead key={phase.source.phase_id} phase={phase} />);
  const silence = line.index > 0 ? line.start - plan.ends[line.index]! : 0;
  if (silence >= SILENCE_S)
    out.push(
      <div class="gap num" key={`gap${line.index}`}>
        {silence.toFixed(1)} s of silence
      </div>,
    );
  const isSame = conversation.lines[line.index - 1]?.speaker === line.speaker;
  out.push(
    <Row
      key={line.entry.utterance_id}
      page={page}
      line={line}
      isFirst={!isSame || out.length > 0}
      pins={plan.pins.get(line.index) ?? []}
      isToneHidden={hidden.has(line.speaker) || !line.tone}
      conversation={conversation}
    />,
  );
  return out;
}

function PhaseHead({ phase }: { phase: Phase }) {
  return (
    <div class="phh">
      <b>{phase.name}</b>
      <span class="num">{clock(phase.start)}</span>
      <span class="ell sp">{phase.source.theme}</span>
      <span>{phase.source.emotional_tone}</span>
    </div>
  );
}

interface RowProps {
  page: Page;
  conversation: Conversation;
  line: Line;
  isFirst: boolean;
  pins: readonly Pin[];
  isToneHidden: boolean;
}

function Row({ page, conversation, line, isFirst, pins, isToneHidden }: RowProps) {
  const { entry, speaker, index } = line;
  const name = conversation.names[speaker];
  const isOver = entry.overlap_ratio > SPOKEN_OVER;
  return (
    <div class={`u ${speakerClass(speaker)} ${isFirst ? 'first' : ''} ${isHard(line) ? 'hard' : ''}`} data-line={index}>
      <button
        type="button"
        class="ts"
        aria-label={`Play from ${clock(line.start)}`}
        onClick={() => page.goTo(line.start)}
      >
        {clock(line.start)}
      </button>
      <span class="b1">{isFirst && <Badge speaker={speaker} />}</span>
      <div class="bdy">
        {isFirst && <span class="nm1">{name}</span>}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a shortcut by pointer; the time beside it is the button */}
        <div class="txt" dir="auto" onClick={(e) => goToWord(page, line, e)}>
          {line.text}
        </div>
        {(pins.length > 0 || isHard(line) || isOver) && (
          <div class="tags">
            {pins.map((pin) => (
              <button
                type="button"
                key={pin.moment.moment_id}
                class={`tag ${pin.moment.confidence < 0.5 ? 'un' : ''}`}
                onClick={() => page.goTo(pin.at)}
              >
                <Glyph kind={pin.category} size={12} />
                {MOMENT_NAMES[pin.category]}
                {pin.moment.labels.length > 0 && `: ${pin.moment.labels.join(', ')}`}
              </button>
            ))}
            {isHard(line) && (
              <span class="tag un" title="The recogniser was unsure of these words">
                hard to hear {two(line.heard)}
              </span>
            )}
            {isOver && <span class="tag">spoken over</span>}
          </div>
        )}
      </div>
      <button
        type="button"
        class="cue"
        aria-label={`How it sounded: ${isToneHidden ? (entry.delivery_style ?? '') : soundOf(line)}`}
        onClick={() => page.select(page.selected.peek() === index ? undefined : index)}
        onPointerLeave={hideTip}
        onPointerEnter={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          if (!isToneHidden) showTip(<Sound line={line} />, box.left - 40, box.bottom - 8);
        }}
      >
        <span class="dl">{isToneHidden ? '' : (feelingOf(line) ?? styleOf(line))}</span>
        {!isToneHidden && line.tone && (
          <ToneMark valence={line.tone.valence} arousal={line.tone.arousal} hollow={isHollow(line)} />
        )}
      </button>
    </div>
  );
}

/** Plays from the word under the pointer, unless text is being chosen. */
function goToWord(page: Page, line: Line, e: MouseEvent): void {
  if (String(getSelection())) return;
  const place = document.caretPositionFromPoint?.(e.clientX, e.clientY);
  page.goTo(wordAtOffset(line, place?.offset ?? 0)?.at ?? line.start);
}

function feelingOf(line: Line): string | undefined {
  if (!line.felt) return undefined;
  const { dominant_emotion: emotion, emotion: reading } = line.felt;
  return emotion !== 'neutral' && reading.confidence >= NAMED ? emotion : undefined;
}

const UNREMARKABLE = ['even', 'not judged', 'not measured'];
function styleOf(line: Line): string {
  const style = line.entry.delivery_style ?? '';
  return UNREMARKABLE.includes(style) ? '' : style.replace(/, with.*/, '').replace(' and ', ', ');
}

/** The tone of a line in words, for those who hear the page. */
export function soundOf(line: Line): string {
  const { tone } = line;
  if (!tone) return 'tone was not read';
  const { valence, arousal } = tone;
  const height =
    valence < 0.43
      ? 'clearly negative'
      : valence < 0.47
        ? 'slightly negative'
        : valence <= 0.53
          ? 'neutral'
          : valence <= 0.66
            ? 'slightly positive'
            : 'clearly positive';
  const energy = arousal < 0.42 ? 'calm' : arousal <= 0.55 ? 'usual energy' : 'lively';
  return [height, energy, line.entry.delivery_style, isHollow(line) ? 'heard badly' : ''].filter(Boolean).join(', ');
}

function Sound({ line }: { line: Line }) {
  const { felt, tone } = line;
  return (
    <>
      <b>{soundOf(line)}</b>
      <br />
      {tone && `valence ${two(tone.valence)}, arousal ${two(tone.arousal)}`}
      <br />
      <span class="muted">
        {!felt || felt.dominant_emotion === 'neutral'
          ? 'no emotion stands out'
          : `most like ${felt.dominant_emotion} (${two(felt.emotion.confidence)}, ${tier(felt.emotion.confidence).word})`}
        . Click for the measures
      </span>
    </>
  );
}

/** Following pauses when the playing line leaves the view; this brings it back. */
function Jump({ page, rows, scroll }: { page: Page; rows: Ref<HTMLElement[]>; scroll: Ref<HTMLDivElement | null> }) {
  const direction = useComputed(() => {
    const row = rows.current[page.player.spoken.value];
    const box = scroll.current;
    if (!page.player.isPlaying.value || page.follows.value || !row || !box) return undefined;
    const top = row.offsetTop - box.scrollTop;
    if (top >= -row.offsetHeight && top <= box.clientHeight) return undefined;
    return top < 0 ? 'upward' : 'down';
  });
  useEffect(() => {
    const box = scroll.current!;
    const wheel = (): void => {
      if ('glides' in box.dataset) return;
      // In a silence, too: the next line must not fetch the reader back.
      const row = rows.current[Math.max(0, page.player.current.peek())];
      const top = row ? row.offsetTop - box.scrollTop : 0;
      if (row && (top < 0 || top > box.clientHeight)) page.follows.value = false;
    };
    box.addEventListener('scroll', wheel, { passive: true });
    return () => box.removeEventListener('scroll', wheel);
  }, [page, rows, scroll]);
  if (!direction.value) return null;
  return (
    <button
      type="button"
      class="btn sm jump"
      onClick={() => {
        page.follows.value = true;
        page.show(page.player.current.peek());
      }}
    >
      <Icon name={direction.value} size={14} /> Back to what is playing
    </button>
  );
}
