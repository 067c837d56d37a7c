import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Receipt, ReceiptKind } from '../../sdk/wire.ts';
import '../style/operations.css';
import '../style/pills.css';
import { keyName } from '../lib/access-acts.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { bytes, day } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Unready } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { REDACTIONS } from '../lib/redaction-kinds.ts';
import { save } from '../lib/save.ts';
import { shortId } from '../lib/scopes.ts';
import { Scrolling } from '../lib/scrolling.tsx';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';
import { type Column, conversationColumn, Table } from './OperationsTable.tsx';

const TITLE = 'Receipts';
const KIND_NAMES: Readonly<Record<ReceiptKind, string>> = {
  deletion: 'Deleted',
  deletions: 'Several deleted',
  retention: 'Deleted by retention',
  redaction: 'Redacted',
  redactions: 'Redacted by a filter',
};

/** Names of what receipts have the ids of. */
interface Names {
  /** The key of this browser. */
  own: string;
  /** Labels of the tenant's keys. Empty for a key that may not manage them. */
  keys: ReadonlyMap<string, string>;
  /** Titles of the hundred conversations that were recorded last. */
  titles: ReadonlyMap<string, string>;
}

async function readNames(signal: AbortSignal): Promise<Names> {
  const { keys, conversations } = service();
  const { id: own, scopes } = await keys.current({ signal });
  const [labelled, listed] = await Promise.all([
    scopes.includes('admin') ? keys.list({ signal }) : undefined,
    scopes.includes('read') ? conversations.list({ limit: 100 }, { signal }) : undefined,
  ]);
  return {
    own,
    keys: new Map(labelled?.keys.map(({ id, label }) => [id, label])),
    titles: new Map(listed?.conversations.map((one) => [one.conversation_id, titleOf(one)])),
  };
}

/** Everything that was deleted or redacted, newest first. */
export function Receipts() {
  const { query, route } = useLocation();
  const { conversation } = query;
  const kind = query.kind as ReceiptKind | undefined;
  const [older, setOlder] = useState<{ of: string; receipts: readonly Receipt[]; next: string | null } | undefined>();
  const asked = { conversation_id: conversation, kind };
  const { value, error, again } = useLoaded(
    (signal) => service().redactions.receipts({ ...asked, signal }),
    [conversation, kind],
  );
  // Receipts can be read without them.
  const { value: names } = useLoaded(readNames, []);
  if (error !== undefined || !value) return <Unready title={TITLE} error={error} again={again} />;
  const of = `${conversation} ${kind}`;
  const [more, next] = older?.of === of ? [older.receipts, older.next] : [[], value.next_cursor];
  const rows = [...value.receipts, ...more];
  const readOn = async (): Promise<void> => {
    try {
      const page = await service().redactions.receipts({ ...asked, cursor: next ?? undefined });
      setOlder({ of, receipts: [...more, ...page.receipts], next: page.next_cursor });
    } catch (reason) {
      say(errorTextOf(reason).what);
    }
  };
  const choose = (chosen: string): void => {
    const wanted = { ...(conversation && { conversation }), ...(chosen && { kind: chosen }) };
    route(`/app/receipts?${new URLSearchParams(wanted)}`);
  };
  return (
    <Page
      title={TITLE}
      lead="What was deleted and redacted, when and by whom. Receipts contain no words, are signed, and are kept for 400 days."
      tools={
        <a class="btn ghost" href="/app">
          All conversations
        </a>
      }
    >
      <Scrolling name={conversation ? 'Of one conversation' : 'All receipts'} kind="ops">
        <div class="in2 row asked">
          <label>
            Kind{' '}
            <select class="pill" value={kind ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">all</option>
              {Object.entries(KIND_NAMES).map(([name, word]) => (
                <option key={name} value={name}>
                  {word}
                </option>
              ))}
            </select>
          </label>
          {conversation && (
            <a class="btn sm" href={`/app/receipts${kind ? `?kind=${kind}` : ''}`}>
              Show those of all conversations
            </a>
          )}
        </div>
        {rows.length === 0 ? (
          <p class="muted in2">
            {conversation || kind
              ? 'There is no such receipt in the last 400 days.'
              : 'Nothing was deleted or redacted in the last 400 days.'}
          </p>
        ) : (
          <Table<Receipt> rows={rows} keyOf={({ receipt_id: id }) => id} columns={columnsOf(names)} />
        )}
        {next !== null && (
          <div class="in2 row">
            <span class="muted num">The newest {rows.length} are shown.</span>
            <button type="button" class="btn sm" onClick={() => void readOn()}>
              Show older ones
            </button>
          </div>
        )}
      </Scrolling>
    </Page>
  );
}

const columnsOf = (names: Names | undefined): readonly Column<Receipt>[] => [
  { name: 'When', width: '156px', kind: 'num', of: ({ at }) => day(at) },
  { name: 'What', width: '160px', of: ({ kind }) => KIND_NAMES[kind] },
  {
    name: 'Conversation',
    width: '300px',
    of: ({ conversation_id: id, kind }) => {
      if (id === null) return 'several';
      if (kind !== 'redaction') return <span class="mono muted">{id}</span>;
      return conversationColumn(names?.titles).of({ conversation_id: id });
    },
    title: ({ conversation_id: id }) => id ?? '',
  },
  { name: 'By', width: '20%', of: ({ by }) => byOf(by, names), title: ({ by }) => by },
  { name: 'Content', of: contentOf, title: contentOf },
  {
    name: 'Download',
    isUnnamed: true,
    width: '120px',
    kind: 'r',
    of: (receipt) => (
      <button
        type="button"
        class="btn sm"
        onClick={() => save(new Blob([JSON.stringify(receipt)]), `receipt-${receipt.receipt_id}.json`)}
      >
        <Icon name="download" size={14} /> Download
      </button>
    ),
  },
];

/** The key or person of a receipt: its name in words and the short form of its id. */
function byOf(by: string, names: Names | undefined) {
  if (!by.startsWith('key ')) return <bdi>{by.replace(/^person /, '')}</bdi>;
  const id = by.slice('key '.length);
  const name = keyName({ key_id: id, key_label: names?.keys.get(id) || null });
  const isOwn = id === names?.own;
  if (name === id && !isOwn) return <span class="mono">{shortId(id)}</span>;
  return (
    <>
      <bdi>{name === id ? 'Your key' : name}</bdi>
      {isOwn && name !== id && ' (your key)'}
      <small class="mono id2">{shortId(id)}</small>
    </>
  );
}

/** The content of a receipt in numbers. */
function contentOf({ redaction, conversations, conversation_ids: ids, removed }: Receipt): string {
  if (conversations) {
    const { redacted, on_hold, failed, verified } = conversations;
    const rest = [on_hold > 0 && `${on_hold} on hold`, failed > 0 && `${failed} failed`].filter((part) => part);
    return [`${redacted} redacted, ${verified} of them verified`, ...rest].join(', ');
  }
  if (redaction) {
    const counts = Object.entries(redaction.counts)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${REDACTIONS[kind as keyof typeof REDACTIONS]}: ${count}`);
    return `${counts.join(', ') || 'nothing found'}; ${redaction.verified ? 'verified' : 'not verified'}`;
  }
  const several = ids ? `${ids.length} conversations, ` : '';
  return `${several}${removed.length} stored files, ${bytes(removed.reduce((sum, one) => sum + one.bytes, 0))}`;
}
