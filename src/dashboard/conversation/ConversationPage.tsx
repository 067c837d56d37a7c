import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy } from 'preact-iso';
import { Menu, type MenuItem } from '../lib/dialog.tsx';
import { clock, two } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { say } from '../lib/tip.tsx';
import type { Comments } from './comments.ts';
import { listenToKeys, onKey } from './keyboard.ts';
import { type ConversationView, isMeasured, type SoundLevels } from './model.ts';
import { PeopleTab } from './people/PeopleTab.tsx';
import type { PlaybackProblem } from './recording.ts';
import { createPageState, type PageState, type Tab } from './state.ts';
import { Summary } from './summary/Summary.tsx';
import { Clock, PlayButton, RateButton, StepButtons } from './Transport.tsx';
import type { Thumbs } from './thumbs.ts';
import { isPhone, Timeline } from './timeline/Timeline.tsx';
import { Transcript } from './transcript/Transcript.tsx';

// Rarely opened, so it is loaded on demand.
const KeyMap = lazy(() => import('./notices.tsx').then((notices) => notices.KeyMap));
const HowToRead = lazy(() => import('./notices.tsx').then((notices) => notices.HowToRead));
const AiActNotice = lazy(() => import('../lib/AiActNotice.tsx').then((notice) => notice.AiActNotice));

/** Confidence below which the number of speakers is described as uncertain. */
const UNCERTAIN = 0.6;
const TABS: readonly [Tab, string][] = [
  ['summary', 'Summary'],
  ['transcript', 'Transcript'],
  ['people', 'People'],
];

const PLAYBACK_PROBLEMS: Readonly<Record<PlaybackProblem, string>> = {
  deleted: 'The recording was deleted, so there is no sound to play. Everything else is still here.',
  unplayable: 'This browser cannot play the recording. Use “Export” to save it.',
};

/** The context of a conversation: where it is stored, and which actions are available there. */
export interface ConversationContext {
  title: string;
  /** When it was recorded, in words. */
  when: string | undefined;
  levels: SoundLevels | undefined;
  /** URL of the recording. Undefined when it cannot be played. */
  media: string | undefined;
  playbackProblem: PlaybackProblem | undefined;
  exports: MenuItem[];
  /** Link back to the list. */
  home: string | undefined;
  /** Further actions on one speaker. */
  speakerItems: (speaker: number) => MenuItem[];
  /** Labels or names of the speakers whose affect is hidden. */
  hiddenAffect: readonly string[];
  thumbs?: Thumbs;
  comments?: Comments;
  rename?: ((speaker: number) => void) | undefined;
  /** Further actions on one utterance. */
  lineItems?: ((line: number) => MenuItem[]) | undefined;
  /** Playing position before the page changed, s. */
  startAt?: () => number | undefined;
  onTime?: (seconds: number) => void;
  onMediaError?: () => void;
  /** Shown at the end of the header. */
  tools?: ComponentChildren;
  /** Lets the user correct an uncertain number of speakers. */
  recount?: () => void;
  /** Actions on the whole conversation. */
  more?: MenuItem[];
  /** Shown under the header. */
  notice?: ComponentChildren;
}

/** One conversation: the timeline above three columns for summary, transcript and people. */
export function ConversationPage({
  conversation,
  around,
}: {
  conversation: ConversationView;
  around: ConversationContext;
}) {
  const page = useMemo(() => createPageState(conversation), [conversation]);
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

  useEffect(openedOnPaper, []);

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
          {conversation.lines.some((line) => line.tone)
            ? `Tone and emotion from ${isMeasured(conversation) ? 'words and delivery' : 'the words alone'}. They do not say what anyone felt.`
            : 'Tone and emotion were left out of this analysis.'}
        </span>
        <button
          type="button"
          onClick={() => {
            open.value = 'read';
          }}
        >
          How to read this page
        </button>
        <span class="sp" />
        <span class="law">In the EU you must inform the people recorded. Do not use it on staff or students.</span>
        <button
          type="button"
          onClick={() => {
            open.value = 'law';
          }}
        >
          AI Act notice
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

/**
 * Opens at the place that a link specifies: a second (`t`), the first moment of a category (`moment`), or words (`q`).
 */
function openAt(page: PageState, place: URLSearchParams): void {
  const category = place.get('moment');
  const pin = category === null ? undefined : page.conversation.pins.find((found) => found.category === category);
  const t = pin?.at ?? Number(place.get('t') ?? 0);
  const words = place.get('q') ?? '';
  if (t > 0) page.goTo(t);
  if (words !== '') page.look(words);
  if (t > 0 || words !== '') page.tab.value = 'transcript';
}

/** Goes back to the beginning of a column, if the whole page has been scrolled, as on a low phone. */
function toStart(tab: HTMLElement): void {
  const main = tab.closest<HTMLElement>('.conv')!;
  const columns = main.querySelector<HTMLElement>('.cols')!;
  main.scrollTop = Math.min(main.scrollTop, columns.offsetTop - tab.parentElement!.offsetHeight);
}

/** Opens what is folded while the page is printed. @returns the end of it */
function openedOnPaper(): () => void {
  const paper = matchMedia('print');
  let folded: HTMLDetailsElement[] = [];
  const open = (): void => {
    folded.push(...document.querySelectorAll<HTMLDetailsElement>('.conv details:not([open])'));
    for (const one of folded) one.open = true;
  };
  const close = (): void => {
    for (const one of folded) one.open = false;
    folded = [];
  };
  const turn = (): void => (paper.matches ? open() : close());
  addEventListener('beforeprint', open);
  addEventListener('afterprint', close);
  paper.addEventListener('change', turn);
  return () => {
    removeEventListener('beforeprint', open);
    removeEventListener('afterprint', close);
    paper.removeEventListener('change', turn);
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

function Header(p: {
  page: PageState;
  around: ConversationContext;
  copyLink: () => void;
  children: ComponentChildren;
}) {
  const { conversation } = p.page;
  const { media, speakers } = conversation.result;
  const count = conversation.labels.length;
  const facts = [
    p.around.when,
    clock(conversation.duration),
    `${count} ${count === 1 ? 'person' : 'people'}${speakers.confidence < UNCERTAIN ? ' (uncertain)' : ''}`,
    media.speaker_per_channel ? 'one person per channel' : media.channels > 1 ? 'stereo' : 'one microphone',
  ].filter(Boolean);
  return (
    <header class="bar">
      {p.around.home && (
        <a class="crumb" href={p.around.home} aria-label="All conversations">
          <Icon name="left" />
        </a>
      )}
      <div class="ttl">
        <h1 class="ell" dir="auto" title={p.around.title}>
          {p.around.title}
        </h1>
        <div class="meta">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <span class="mono">{conversation.id.slice(0, 8)}</span>
        </div>
      </div>
      {p.around.tools}
      <button
        type="button"
        class="btn sm mid"
        onClick={() => {
          p.page.select(undefined);
          p.page.tab.value = 'people';
        }}
      >
        People
      </button>
      <button type="button" class="btn sm opt" onClick={p.copyLink}>
        <Icon name="link" size={15} /> Link
      </button>
      {p.children}
    </header>
  );
}

function Warnings({ page, around }: { page: PageState; around: ConversationContext }) {
  const { result, lines } = page.conversation;
  const { speakers, warnings } = result;
  const told: string[] = [];
  const isUncertain = speakers.confidence < UNCERTAIN;
  if (speakers.note) told.push(speakers.note);
  else if (isUncertain)
    told.push(
      `The number of speakers is uncertain (${two(speakers.confidence)}), so names and talk shares may be wrong.`,
    );
  if (lines.length > 0 && !isMeasured(page.conversation))
    told.push(
      'The audio could not be measured: the lanes show only when each person spoke, and tone is based on the words alone.',
    );
  if (around.playbackProblem) told.push(PLAYBACK_PROBLEMS[around.playbackProblem]);
  told.push(...warnings);
  return (
    <div class="warnings">
      {around.notice}
      {told.length > 0 && (
        <div class="warnrow">
          <div class="notice warn" role="status">
            <Icon name="warning" size={16} />
            <span>{told.join(' ')}</span>
            {isUncertain && around.recount && (
              <button type="button" class="link" onClick={around.recount}>
                Set the number of people and analyse again
              </button>
            )}
          </div>
        </div>
      )}
    </div>
  );
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
