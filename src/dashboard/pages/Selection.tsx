import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { UndertoneError } from '../../sdk/error.ts';
import type { BatchRequest, ConversationEntry, ExportFormat, Receipt } from '../../sdk/wire.ts';
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
import type { ZipFile } from '../lib/zip.ts';

/** Limit on the conversations of one request. */
const MOST_AT_ONCE = 200;
/** Limit on a label, characters. */
const LABEL_CHARS = 60;

/** The selected conversations of the list. */
export interface Picked {
  entries: ReadonlyMap<string, ConversationEntry>;
  set: (entries: readonly ConversationEntry[], isOn: boolean) => void;
  clear: () => void;
  label: () => void;
  review: () => void;
  /** Asks whether one conversation is to be deleted, selected or not. */
  remove: (entry: ConversationEntry) => void;
}

/** The effect of an act on conversations. */
interface Outcome {
  done: ConversationEntry[];
  failed: { entry: ConversationEntry; error: unknown }[];
  /** One for each request that deleted any. */
  receipts: Receipt[];
}

const failureOf = ({ code, message }: { code: string; message: string }): unknown => new UndertoneError(code, message);

function* requestsOf(entries: readonly ConversationEntry[]): Generator<readonly ConversationEntry[], void> {
  for (let at = 0; at < entries.length; at += MOST_AT_ONCE) yield entries.slice(at, at + MOST_AT_ONCE);
}

const idsOf = (entries: readonly ConversationEntry[]): string[] => entries.map((entry) => entry.conversation_id);

const isEntry = (dialog: unknown): dialog is ConversationEntry =>
  typeof dialog === 'object' && !(dialog instanceof DOMRect);

/** One act on all of them, with one request unless they are very many. */
async function actOn(
  entries: readonly ConversationEntry[],
  act: Pick<BatchRequest, 'labels' | 'reviewed' | 'delete'>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [], receipts: [] };
  for (const some of requestsOf(entries)) {
    const { items, receipt } = await service().conversations.batch({ ids: idsOf(some), ...act });
    for (const [i, { outcome: how, error }] of items.entries())
      if (error) outcome.failed.push({ entry: some[i]!, error: failureOf(error) });
      else if (how === 'done') outcome.done.push(some[i]!);
    if (receipt) outcome.receipts.push(receipt);
  }
  return outcome;
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'conversation' : 'conversations'}`;

/** Says what was done, and what was not and why. */
function tell(
  done: string,
  { done: { length }, failed }: Pick<Outcome, 'failed'> & { done: readonly unknown[] },
  undo?: () => void,
): void {
  const [first] = failed;
  const rest = first ? ` ${failed.length} failed. ${titleOf(first.entry)}: ${errorTextOf(first.error).what}` : '';
  say(`${done}: ${countOf(length)}.${rest}`, length > 0 ? undo : undefined);
}

const sayFault = (error: unknown): void => say(errorTextOf(error).what);

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
  const [dialog, setDialog] = useState<'label' | 'delete' | ConversationEntry | DOMRect | undefined>(undefined);
  const [receipt, setReceipt] = useState<Outcome | undefined>(undefined);
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
  const analysed = chosen.filter(({ result }) => result !== null);
  const review = (): void => {
    // There is nothing to review without a result.
    if (analysed.length === 0) return;
    const reviewed = !analysed.every(({ reviewed_at }) => reviewed_at !== null);
    const mark = async (): Promise<void> => {
      const outcome = await actOn(analysed, { reviewed });
      const undo = (): void => void actOn(outcome.done, { reviewed: !reviewed }).then(again, sayFault);
      tell(reviewed ? 'Reviewed' : 'To review', outcome, undo);
      again();
    };
    void mark().catch(sayFault);
  };
  const picked: Picked = { entries, set, clear, label: () => setDialog('label'), review, remove: setDialog };
  const [a, b, ...others] = chosen;
  const isPair = a?.result && b?.result && others.length === 0;
  const isApart = a && b && !isPair && others.length === 0;
  const isAnalysed = analysed.length > 0;
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
          <Icon name="pen" size={15} /> Label <kbd>L</kbd>
        </button>
        <button
          type="button"
          class="btn ghost"
          disabled={!isAnalysed}
          title={isAnalysed ? undefined : 'There is no result to review yet'}
          aria-describedby={isApart && !isAnalysed ? 'why-apart' : undefined}
          onClick={review}
        >
          <Icon name="check" size={15} /> Reviewed <kbd>R</kbd>
        </button>
        <button
          type="button"
          class="btn ghost"
          aria-haspopup="menu"
          disabled={!isAnalysed}
          aria-describedby={isApart && !isAnalysed ? 'why-apart' : undefined}
          onClick={(e) => setDialog(e.currentTarget.getBoundingClientRect())}
        >
          <Icon name="download" size={15} /> Export
        </button>
        <button
          type="button"
          class="btn ghost"
          disabled={!isPair}
          aria-describedby={isApart ? 'why-apart' : undefined}
          onClick={() => a && b && route(`/app/compare?a=${a.conversation_id}&b=${b.conversation_id}`)}
        >
          <Icon name="compare" size={15} /> Compare two
        </button>
        {isApart && (
          <small id="why-apart">{`Only analysed conversations can be ${isAnalysed ? 'compared' : 'exported, compared or reviewed'}.`}</small>
        )}
        <button type="button" class="btn ghost danger" onClick={() => setDialog('delete')}>
          <Icon name="trash" size={15} /> Delete
        </button>
        <button
          type="button"
          class="btn icon ghost"
          aria-label="Clear the selection"
          title="Clear the selection"
          onClick={clear}
        >
          <Icon name="close" size={15} />
        </button>
      </section>
    ),
  );
  const close = (): void => setDialog(undefined);
  const deleting = dialog === 'delete' ? chosen : isEntry(dialog) ? [dialog] : undefined;
  return {
    picked,
    dialogs: (
      <>
        {dialog === 'label' && <LabelDialog entries={chosen} close={close} again={again} />}
        {deleting && (
          <DeleteDialog
            entries={deleting}
            close={close}
            deleted={(outcome) => {
              setReceipt(outcome);
              set(deleting, false);
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
              run: () => void exportAll(chosen, format).catch(sayFault),
            }))}
          />
        )}
        {receipt && <Deleted outcome={receipt} close={() => setReceipt(undefined)} />}
      </>
    ),
  };
}

/** Downloads one file, or an archive of several. */
async function exportAll(entries: readonly ConversationEntry[], format: ExportFormat): Promise<void> {
  say(`Exporting ${countOf(entries.length)}`);
  const failed: Outcome['failed'] = [];
  const files: ZipFile[] = [];
  for (const some of requestsOf(entries.filter(({ result }) => result !== null))) {
    const byId = new Map(some.map((entry) => [entry.conversation_id, entry]));
    for await (const file of service().conversations.exportFiles({ ids: idsOf(some), export: format })) {
      const entry = byId.get(file.conversation_id);
      if (entry && file.error) failed.push({ entry, error: failureOf(file.error) });
      else if (entry)
        files.push({ name: `${fileName(titleOf(entry))}.${format}`, content: new Blob([file.content ?? '']) });
    }
  }
  const [first] = files;
  if (files.length === 1 && first) save(first.content, first.name);
  else if (first) save(await (await import('../lib/zip.ts')).zipOf(files), 'conversations.zip');
  tell('Exported', { done: files, failed });
}

interface DialogProps {
  entries: readonly ConversationEntry[];
  close: () => void;
}

function LabelDialog({ entries, close, again }: DialogProps & { again: () => void }) {
  const known = [...new Set(entries.flatMap(({ labels }) => labels))].sort();
  const run = async (form: FormData): Promise<undefined> => {
    const label = String(form.get('label') ?? '').trim();
    const adds = form.get('act') !== 'remove';
    const act = (isAdded: boolean) => ({
      labels: { add: isAdded ? [label] : [], remove: isAdded ? [] : [label] },
    });
    const outcome = await actOn(entries, act(adds));
    const undo = (): void => void actOn(outcome.done, act(!adds)).then(again, sayFault);
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

function DeleteDialog({ entries, close, deleted }: DialogProps & { deleted: (outcome: Outcome) => void }) {
  const run = async (): Promise<undefined> => {
    deleted(await actOn(entries, { delete: true }));
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
function Deleted({ outcome: { done, failed, receipts }, close }: { outcome: Outcome; close: () => void }) {
  const removed = receipts.flatMap((one) => one.removed);
  const size = removed.reduce((sum, one) => sum + one.bytes, 0);
  const [receipt, ...more] = receipts;
  return (
    <Dialog title={done.length === 0 ? 'Nothing was deleted' : 'Deleted'} close={close}>
      {done.length > 0 && (
        <p>
          {countOf(done.length)}, {removed.length} {removed.length === 1 ? 'file' : 'files'}, {bytes(size)}.
        </p>
      )}
      {failed.length > 0 && (
        <ul class="failed1">
          {failed.map(({ entry, error }) => {
            const { what, remedy } = errorTextOf(error);
            return (
              <li key={entry.conversation_id}>
                <a href={`/app/conversations/${entry.conversation_id}`}>
                  <bdi>{titleOf(entry)}</bdi>
                </a>{' '}
                was kept: {what} {remedy}
              </li>
            );
          })}
        </ul>
      )}
      {receipt && (
        <button
          type="button"
          class="btn"
          onClick={() => {
            const text = JSON.stringify(more.length === 0 ? receipt : receipts, null, 2);
            save(new Blob([text], { type: 'application/json' }), 'deletion-receipt.json');
          }}
        >
          <Icon name="download" size={16} /> Save the receipt
        </button>
      )}
    </Dialog>
  );
}
