import { useEffect, useRef, useState } from 'preact/hooks';
import type { CreatedWebhook, CurrentKey, Delivery, Webhook, WebhookEvent } from '../../sdk/wire.ts';
import '../style/forms.css';
import '../style/keys.css';
import '../style/operations.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { hourOn, shortDay, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { refusedTo } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { ShownOnce } from '../lib/ShownOnce.tsx';
import { labelOf } from '../lib/scopes.ts';
import { administration, isOperator, service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';
import { EVENTS, EventName } from '../lib/webhook-events.tsx';
import { AccountSections } from './AccountSections.tsx';
import { AgainButton, type Column, conversationColumn, TableCard } from './OperationsTable.tsx';
import { WebhookForm } from './WebhookForm.tsx';

const TITLE = 'Webhooks';

/** Pause before the messages are read again while a test is on its way, ms. */
const TEST_MS = 1_000;

/** The card above the list: the form, for a new webhook or for one to change, or the secret of a new one. */
type Open = { kind: 'form'; of?: Webhook } | { kind: 'made'; webhook: CreatedWebhook };

/** The webhooks of the key's tenant, and the messages to each. Changing them needs the scope `analyze`. */
export function Webhooks() {
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const [going, setGoing] = useState<Webhook | undefined>(undefined);
  const [chosen, choose] = useState<string | undefined>(undefined);
  /** The ids of the last test and of its webhook, until its outcome is known. */
  const [test, setTest] = useState<{ to: string; id?: string } | undefined>(undefined);
  const { value, error, again } = useLoaded(async (signal) => {
    const [webhooks, key] = await Promise.all([
      service().webhooks.list({ signal }),
      service().keys.current({ signal }),
    ]);
    return { webhooks, key, mayChange: key.scopes.includes('analyze'), mayRead: key.scopes.includes('read') };
  }, []);
  const shown = value?.webhooks.find(({ id }) => id === chosen) ?? value?.webhooks[0];
  const messages = useLoaded(
    async (signal) => {
      if (!shown) return undefined;
      const list = await service().webhooks.deliveries(shown.id, { signal });
      return { of: shown.id, list, titles: value?.mayRead ? await titlesSince(list, signal) : undefined };
    },
    [shown?.id],
  );
  // Those of the webhook that was shown before stay until these are loaded.
  const list = messages.value?.of === shown?.id ? messages.value?.list : undefined;
  useEffect(() => {
    if (!test?.id || !list) return;
    const sent = list.find(({ id }) => id === test.id);
    if (test.to === shown?.id && (!sent || sent.status === 'pending')) {
      const timer = setTimeout(messages.again, TEST_MS);
      return () => clearTimeout(timer);
    }
    setTest(undefined);
    if (sent) say(sent.status === 'delivered' ? 'The test was delivered' : `The test failed: ${answerOf(sent)}`);
  }, [test, messages.value]);
  const sendTest = async (to: string): Promise<void> => {
    choose(to);
    setTest({ to });
    try {
      const { id } = await service().webhooks.test(to);
      setTest({ to, id });
      messages.again();
    } catch (reason) {
      setTest(undefined);
      say(errorTextOf(reason).what);
    }
  };
  if (!value)
    return (
      <Page title={TITLE}>
        <AccountSections current="webhooks" />
        {error === undefined ? (
          <div class="card sk late" role="status">
            Loading webhooks …
          </div>
        ) : (
          <ErrorMessage error={error} text={refusedTo(TITLE, error)} retry={again} />
        )}
      </Page>
    );
  const { webhooks, key, mayChange } = value;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={TITLE}
      lead={
        <>
          Addresses that get a signed message when an analysis ends, a rule or a saved view matches, or something is
          promised, in any conversation of <TenantOf of={key} />. <a href="/docs/webhooks">How to receive them</a>
        </>
      }
      tools={
        mayChange && (
          <button type="button" class="btn pri" onClick={() => setOpen({ kind: 'form' })}>
            <Icon name="plus" size={16} /> Add a webhook
          </button>
        )
      }
    >
      <AccountSections current="webhooks" />
      {error !== undefined && <ErrorMessage error={error} retry={again} />}
      {open?.kind === 'form' && (
        <WebhookForm
          key={open.of?.id ?? 'new'}
          of={open.of}
          close={close}
          made={(webhook) => {
            setOpen({ kind: 'made', webhook });
            again();
          }}
          changed={() => {
            close();
            say('Changed');
            again();
          }}
        />
      )}
      {open?.kind === 'made' && (
        <ShownOnce
          key={open.webhook.id}
          label="The new secret"
          noun="secret"
          secret={open.webhook.secret}
          variable="UNDERTONE_WEBHOOK_SECRET"
          heading={
            <>
              The secret of <bdi>{open.webhook.url}</bdi> <span class="muted">signs every message to it</span>
            </>
          }
          close={close}
        />
      )}
      {webhooks.length === 0 ? (
        <div class="card empty">
          <b>No webhook yet.</b>
          <p class="muted">
            {mayChange
              ? 'Add the address of your server, and it is told when an analysis ends.'
              : 'A key that may analyse can add one.'}
          </p>
        </div>
      ) : (
        <>
          {!mayChange && (
            <div class="notice">
              <Icon name="info" size={16} />
              <span>
                This key reads webhooks. A key that may analyse adds, changes, tests and removes them, and sends
                messages again.
              </span>
            </div>
          )}
          <TableCard<Webhook>
            name="Addresses"
            empty=""
            rows={webhooks}
            keyOf={({ id }) => id}
            columns={[
              ...columnsOf(({ id }) => id === shown?.id && isFailing(list)),
              {
                name: 'Actions',
                isUnnamed: true,
                width: mayChange ? '364px' : '110px',
                kind: 'r',
                of: (webhook) => (
                  <div class="acts">
                    <button
                      type="button"
                      class={`btn sm ${webhook === shown ? 'pri' : ''}`}
                      aria-pressed={webhook === shown}
                      onClick={() => choose(webhook.id)}
                    >
                      Messages<span class="vh"> to {webhook.url}</span>
                    </button>
                    {mayChange && (
                      <>
                        <button
                          type="button"
                          class="btn sm"
                          disabled={test !== undefined}
                          onClick={() => void sendTest(webhook.id)}
                        >
                          Send a test<span class="vh"> to {webhook.url}</span>
                        </button>
                        <button type="button" class="btn sm" onClick={() => setOpen({ kind: 'form', of: webhook })}>
                          Change<span class="vh"> {webhook.url}</span>
                        </button>
                        <button type="button" class="btn sm danger" onClick={() => setGoing(webhook)}>
                          Remove<span class="vh"> {webhook.url}</span>
                        </button>
                      </>
                    )}
                  </div>
                ),
              },
            ]}
          />
        </>
      )}
      {shown && (
        <Messages
          key={shown.id}
          to={shown}
          list={list}
          titles={messages.value?.titles}
          error={messages.error}
          again={messages.again}
          mayChange={mayChange}
        />
      )}
      {going && (
        <Prompt
          title="Remove the webhook"
          act="Remove"
          isDangerous
          close={() => setGoing(undefined)}
          run={async () => {
            await service().webhooks.delete(going.id);
            say('Removed');
            again();
            return undefined;
          }}
        >
          <p style={{ overflowWrap: 'anywhere' }}>
            <bdi>{going.url}</bdi> gets no more messages. Those that wait to be sent are dropped, and the list of its
            messages is deleted.
          </p>
        </Prompt>
      )}
    </Page>
  );
}

/** The tenant of the key, by its name where the visitor may know it. The operator may have chosen another one. */
function TenantOf({ of }: { of: CurrentKey }) {
  const mayKnow = isOperator.value || of.scopes.includes('admin');
  const { value: tenant } = useLoaded(
    async (signal) => (mayKnow ? administration().tenants.get(of.tenant, { signal }) : undefined),
    [of.tenant, mayKnow],
  );
  const by = of.source === 'sign_in' ? 'your tenant' : 'the tenant of your key ';
  const key = of.source !== 'sign_in' && <bdi>{labelOf(of)}</bdi>;
  // One without a name of its own is named after its key.
  if (!tenant || tenantName(tenant) === labelOf(of))
    return (
      <>
        {by}
        {key}
      </>
    );
  return (
    <>
      <b>
        <bdi>{tenantName(tenant)}</bdi>
      </b>{' '}
      ({by}
      {key})
    </>
  );
}

/** The type of a test. One that failed is not sent again: another one is. */
const TEST = 'webhook.test';

const EventNames = ({ events }: { events: readonly WebhookEvent[] }) =>
  events.length === Object.keys(EVENTS).length ? 'all' : events.map((event) => <EventName key={event} event={event} />);

/** Messages without which a receiver is not called failing: one that failed may be an accident. */
const NEWEST = 3;

/** Whether the newest messages that were sent all failed. */
function isFailing(list: readonly Delivery[] = []): boolean {
  const newest = list.filter(({ attempts }) => attempts > 0).slice(0, NEWEST);
  return newest.length === NEWEST && newest.every(({ status }) => status !== 'delivered');
}

const columnsOf = (fails: (webhook: Webhook) => boolean): readonly Column<Webhook>[] => [
  { name: 'Address', of: ({ url }) => <bdi>{url}</bdi>, title: ({ url }) => url },
  {
    name: 'Events',
    width: '20%',
    kind: 'whole',
    of: ({ events }) => <EventNames events={events} />,
    title: ({ events }) => events.join(', '),
  },
  {
    name: 'Status',
    width: '150px',
    of: (webhook) =>
      !webhook.is_enabled ? (
        <span class="chip bad">Off after 410</span>
      ) : fails(webhook) ? (
        <span class="chip bad">Last messages failed</span>
      ) : (
        <span class="chip ok">On</span>
      ),
    title: ({ is_enabled }) =>
      is_enabled
        ? ''
        : 'The receiver answered 410 (Gone), so it gets no more messages. Saving its address again ends that.',
  },
  { name: 'Added', width: '112px', kind: 'num', of: ({ created_at: at }) => shortDay(at) },
];

/** Time before the oldest message in which its conversation may have been created, ms. */
const BEFORE_MS = 86_400_000;

/** Titles of the conversations of messages, with one request: those of the hundred that were recorded last. */
async function titlesSince(list: readonly Delivery[], signal: AbortSignal): Promise<Map<string, string>> {
  const oldest = list.at(-1)?.created_at;
  if (oldest === undefined) return new Map();
  const created_after = new Date(Date.parse(oldest) - BEFORE_MS).toISOString();
  const { conversations } = await service().conversations.list({ limit: 100, created_after }, { signal });
  return new Map(conversations.map((one) => [one.conversation_id, titleOf(one)]));
}

/** The last hundred messages to a webhook, newest first. */
function Messages(p: {
  to: Webhook;
  list: readonly Delivery[] | undefined;
  titles: ReadonlyMap<string, string> | undefined;
  error: unknown;
  again: () => void;
  mayChange: boolean;
}) {
  const { to, list, titles, error, again, mayChange } = p;
  if (error !== undefined) return <ErrorMessage error={error} retry={again} />;
  if (!list)
    return (
      <div class="card sk late" role="status">
        Loading messages …
      </div>
    );
  const sendAgain: Column<Delivery> = {
    name: 'Again',
    isUnnamed: true,
    width: '124px',
    kind: 'r',
    of: ({ id, event }) =>
      event !== TEST && (
        <AgainButton
          name="Send again"
          done="The message is being sent again"
          run={() => service().webhooks.redeliver(to.id, id)}
          again={again}
        />
      ),
  };
  return (
    <TableCard<Delivery>
      name={`Messages to ${to.url}`}
      empty="None yet. The next analysis that ends, or a test, sends the first."
      below="The last hundred are listed. A message that fails is sent again for a day, a test is sent once."
      rows={list}
      // A message that is sent again can be sent again once more.
      keyOf={({ id, status, last_attempt_at: at }) => `${id} ${status} ${at}`}
      columns={mayChange ? [...columnsOfMessages(titles), sendAgain] : columnsOfMessages(titles)}
    >
      <div class="in2 row">
        <button type="button" class="btn sm" onClick={again}>
          <Icon name="rotate" size={14} /> Refresh
        </button>
        {mayChange && <SendAllAgain to={to.id} failed={list.filter(isFailedEvent)} again={again} />}
      </div>
    </TableCard>
  );
}

const isFailedEvent = ({ status, event }: Delivery): boolean => status === 'failed' && event !== TEST;

/** Sends every failed message again, one after another. One alone has a button in its row. */
function SendAllAgain({ to, failed, again }: { to: string; failed: readonly Delivery[]; again: () => void }) {
  const [sending, setSending] = useState<string | undefined>(undefined);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const all = failed.length;
  const send = async (): Promise<void> => {
    let sent = 0;
    let fault: unknown;
    for (const [i, { id }] of failed.entries()) {
      if (isLeft.current) return;
      setSending(`Sending ${i + 1} of ${all} …`);
      try {
        await service().webhooks.redeliver(to, id);
        sent++;
      } catch (error) {
        fault = error;
      }
    }
    setSending(undefined);
    say(`${sent} of ${all} messages are being sent again.${fault ? ` ${errorTextOf(fault).what}` : ''}`);
    again();
  };
  if (all < 2 && sending === undefined) return null;
  return (
    <>
      <button type="button" class="btn sm" disabled={sending !== undefined} onClick={() => void send()}>
        Send all {all} failed ones again
      </button>
      <span class="muted num" role="status">
        {sending}
      </span>
    </>
  );
}

const STATUSES: Readonly<Record<Delivery['status'], readonly [kind: string, word: string]>> = {
  delivered: ['ok', 'Delivered'],
  pending: ['warn', 'Waiting'],
  failed: ['bad', 'Failed'],
};
const FAILING = ['bad', 'Failing'] as const;

function StatusOf({ of: { status, attempts } }: { of: Delivery }) {
  const [kind, word] = status === 'pending' && attempts > 0 ? FAILING : STATUSES[status];
  return <span class={`chip ${kind}`}>{word}</span>;
}

/** The result of the last attempt in words. */
function answerOf({ attempts, last_status: status, last_error: error, next_attempt_at: next }: Delivery): string {
  if (attempts === 0) return 'not sent yet';
  const after = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return `${status ?? error ?? 'no answer'} ${after}${next ? `, again at ${hourOn(next)}` : ''}`;
}

const columnsOfMessages = (titles?: ReadonlyMap<string, string>): readonly Column<Delivery>[] => [
  { name: 'Created', width: '112px', kind: 'num', of: ({ created_at: at }) => shortDay(at) },
  {
    name: 'Event',
    width: '174px',
    kind: 'whole',
    of: ({ event }) => <EventName event={event} />,
    title: ({ event }) => event,
  },
  { ...conversationColumn<Delivery>(titles), width: '26%' },
  {
    name: 'Status',
    width: '106px',
    of: (message) => <StatusOf of={message} />,
  },
  {
    name: 'Answer',
    kind: 'num',
    of: answerOf,
    title: (of) => [answerOf(of), of.last_error].filter(Boolean).join('. '),
  },
];
