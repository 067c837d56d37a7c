import type { Command } from 'commander';
import { UndertoneError, type View } from '../../sdk/index.ts';
import { queryOfView } from '../../sdk/page-filters.ts';
import { Misuse } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';
import { printCommitments } from './commitments.ts';
import { printConversations } from './conversations.ts';
import { printMoments } from './patterns.ts';

/** The pages with views, by their paths in the dashboard. */
const PAGES: Readonly<Record<string, View['page']>> = {
  '/app': 'conversations',
  '/app/patterns': 'patterns',
  '/app/commitments': 'commitments',
};

interface ViewsCommand extends ServiceOptions {
  json?: true;
  page: View['page'];
  tell?: true;
  off?: true;
  limit: number;
}

export function addViews(program: Command, run: CommandRun): void {
  const group = program.command('views').description('Keep filters under a name, and tell when something new matches');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: ViewsCommand) => clientOf(options, run.onRetry);
  const { signal } = run;

  command('list', 'List all saved views').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<ViewsCommand>();
    const views = await client(options).views.list({ signal });
    if (options.json) return print(JSON.stringify(views));
    if (views.length === 0) run.note('There are no views.');
    else await print(table(views.map(rowOf), outputOf(process.stdout)));
  });

  command('add', 'Save filters under a name, and print the id')
    .argument('<name>')
    .argument('<filters>', 'as in the address of the page: category=objection, or the whole address')
    .option('--page <page>', 'conversations, patterns or commitments', 'patterns')
    .option('--tell', 'report new conversations that match to the webhook view.matched')
    .action(async (name: string, filters: string, _, self: Command) => {
      const options = self.optsWithGlobals<ViewsCommand>();
      const { page, tell } = options;
      const view = { name, page, ...filtersOf(filters), ...(tell && { tell }) };
      const created = await client(options).views.create(view, { signal });
      await print(options.json ? JSON.stringify(created) : created.id);
    });

  command('show', 'Show what matches a view')
    .argument('<id>')
    .option('--limit <n>', 'how many to show, at most 100', wholeNumber, 20)
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ViewsCommand>();
      const { limit } = options;
      const { views, patterns, conversations, commitments } = client(options);
      const view = (await views.list({ signal })).find((one) => one.id === id);
      if (!view) throw new UndertoneError('NOT_FOUND', `There is no view ${id}`, { status: 404 });
      const asked = queryOfView(view);
      if (asked.page === 'patterns') {
        const list = await patterns.moments({ ...asked.query, limit, signal });
        if (options.json) await print(JSON.stringify(list));
        else await printMoments(list, run);
      } else if (asked.page === 'conversations') {
        const list = await conversations.list({ ...asked.query, limit }, { signal });
        if (options.json) await print(JSON.stringify(list));
        else await printConversations(list.conversations, run);
      } else {
        const list = await commitments.list({ ...asked.query, limit, signal });
        if (options.json) await print(JSON.stringify(list));
        else await printCommitments(list.commitments, run);
      }
    });

  command('tell', 'Report new conversations that match to the webhook view.matched')
    .argument('<id>')
    .option('--off', 'stop reporting them')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ViewsCommand>();
      const view = await client(options).views.edit(id, { tell: !options.off }, { signal });
      if (options.json) await print(JSON.stringify(view));
      else run.note(`${view.tell ? 'Reports' : 'Does not report'} new matches: ${plain(view.name)}`);
    });

  command('remove', 'Remove a view')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ViewsCommand>();
      await client(options).views.delete(id, { signal });
      if (options.json) return print(JSON.stringify({ removed: id }));
      run.note(`Removed: ${id}`);
    });
}

/** Filters alone, or with the page of an address of the dashboard. @throws Misuse for an address of another page */
function filtersOf(text: string): Pick<View, 'query'> & Partial<Pick<View, 'page'>> {
  const address = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)(?:\?([^#]*))?/i.exec(text);
  if (!address) return { query: text.replace(/^\?/, '') };
  const [, path = '', query = ''] = address;
  const page = PAGES[path.replace(/\/$/, '')];
  if (page === undefined) throw new Misuse(`${plain(path)} has no views; ${Object.keys(PAGES).join(', ')} have`);
  return { page, query };
}

const rowOf = ({ id, name, page, query, tell }: View): string[] => [
  id,
  page,
  tell ? 'tells' : '',
  plain(name),
  plain(query) || 'everything',
];
