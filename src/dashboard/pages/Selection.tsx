import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ConversationEntry, DeletionReceipt, ExportFormat } from '../../sdk/wire.ts';
import { Dialog, Menu } from '../lib/dialog.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { bytes } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { usePageFoot } from '../lib/page.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { FORMATS, fileName, save } from '../lib/save.ts';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';

/** Requests of one act that run at the same time. */
const AT_ONCE = 4;
/** Limit on a label, characters. */
const LABEL_CHARS = 60;

/** The selected conversations of the list. */
export interface Picked {
  entries: ReadonlyMap<string, ConversationEntry>;
  set: (entries: readonly ConversationEntry[], isOn: boolean) => void;
  clear: () => void;
  label: () => void;
  review: () => void;
}

interface Outcome<T> {
  done: { entry: ConversationEntry; value: T }[];
  failed: { entry: ConversationEntry; error: unknown }[];
}

/** Runs one act for each conversation, some at a time. */
async function forEach<T>(
  entries: readonly ConversationEntry[],
  act: (entry: ConversationEntry) => Promise<T>,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: [] };
  const left = [...entries];
  const work = async (): Promise<void> => {
    for (let entry = left.shift(); entry; entry = left.shift())
      try {
        outcome.done.push({ entry, value: await act(entry) });
      } catch (error) {
        outcome.failed.push({ entry, error });
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'conversation' : 'conversations'}`;

/** Says what was done, and what was not and why. */
function tell(done: string, { done: { length }, failed }: Outcome<unknown>, undo?: () => void): void {
  const [first] = failed;
  const rest = first ? ` ${failed.length} failed: ${errorTextOf(first.error).what}` : '';
  say(`${done}: ${countOf(length)}.${rest}`, length > 0 ? undo : undefined);
}

/**
 * The selection of the list, with the bar of its acts below the page.
 * @param shown the conversations of the current page
 * @param address the filters; other filters clear the selection
 */
export function useSelection(
  shown: readonly ConversationEntry[],
  address: string,
  again: () => void,
): { picked: Picked; dialogs: JSX.Element | null } {
  const { route } = useLocation();
  const [entries, setEntries] = useState<ReadonlyMap<string, ConversationEntry>>(new Map());
  const [dialog, setDialog] = useState<'label' | 'delete' | DOMRect | undefined>(undefined);
  const [receipt, setReceipt] = useState<Outcome<DeletionReceipt> | undefined>(undefined);
  const clear = (): void => setEntries(new Map());
  useEffect(clear, [address]);
  // A conversation may have changed since it was selected.
  const current = new Map(shown.map((entry) => [entry.conversation_id, entry]));
  const chosen = [...entries].map(([id, entry]) => current.get(id) ?? entry);
  const set: Picked['set'] = (changed, isOn) =>
    setEntries((before) => {
      const after = new Map(before);
      for (const entry of changed)
        if (isOn) after.set(entry.conversation_id, entry);
        else after.delete(entry.conversation_id);
      return after;
    });
  const review = (): void => {
    const reviewed = !chosen.every(({ reviewed_at }) => reviewed_at !== null);
    const mark = (changed: readonly ConversationEntry[], isOn: (entry: ConversationEntry) => boolean) =>
      forEach(changed, (entry) => service().conversations.edit(entry.conversation_id, { reviewed: isOn(entry) }));
    void mark(chosen, () => reviewed).then((outcome) => {
      const undo = (): void => {
        const changed = outcome.done.map(({ entry }) => entry);
        void mark(changed, ({ reviewed_at }) => reviewed_at !== null).then(again);
      };
      tell(reviewed ? 'Reviewed' : 'To review', outcome, undo);
      again();
    });
  };
  const picked: Picked = { entries, set, clear, label: () => setDialog('label'), review };
  const [a, b, ...others] = chosen;
  const isPair = a?.result && b?.result && others.length === 0;
  usePageFoot(
    chosen.length === 0 ? null : (
      <section class="selbar" aria-label="Selection">
        <span role="status">
          <b class="num">{chosen.length}</b> selected{' '}
          <span class="muted num">
            {Math.round(chosen.reduce((sum, { result }) => sum + (result?.duration_s ?? 0), 0) / 60)} min
          </span>
        </span>
        <button type="button" class="btn ghost" onClick={picked.label}>
          Label <kbd>L</kbd>
        </button>
        <button type="button" class="btn ghost" onClick={review}>
          <Icon name="check" size={15} /> Reviewed <kbd>R</kbd>
        </button>
        <button
          type="button"
          class="btn ghost"
          aria-haspopup="menu"
          onClick={(e) => setDialog(e.currentTarget.getBoundingClientRect())}
        >
          <Icon name="download" size={15} /> Export
        </button>
        <button
          type="button"
          class="btn ghost"
          disabled={!isPair}
          onClick={() => a && b && route(`/app/compare?a=${a.conversation_id}&b=${b.conversation_id}`)}
        >
          <Icon name="compare" size={15} /> Compare two
        </button>
        <button type="button" class="btn ghost danger" onClick={() => setDialog('delete')}>
          <Icon name="trash" size={15} /> Delete
        </button>
        <button type="button" class="btn icon ghost" aria-label="Clear the selection" onClick={clear}>
          <Icon name="close" size={15} />
        </button>
      </section>
    ),
  );
  const close = (): void => setDialog(undefined);
  return {
    picked,
    dialogs: (
      <>
        {dialog === 'label' && <LabelDialog entries={chosen} close={close} again={again} />}
        {dialog === 'delete' && (
          <DeleteDialog
            entries={chosen}
            close={close}
            deleted={(outcome) => {
              setReceipt(outcome);
              clear();
              again();
            }}
          />
        )}
        {dialog instanceof DOMRect && (
          <Menu
            at={dialog}
            close={close}
            items={(Object.entries(FORMATS) as [ExportFormat, string][]).map(([format, label]) => ({
              icon: 'file',
              label,
              run: () => void exportAll(chosen, format),
            }))}
          />
        )}
        {receipt && <Receipt outcome={receipt} close={() => setReceipt(undefined)} />}
      </>
    ),
  };
}

/** Downloads one file, or an archive of several. */
async function exportAll(entries: readonly ConversationEntry[], format: ExportFormat): Promise<void> {
  say(`Exporting ${countOf(entries.length)}`);
  const outcome = await forEach(
    entries.filter(({ result }) => result !== null),
    async (entry) => ({
      name: `${fileName(titleOf(entry))}.${format}`,
      content: await service().conversations.export(entry.conversation_id, format),
    }),
  );
  const files = outcome.done.map(({ value }) => value);
  const [first] = files;
  if (files.length === 1 && first) save(first.content, first.name);
  else if (first) save(await (await import('../lib/zip.ts')).zipOf(files), 'conversations.zip');
  tell('Exported', outcome);
}

interface DialogProps {
  entries: readonly ConversationEntry[];
  close: () => void;
}

function LabelDialog({ entries, close, again }: DialogProps & { again: () => void }) {
  const known = [...new Set(entries.flatMap(({ labels }) => labels))].sort();
  const write = (labels: (entry: ConversationEntry) => string[], changed: readonly ConversationEntry[]) =>
    forEach(changed, (entry) => service().conversations.edit(entry.conversation_id, { labels: labels(entry) }));
  const run = async (form: FormData): Promise<undefined> => {
    const label = String(form.get('label') ?? '').trim();
    const adds = form.get('act') !== 'remove';
    const changed = entries.filter(({ labels }) => labels.includes(label) !== adds);
    const outcome = await write(
      ({ labels }) => (adds ? [...labels, label] : labels.filter((one) => one !== label)),
      changed,
    );
    const undo = (): void => {
      const written = outcome.done.map(({ entry }) => entry);
      void write(({ labels }) => labels, written).then(again);
    };
    tell(adds ? `Labelled ${label}` : `Label ${label} removed`, outcome, undo);
    again();
  };
  return (
    <Prompt title={`Label ${countOf(entries.length)}`} act="Save" close={close} run={run}>
      <label class="field">
        <span>Label</span>
        <input class="inp" type="text" name="label" required maxLength={LABEL_CHARS} list="labels" dir="auto" />
        <datalist id="labels">
          {known.map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </label>
      {known.length > 0 && (
        <label class="field">
          <span>What to do</span>
          <select class="inp" name="act">
            <option value="add">Add it</option>
            <option value="remove">Remove it</option>
          </select>
        </label>
      )}
    </Prompt>
  );
}

function DeleteDialog({
  entries,
  close,
  deleted,
}: DialogProps & { deleted: (outcome: Outcome<DeletionReceipt>) => void }) {
  const run = async (): Promise<undefined> => {
    deleted(await forEach(entries, ({ conversation_id: id }) => service().conversations.delete(id)));
  };
  return (
    <Prompt title={`Delete ${countOf(entries.length)}?`} act="Delete" isDangerous close={close} run={run}>
      <p>
        Recordings, transcripts and analyses are removed,{' '}
        {bytes(entries.reduce((sum, one) => sum + one.stored_bytes, 0))} in all. This cannot be undone.
      </p>
    </Prompt>
  );
}

/** One receipt for all that was deleted. */
function Receipt({ outcome: { done, failed }, close }: { outcome: Outcome<DeletionReceipt>; close: () => void }) {
  const receipts = done.map(({ value }) => value);
  const size = receipts.reduce((sum, one) => sum + one.bytes, 0);
  const objects = receipts.reduce((sum, one) => sum + one.objects.length, 0);
  return (
    <Dialog title="Deleted" close={close}>
      <p>
        {countOf(done.length)}, {objects} {objects === 1 ? 'file' : 'files'}, {bytes(size)}.
      </p>
      {failed.length > 0 && (
        <ul class="failed1">
          {failed.map(({ entry, error }) => (
            <li key={entry.conversation_id}>
              <b dir="auto">{titleOf(entry)}</b> was kept: {errorTextOf(error).what}
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        class="btn"
        onClick={() =>
          save(new Blob([JSON.stringify(receipts, null, 2)], { type: 'application/json' }), 'deletion-receipt.json')
        }
      >
        <Icon name="download" size={16} /> Save the receipt
      </button>
    </Dialog>
  );
}
