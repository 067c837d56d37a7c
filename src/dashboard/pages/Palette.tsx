import '../style/palette.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { errorTextOf } from '../lib/error-texts.ts';
import { clock, recordedOn, shortened } from '../lib/format.ts';
import { Icon, type IconName } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { service } from '../lib/session.ts';
import { titleOf } from '../lib/title.ts';
import { addressOfView, loadViews, views } from '../lib/views.ts';

/** Pause in typing after which a search starts, ms. */
const TYPING_MS = 200;
/** Characters from which conversations and lines are searched. */
const SEARCH_FROM = 2;
/** Entries of one section. */
const MOST = 5;
const MOST_LINES = 3;

interface Entry {
  href: string;
  icon: IconName;
  text: string;
  note?: string;
}

interface Section {
  name: string;
  entries: readonly Entry[];
}

export interface PaletteProps {
  /** The pages of the navigation. */
  places: readonly (readonly [href: string, name: string, icon: IconName])[];
  close: () => void;
}

/** Goes to a page, a conversation, a person, a rule, a playlist or a second, by some letters of it. */
export function Palette({ places, close }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const [isEntered, setEntered] = useState(false);
  const q = text.trim();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), TYPING_MS);
    return () => clearTimeout(timer);
  }, [q]);
  useEffect(loadViews, []);
  const named = useLoaded((signal) => readNamed(signal), []);
  const found = useLoaded(async (signal) => ({ asked, sections: await search(asked, signal) }), [asked]);
  const isNamed = ({ text: name }: Entry): boolean => name.toLowerCase().includes(q.toLowerCase());
  const isNamedSettled = named.value !== undefined || named.error !== undefined;
  // In the order in which they arrive, so that no entry moves away under a pointer.
  const sections: Section[] = [
    { name: 'Pages', entries: places.map(([href, name, icon]) => ({ href, icon, text: name })).filter(isNamed) },
    {
      name: 'Saved views',
      entries: views.value
        .map((view) => ({ href: addressOfView(view), icon: 'columns' as const, text: view.name }))
        .filter(isNamed),
    },
    ...(q === '' ? [] : (named.value ?? [])).map(({ name, entries }) => ({
      name,
      entries: entries.filter(isNamed).slice(0, MOST),
    })),
    ...(isNamedSettled && found.value?.asked === q ? found.value.sections : []),
  ].filter(({ entries }) => entries.length > 0);
  const actions = q === '' ? [] : thingsToDo(q);
  const all = [...sections.flatMap(({ entries }) => entries), ...actions];
  const chosen = Math.max(
    0,
    all.findIndex((entry) => keyOf(entry) === picked),
  );
  const go = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    route(entry.href);
  };
  // Enter may come before the names have loaded. It still means the name, not a search for it.
  const isTooEarly = sections.length === 0 && !isNamedSettled;
  useEffect(() => {
    if (isEntered && !isTooEarly) go(all[chosen]);
  }, [isEntered, isTooEarly]);
  const move = (by: number): void => {
    const next = (chosen + by + all.length) % Math.max(1, all.length);
    const entry = all[next];
    setPicked(entry && keyOf(entry));
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
  };
  const press = (e: KeyboardEvent): void => {
    if (e.key === 'ArrowDown') move(1);
    else if (e.key === 'ArrowUp') move(-1);
    else if (e.key === 'Enter') setEntered(true);
    else return;
    e.preventDefault();
  };
  const error = found.error ?? named.error;
  let count = 0;
  const group = ({ name, entries }: Section) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox
    <div key={name} role="group" aria-label={name}>
      <small aria-hidden="true">{name}</small>
      {entries.map((entry) => {
        const index = count++;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={keyOf(entry)}
            id={idOf(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(entry)}
            onPointerMove={() => setPicked(keyOf(entry))}
          >
            <Icon name={entry.icon} size={15} />
            <bdi class="ell">{entry.text}</bdi>
            {entry.note !== undefined && <span class="muted num">{entry.note}</span>}
          </div>
        );
      })}
    </div>
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it by keyboard
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={() => dialog.current && close()}
      onClick={(e) => e.target === dialog.current && close()}
    >
      <input
        class="inp"
        type="text"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={all.length > 0 ? idOf(chosen) : undefined}
        placeholder="Go to a page, a conversation, a person, a rule …"
        autocomplete="off"
        value={text}
        onInput={(e) => {
          setText(e.currentTarget.value);
          setPicked(undefined);
          setEntered(false);
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="Places">
        <div>{sections.map(group)}</div>
        {actions.length > 0 && group({ name: 'Do', entries: actions })}
      </div>
      {error !== undefined && <p class="none1">{errorTextOf(error).what}</p>}
    </dialog>
  );
}

const keyOf = ({ href, text }: Entry): string => `${href} ${text}`;
const idOf = (index: number): string => `palette-${index}`;

/** People, rules and playlists, which are few enough to be filtered here. */
async function readNamed(signal: AbortSignal): Promise<Section[]> {
  const { people, rules, playlists } = service();
  const [persons, all, lists] = await Promise.all([
    people.list({ signal }),
    rules.list({ signal }),
    playlists.list({ signal }),
  ]);
  return [
    {
      name: 'People',
      entries: persons.map(({ id, name, role }) => ({
        href: `/app/people/${encodeURIComponent(id)}`,
        icon: 'person',
        text: name,
        ...(role !== null && { note: role }),
      })),
    },
    {
      name: 'Rules',
      entries: all.map(({ id, name, is_enabled }) => ({
        href: is_enabled ? `/app/patterns?rule=${encodeURIComponent(id)}` : `/app/rules/${encodeURIComponent(id)}`,
        icon: 'rule',
        text: name,
        ...(!is_enabled && { note: 'not on' }),
      })),
    },
    {
      name: 'Playlists',
      entries: lists.map(({ id, name, items }) => ({
        href: `/app/playlists/${encodeURIComponent(id)}`,
        icon: 'list',
        text: name,
        note: `${items} ${items === 1 ? 'piece' : 'pieces'}`,
      })),
    },
    {
      name: 'Share',
      entries: lists
        .filter(({ items }) => items > 0)
        .map(({ id, name }) => ({
          href: `/app/playlists/${encodeURIComponent(id)}?share`,
          icon: 'share',
          text: `Share ${name}`,
        })),
    },
  ];
}

/** Conversations and lines in which the words occur. The last word may be unfinished. */
async function search(text: string, signal: AbortSignal): Promise<Section[]> {
  if (text.length < SEARCH_FROM) return [];
  const { conversations, patterns } = service();
  const q = /[\p{L}\p{N}]$/u.test(text) && !text.includes('"') ? `${text}*` : text;
  const [list, lines] = await Promise.all([
    conversations.list({ q, limit: 4 * MOST }, { signal }),
    patterns.lines({ q, limit: MOST_LINES, signal }),
  ]);
  // Those whose title has the words are meant more often than those in which they are said.
  const isTitled = (title: string): boolean => title.toLowerCase().includes(text.toLowerCase());
  const titled = list.conversations.filter((one) => isTitled(titleOf(one)));
  return [
    {
      name: 'Conversations',
      entries: (titled.length > 0 ? titled : list.conversations).slice(0, MOST).map((one) => ({
        href: `/app/conversations/${encodeURIComponent(one.conversation_id)}`,
        icon: 'file',
        text: titleOf(one),
        note: recordedOn(one),
      })),
    },
    {
      name: 'Seconds',
      entries: lines.lines.map(({ text: line, page, t_start, conversation }) => ({
        href: page,
        icon: 'play',
        text: `“${shortened(line, 80)}”`,
        note: `${shortened(conversation.title, 24)}, ${clock(t_start)}`,
      })),
    },
  ];
}

const thingsToDo = (q: string): Entry[] => [
  { href: `/app?${new URLSearchParams({ q })}`, icon: 'search', text: `List the conversations with “${q}”` },
  { href: `/app/patterns?${new URLSearchParams({ q })}`, icon: 'columns', text: `Show Patterns where “${q}” was said` },
];
