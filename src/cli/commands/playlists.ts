import { type Command, InvalidArgumentError } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { NewPlaylistItemRequest, NewPlaylistShareRequest, PlaylistItem } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

interface PlaylistsCommand extends ServiceOptions {
  json?: true;
  from?: number;
  to?: number;
  note?: string;
  position?: number;
  days?: number;
  label?: string;
  names?: true;
}

export function addPlaylists(program: Command, run: CommandRun): void {
  const group = program.command('playlists').description('Collect pieces of conversations');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: PlaylistsCommand) => clientOf(options, run.onRetry).playlists;
  const { signal } = run;

  command('list', 'List all playlists').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<PlaylistsCommand>();
    const playlists = await client(options).list({ signal });
    if (options.json) return print(JSON.stringify(playlists));
    if (playlists.length === 0) run.note('There are no playlists.');
    const rows = playlists.map(({ id, name, items, seconds }) => [id, plain(name), `${items} items`, clockOf(seconds)]);
    if (rows.length > 0) await print(table(rows, outputOf(process.stdout)));
  });

  command('create', 'Add a playlist, and print the id')
    .argument('<name>')
    .action(async (name: string, _, self: Command) => {
      const options = self.optsWithGlobals<PlaylistsCommand>();
      const created = await client(options).create(name, { signal });
      await print(options.json ? JSON.stringify(created) : created.id);
    });

  command('show', 'Show the items of a playlist')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<PlaylistsCommand>();
      const playlist = await client(options).get(id, { signal });
      if (options.json) return print(JSON.stringify(playlist));
      if (playlist.list.length === 0) run.note('This playlist is empty.');
      else await print(table(playlist.list.map(rowOf), outputOf(process.stdout)));
    });

  command('add', 'Add a piece of a conversation, and print the id of the item')
    .argument('<id>', 'the id of a playlist')
    .argument('<conversation>', 'the id of a conversation')
    .requiredOption('--from <s>', 'where the piece begins, in seconds', secondsIn)
    .requiredOption('--to <s>', 'where it ends, in seconds', secondsIn)
    .option('--note <text>', 'your own words about it')
    .option('--position <n>', 'the place in the list, counted from 0; default: the end', wholeNumber)
    .action(async (id: string, conversation: string, _, self: Command) => {
      const options = self.optsWithGlobals<PlaylistsCommand>();
      const { from = 0, to = 0, note, position } = options;
      const piece: NewPlaylistItemRequest = {
        conversation_id: conversation,
        from,
        to,
        ...(note !== undefined && { note }),
        ...(position !== undefined && { position }),
      };
      const added = await client(options).add(id, piece, { signal });
      await print(options.json ? JSON.stringify(added) : added.id);
    });

  command('remove', 'Remove an item from a playlist')
    .argument('<id>', 'the id of a playlist')
    .argument('<item>', 'the id of an item')
    .action(async (id: string, item: string, _, self: Command) => {
      const options = self.optsWithGlobals<PlaylistsCommand>();
      await client(options).remove(id, item, { signal });
      if (options.json) return print(JSON.stringify({ removed: item }));
      run.note(`Removed: ${item}`);
    });

  command('share', 'Share a playlist, and print the path of the link, which is shown only once')
    .argument('<id>')
    .option('--days <n>', 'how long the link works', wholeNumber)
    .option('--label <text>', 'whom it is for')
    .option('--names', 'with the names of speakers and the titles of conversations')
    .action(async (id: string, _, self: Command) => {
      const { days, label, names, ...options } = self.optsWithGlobals<PlaylistsCommand>();
      const share: NewPlaylistShareRequest = {
        hide_names: !names,
        ...(days !== undefined && { days }),
        ...(label !== undefined && { label }),
      };
      const made = await client(options).share(id, share, { signal });
      await print(options.json ? JSON.stringify(made) : made.path);
    });

  command('delete', 'Delete a playlist; the conversations stay')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<PlaylistsCommand>();
      await client(options).delete(id, { signal });
      if (options.json) return print(JSON.stringify({ deleted: id }));
      run.note(`Deleted: ${id}`);
    });
}

function secondsIn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of seconds.');
  return value;
}

const rowOf = ({ id, from, to, conversation, quote, note }: PlaylistItem): string[] => [
  ...[id, `${clockOf(from)} to ${clockOf(to)}`],
  plain(conversation.title),
  plain(quote ?? ''),
  plain(note),
];
