import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { CreatedWebhook, Webhook, WebhookEvent } from '../../sdk/index.ts';
import { type VerifiedMessage, verify } from '../../sdk/webhooks.ts';
import { Misuse } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

const KNOWN: Readonly<Record<WebhookEvent, true>> = {
  'analysis.completed': true,
  'analysis.failed': true,
  'analysis.cancelled': true,
  'rule.matched': true,
  'view.matched': true,
  'commitment.made': true,
};
const EVENTS = Object.keys(KNOWN) as WebhookEvent[];
/** Size limit of a received message, bytes. The service's own messages are far smaller. */
const MAX_MESSAGE_BYTES = 64 * 1024;

interface WebhooksCommand extends ServiceOptions {
  json?: true;
  events?: WebhookEvent[];
  port?: number;
  address?: string;
}

const eventsOf = (text: string): WebhookEvent[] =>
  text.split(',').map((name) => {
    const event = EVENTS.find((one) => one === name.trim());
    if (event === undefined) throw new InvalidArgumentError(`${name} is not one of ${EVENTS.join(', ')}.`);
    return event;
  });

export function addWebhooks(program: Command, run: CommandRun): void {
  const group = program
    .command('webhooks')
    .description(
      'Receive webhook messages on this machine; create, list, change, test and remove webhooks, and send messages again',
    );
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: WebhooksCommand) => clientOf(options, run.onRetry).webhooks;
  const { signal } = run;

  addListen(command('listen', 'Receive messages on this machine and print them, until Ctrl-C'), run);

  command('create', 'Create a webhook; its secret is shown only once')
    .argument('<url>')
    .option('--events <list>', `events, from ${EVENTS.join(',')}; default: all`, eventsOf)
    .action(async (url: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const created = await client(options).create({ url, ...eventsIn(options) }, { signal });
      if (options.json) return print(JSON.stringify(created));
      run.note(`${created.id}. This is the only time the secret is shown:`);
      await print(created.secret);
    });

  command('list', 'List all webhooks').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<WebhooksCommand>();
    const webhooks = await client(options).list({ signal });
    if (options.json) return print(JSON.stringify(webhooks));
    if (webhooks.length === 0) run.note('There are no webhooks.');
    else await print(table(webhooks.map(rowOf), outputOf(process.stdout)));
  });

  command('update', 'Change the address or the events of a webhook; its secret stays the same')
    .argument('<id>')
    .option('--address <url>', 'the new address; waiting messages go to it, too')
    .option('--events <list>', `events, from ${EVENTS.join(',')}`, eventsOf)
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const { address: url, events } = options;
      if (url === undefined && events === undefined) throw new Misuse('Give --address, --events or both');
      const changed = await client(options).update(id, { ...(url && { url }), ...eventsIn(options) }, { signal });
      if (options.json) await print(JSON.stringify(changed));
      else run.note(`Changed: ${changed.id}`);
    });

  command('test', 'Send a test message to a webhook')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const sent = await client(options).test(id, { signal });
      if (options.json) await print(JSON.stringify(sent));
      else run.note(`Being sent: ${sent.id}. Its outcome: undertone webhooks deliveries ${id}`);
    });

  command('deliveries', 'List the last hundred messages of a webhook, newest first')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const deliveries = await client(options).deliveries(id, { signal });
      if (options.json) return print(JSON.stringify(deliveries));
      const rows = deliveries.map((one) => [
        ...[one.id, one.created_at.slice(0, 16).replace('T', ' '), one.event, one.status, `${one.attempts} attempts`],
        plain(one.last_error ?? ''),
      ]);
      if (rows.length === 0) run.note('There are no messages.');
      else await print(table(rows, outputOf(process.stdout)));
    });

  command('redeliver', 'Send a message again, with the full number of attempts')
    .argument('<id>', 'the webhook')
    .argument('<delivery>', 'the id of the message, from deliveries')
    .action(async (id: string, delivery: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const sent = await client(options).redeliver(id, delivery, { signal });
      if (options.json) await print(JSON.stringify(sent));
      else run.note(`Will be sent again: ${sent.id}`);
    });

  command('delete', 'Remove a webhook and the messages it has not received')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      await client(options).delete(id, { signal });
      if (options.json) await print(JSON.stringify({ id }));
      else run.note(`Removed: ${id}`);
    });
}

const eventsIn = ({ events }: WebhooksCommand): { events?: WebhookEvent[] } => (events === undefined ? {} : { events });

const rowOf = ({ id, url, events, is_enabled }: Webhook): string[] => [
  ...[id, is_enabled ? 'enabled' : 'disabled', events.length === EVENTS.length ? 'all' : events.join(',')],
  plain(url),
];

function addListen(command: Command, run: CommandRun): void {
  command
    .option('--events <list>', `events, from ${EVENTS.join(',')}; default: all`, eventsOf)
    .option('--port <n>', 'port on this machine; default: a free one', wholeNumber)
    .option('--address <url>', 'public URL that forwards to the port, for a service on another machine')
    .addHelpText(
      'after',
      `
A service reaches this machine only if it runs here with ALLOW_PRIVATE_TARGETS=true, or through a tunnel.

Examples:
  $ undertone webhooks listen
  $ undertone webhooks listen --port 9999 --address https://my-tunnel.example.com`,
    )
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<WebhooksCommand>();
      const { webhooks } = clientOf(options, run.onRetry);
      let created: Promise<CreatedWebhook> | undefined;
      // A message may arrive before the answer that contains the secret.
      const secret = async () => (await created)?.secret ?? '';
      const received = (message: VerifiedMessage) => print(options.json ? JSON.stringify(message) : lineOf(message));
      const { server, port } = await receiver(options.port ?? 0, secret, received, run);
      try {
        const url = options.address ?? `http://127.0.0.1:${port}/`;
        created = webhooks.create({ url, ...eventsIn(options) }, { signal: run.signal });
        const webhook = await created;
        run.note(`Listening at ${url} until Ctrl-C. The secret of this run: ${webhook.secret}`);
        try {
          if (!run.signal.aborted) await once(run.signal, 'abort');
        } finally {
          // Otherwise the service would keep sending to a closed port.
          await webhooks.delete(webhook.id);
        }
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
}

/** A server on this machine that accepts signed messages and refuses everything else. @throws Misuse if the port is in use */
async function receiver(
  port: number,
  secret: () => Promise<string>,
  received: (message: VerifiedMessage) => Promise<void>,
  run: CommandRun,
): Promise<{ server: Server; port: number }> {
  const server = createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status, { Connection: 'close' }).end();
    if (request.method !== 'POST') return answer(405);
    if (!(Number(request.headers['content-length']) <= MAX_MESSAGE_BYTES)) return answer(413);
    try {
      const body = await buffer(request);
      const message = await verify({ headers: request.headers, body }, await secret());
      await received(message);
      answer(204);
    } catch (error) {
      run.note(`Refused: ${plain(error instanceof Error ? error.message : String(error))}`);
      answer(400);
    }
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Misuse(`Port ${port} cannot be used: ${error instanceof Error ? error.message : error}`);
  }
  return { server, port: (server.address() as AddressInfo).port };
}

function lineOf({ timestamp, type, data }: VerifiedMessage): string {
  const when = timestamp.slice(0, 19).replace('T', ' ');
  if (type === 'webhook.test') return `${when}  ${type}`;
  const why = data.error === undefined ? [] : [plain(`${data.error.code}: ${data.error.message}`)];
  const rule = data.rule === undefined ? [] : [plain(data.rule.name)];
  return [when, type, plain(data.conversation_id), ...rule, ...why].join('  ');
}
