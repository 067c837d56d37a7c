import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy } from 'preact-iso';
import { Menu, type MenuItem } from '../lib/dialog.tsx';
import { clock } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { listenToKeys } from '../lib/keys.ts';
import { say } from '../lib/tip.tsx';
import { onKey } from './keyboard.ts';
import { type ConversationView, isMeasured } from './model.ts';
import { type ConversationContext, Header, Warnings } from './PageHead.tsx';
import { isPrinted } from './paper.ts';
import { PeopleTab } from './people/PeopleTab.tsx';
import { createPageState, type PageState, type Tab } from './state.ts';
import { Summary } from './summary/Summary.tsx';
import { Clock, PlayButton, RateButton, StepButtons } from './Transport.tsx';
import { PaperTimeline } from './timeline/PaperTimeline.tsx';
import { isPhone, Timeline } from './timeline/Timeline.tsx';
import { Transcript } from './transcript/Transcript.tsx';

// Rarely opened, so it is loaded on demand.
const KeyMap = lazy(() => import('./notices.tsx').then((notices) => notices.KeyMap));
const HowToRead = lazy(() => import('./notices.tsx').then((notices) => notices.HowToRead));
const AiActNotice = lazy(() => import('../lib/AiActNotice.tsx').then((notice) => notice.AiActNotice));

const TABS: readonly [Tab, string][] = [
  ['summary', 'Summary'],
  ['transcript', 'Transcript'],
  ['people', 'People'],
];

/** One conversation: the timeline above three columns for summary, transcript and people. */
export function ConversationPage({
  conversation,
  around,
}: {
  conversation: ConversationView;
  around: ConversationContext;
}) {
  const page = useMemo(() => createPageState(conversation), [conversation]);
  const hasTone = conversation.lines.some((line) => line.tone);
  const menu = useSignal<{ at: DOMRect; items: MenuItem[]; note?: string; side?: 'right' } | undefined>(undefined);
  const open = useSignal<'keys' | 'read' | 'law' | undefined>(undefined);
  const keysAreOn = useSignal(readKeys());
  const audio = useRef<HTMLAudioElement>(null);
  const close = (): void => {
    open.value = undefined;
  };
  const copyLink = (): void => {
    const url = new URL(location.href);
    url.searchParams.set('t', String(Math.round(page.player.time.peek())));
    navigator.clipboard.writeText(url.href).then(
      () => say(`Link to ${clock(page.player.time.peek())} copied`),
      () => say(url.href),
    );
  };

  useEffect(() => {
    const before = around.startAt?.();
    if (before === undefined) openAt(page, new URLSearchParams(location.search));
    else if (before > 0) page.goTo(before);
    return () => {
      around.onTime?.(page.player.time.peek());
      page.player.close();
    };
  }, [page]);
  useEffect(() => {
    page.levels.value = around.levels;
  }, [page, around.levels]);
  useEffect(() => {
    page.player.setProblem(around.playbackProblem);
  }, [page, around.playbackProblem]);
  useEffect(() => {
    page.hidden.value = new Set(around.hiddenAffect.map((label) => conversation.labels.indexOf(label)));
  }, [page, around.hiddenAffect]);
  useEffect(() => {
    page.thumbs.value = around.thumbs;
  }, [page, around.thumbs]);
  useEffect(() => {
    page.comments.value = around.comments;
  }, [page, around.comments]);
  useEffect(() => {
    document.title = `${around.title} · Undertone`;
  }, [around.title]);
  useEffect(() => page.player.listenTo(audio.current ?? undefined), [page, around.media]);
  useEffect(() => {
    const hands = {
      copyLink,
      openKeyMap: () => {
        open.value = 'keys';
      },
    };
    return listenToKeys((e) => onKey(page, hands, keysAreOn.value, e));
  });

  const onPaper = isPrinted.value;
  useLayoutEffect(() => (onPaper ? unfold() : undefined), [onPaper]);

  const speakerMenu = (speaker: number, at: DOMRect): void => {
    const name = conversation.names[speaker]!;
    menu.value = {
      at,
      note: 'In the EU, inferring the emotions of people at work or in education from their voice is prohibited. Hide it for your own staff: it then disappears from exported files and summaries, too.',
      items: [
        {
          icon: 'eye',
          label: page.solo.peek() === speaker ? 'Show everyone' : `Show only ${name}`,
          run: () => page.toggleSolo(speaker),
        },
        ...around.speakerItems(speaker),
      ],
    };
  };
  const lineMenu = (line: number, at: DOMRect): void => {
    menu.value = { at, items: around.lineItems?.(line) ?? [], side: 'right' };
  };
  /** Parts of the foot and the header that a phone has no room for. */
  const phoneItems: MenuItem[] = [
    { icon: 'link', label: 'Copy a link to this second', run: copyLink },
    { icon: 'info', label: 'How to read this page', run: () => (open.value = 'read') },
    { icon: 'shield', label: 'AI Act notice', run: () => (open.value = 'law') },
  ];
  const stage = useStages(3);
  const happened = useMemo(() => <Summary page={page} />, [page]);
  const said = useMemo(() => <Transcript page={page} />, [page]);
  const isSheet = isPhone.value && page.selected.value !== undefined;
  return (
    <main class={`conv ${isSheet ? 'sheet' : ''}`} data-tab={page.tab.value}>
      <Header page={page} around={around} copyLink={copyLink}>
        <button
          type="button"
          class="btn sm opt"
          aria-haspopup="menu"
          onClick={(e) => {
            menu.value = { at: e.currentTarget.getBoundingClientRect(), items: around.exports, side: 'right' };
          }}
        >
          <Icon name="download" size={15} /> Export
        </button>
        {(around.more || isPhone.value) && (
          <button
            type="button"
            class="btn sm icon ghost"
            aria-label="More"
            aria-haspopup="menu"
            onClick={(e) => {
              const items = [...(around.more ?? []), ...(isPhone.peek() ? [...around.exports, ...phoneItems] : [])];
              menu.value = {
                at: e.currentTarget.getBoundingClientRect(),
                // Acts without an undo come last.
                items: items.toSorted((a, b) => Number(a.isDangerous ?? false) - Number(b.isDangerous ?? false)),
                side: 'right',
              };
            }}
          >
            <Icon name="more" size={17} width={2.6} />
          </button>
        )}
        <button
          type="button"
          class="btn sm icon ghost opt"
          aria-label="Keyboard map"
          onClick={() => {
            open.value = 'keys';
          }}
        >
          <Icon name="keyboard" size={17} />
        </button>
      </Header>
      <Warnings page={page} around={around} />
      <Timeline page={page} openMenu={speakerMenu} />
      {onPaper && <PaperTimeline page={page} />}
      <div class="tabs" role="tablist" aria-label="Views">
        {TABS.map(([tab, name]) => (
          <button
            type="button"
            role="tab"
            key={tab}
            aria-selected={page.tab.value === tab}
            onClick={(e) => {
              page.tab.value = tab;
              toStart(e.currentTarget);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="cols">
        {stage > (isPhone.peek() ? 0 : 1) ? happened : <section class="col summary" />}
        {stage > (isPhone.peek() ? 1 : 0) ? said : <section class="col transcript" />}
        {stage > 2 ? (
          <PeopleTab page={page} rename={around.rename} openMenu={around.lineItems && lineMenu} />
        ) : (
          <aside class="col people" />
        )}
      </div>
      <PhonePlayer page={page} />
      <footer class="foot">
        <Icon name="info" size={14} />
        <span>
          {hasTone
            ? `Tone and emotion from ${isMeasured(conversation) ? 'words and delivery' : 'the words alone'}. They do not say what anyone felt.`
            : 'Tone and emotion were left out of this analysis.'}
        </span>
        <small>{hasTone ? 'Tone does not say what anyone felt.' : 'Tone and emotion were left out.'}</small>
        <button
          type="button"
          onClick={() => {
            open.value = 'read';
          }}
        >
          How to read<span> this page</span>
        </button>
        <span class="sp" />
        <span class="law">
          In the EU, inform the people recorded
          {hasTone && ', and hide the tone of speakers who are your staff or students'}.
        </span>
        <button
          type="button"
          onClick={() => {
            open.value = 'law';
          }}
        >
          AI Act<span> notice</span>
        </button>
      </footer>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript beside it is its caption */}
      {around.media && <audio ref={audio} src={around.media} preload="metadata" onError={around.onMediaError} />}
      <ErrorBoundary>
        {open.value === 'keys' && (
          <KeyMap
            close={close}
            isOn={keysAreOn.value}
            switchKeys={(on) => {
              keysAreOn.value = on;
              keepKeys(on);
            }}
          />
        )}
        {open.value === 'read' && <HowToRead close={close} />}
        {open.value === 'law' && <AiActNotice close={close} />}
      </ErrorBoundary>
      {menu.value && (
        <Menu
          {...menu.value}
          close={() => {
            menu.value = undefined;
          }}
        />
      )}
    </main>
  );
}

/** Links to the second of a moment are rounded. */
const SAME_PLACE_S = 1;

/**
 * Opens at the place that a link specifies: a second (`t`), the first moment of a category (`moment`), or words (`q`).
 */
function openAt(page: PageState, place: URLSearchParams): void {
  const category = place.get('moment');
  const { pins } = page.conversation;
  const first = pins.find((pin) => pin.category === category);
  const t = first?.at ?? Number(place.get('t') ?? 0);
  const words = place.get('q') ?? '';
  if (t > 0) {
    page.goTo(t);
    page.moment.value = first ?? pins.find(({ at }) => Math.abs(at - t) < SAME_PLACE_S);
  }
  if (words !== '') page.look(words);
  if (t > 0 || words !== '') page.tab.value = 'transcript';
}

/** Goes back to the beginning of a column, if the whole page has been scrolled, as on a low phone. */
function toStart(tab: HTMLElement): void {
  const main = tab.closest<HTMLElement>('.conv')!;
  const columns = main.querySelector<HTMLElement>('.cols')!;
  main.scrollTop = Math.min(main.scrollTop, columns.offsetTop - tab.parentElement!.offsetHeight);
}

/** Opens what is folded. @returns what folds it again */
function unfold(): () => void {
  const folded = [...document.querySelectorAll<HTMLDetailsElement>('.conv details:not([open])')];
  for (const one of folded) one.open = true;
  return () => {
    for (const one of folded) one.open = false;
  };
}

/** Starts at 1 and increases by one with each frame, so that the most important part of the page is drawn first. */
function useStages(last: number): number {
  const [stage, setStage] = useState(1);
  useEffect(() => {
    if (stage >= last) return;
    const frame = requestAnimationFrame(() => setTimeout(() => setStage(stage + 1)));
    return () => cancelAnimationFrame(frame);
  }, [stage, last]);
  return stage;
}

const KEYS = 'undertone.keys';
function readKeys(): boolean {
  try {
    return localStorage.getItem(KEYS) !== 'off';
  } catch {
    return true;
  }
}
function keepKeys(on: boolean): void {
  try {
    localStorage.setItem(KEYS, on ? 'on' : 'off');
  } catch {
    // The choice lasts only for this visit.
  }
}

function PhonePlayer({ page }: { page: PageState }) {
  return (
    <div class="pbar">
      <PlayButton page={page} />
      <StepButtons page={page} size={20} />
      <Clock page={page} />
      <RateButton page={page} kind="btn sm" />
    </div>
  );
}
