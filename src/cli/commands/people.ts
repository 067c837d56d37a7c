import { type Command, InvalidArgumentError } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { NewPersonRequest, Person, Proposals } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';

interface PeopleCommand extends ServiceOptions {
  json?: true;
  role?: string;
  externalId?: string;
}

export function addPeople(program: Command, run: CommandRun): void {
  const group = program.command('people').description('Say who speaks: add, list, assign and remove people');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: PeopleCommand) => clientOf(options, run.onRetry);
  const { signal } = run;

  command('list', 'List all people').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<PeopleCommand>();
    const people = await client(options).people.list({ signal });
    if (options.json) return print(JSON.stringify(people));
    if (people.length === 0) run.note('There are no people.');
    else await print(table(people.map(rowOf), outputOf(process.stdout)));
  });

  command('create', 'Add a person, and print the id')
    .argument('<name>')
    .option('--role <role>', 'the role, such as agent')
    .option('--external-id <id>', 'the id in another system')
    .action(async (name: string, _, self: Command) => {
      const options = self.optsWithGlobals<PeopleCommand>();
      const person: NewPersonRequest = {
        name,
        ...(options.role !== undefined && { role: options.role }),
        ...(options.externalId !== undefined && { external_id: options.externalId }),
      };
      const created = await client(options).people.create(person, { signal });
      await print(options.json ? JSON.stringify(created) : created.id);
    });

  command('assign', 'Say who the speakers of a conversation are')
    .argument('<conversation>', 'the id of a conversation')
    .argument(
      '<speakers...>',
      'a label and the id of a person, such as Speaker_0=person_5b1f; no id removes the person',
    )
    .action(async (id: string, speakers: string[], _, self: Command) => {
      const options = self.optsWithGlobals<PeopleCommand>();
      const people = Object.fromEntries(speakers.map(assigned));
      const record = await client(options).conversations.edit(id, { people }, { signal });
      if (options.json) return print(JSON.stringify(record));
      for (const [label, { name }] of Object.entries(record.people)) await print(`${label}  ${plain(name)}`);
    });

  command('proposals', 'Show which names and roles the speakers of a conversation may have')
    .argument('<conversation>', 'the id of a conversation')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<PeopleCommand>();
      const proposals = await client(options).conversations.proposals(id, { signal });
      if (options.json) return print(JSON.stringify(proposals));
      const lines = linesOf(proposals);
      if (lines.length === 0) run.note('Nothing is proposed.');
      else await print(lines.join('\n'));
    });

  command('delete', 'Remove a person, and the name from all conversations')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<PeopleCommand>();
      const removal = await client(options).people.delete(id, { signal });
      if (options.json) return print(JSON.stringify(removal));
      run.note(`Removed: ${id}, from ${removal.conversations} conversations (${removal.pending} still being written)`);
    });
}

const rowOf = ({ id, name, role, conversations }: Person): string[] => [
  ...[id, plain(name), plain(role ?? '-')],
  `${conversations} conversations`,
];

function assigned(text: string): [label: string, id: string | null] {
  const [label = '', id] = text.split('=', 2);
  if (id === undefined) throw new InvalidArgumentError('It must be a label and an id, such as Speaker_0=person_5b1f.');
  return [label, id === '' ? null : id];
}

const linesOf = ({ names, roles }: Proposals): string[] => [
  ...names.map(
    ({ speaker, name, sure, t_start, quote }) =>
      `${speaker}  ${plain(name)}${sure ? '' : ' (not sure)'}  ${clockOf(t_start)}  ${plain(quote)}`,
  ),
  ...roles.map(({ speaker, role, confidence }) => `${speaker}  ${role}  ${confidence}`),
];
