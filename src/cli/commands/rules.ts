import type { Command } from 'commander';
import { clockOf, recordedOn } from '../../mcp/links.ts';
import type { NewRuleRequest, Rule, RuleMatch, RuleTryResult } from '../../sdk/index.ts';
import { objectIn } from '../json-input.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

interface RulesCommand extends ServiceOptions {
  json?: true;
  name?: string;
  alert?: boolean;
  enable?: true;
  limit: number;
}

const FILE = 'a JSON file, or - for standard input';

export function addRules(program: Command, run: CommandRun): void {
  const group = program
    .command('rules')
    .description('Find what is said and what happens in every conversation: try, create, enable and list rules');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: RulesCommand) => clientOf(options, run.onRetry).rules;
  const { signal } = run;

  command('list', 'List all rules').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<RulesCommand>();
    const rules = await client(options).list({ signal });
    if (options.json) return print(JSON.stringify(rules));
    if (rules.length === 0) run.note('There are no rules.');
    else await print(table(rules.map(rowOf), outputOf(process.stdout)));
  });

  command('create', 'Create a rule from JSON: {"when": ...}, or a category of Call Analytics {"Rules": [...]}')
    .argument('<file>', FILE)
    .option('--name <name>', 'name of the rule; default: the one in the file')
    .option('--enable', 'apply it at once; default: only after rules enable')
    .option('--no-alert', 'do not report matches to webhooks')
    .addHelpText(
      'after',
      `
Examples:
  $ echo '{"when": {"said": {"phrases": ["too expensive"]}}}' | undertone rules create - --name Price
  $ undertone rules create category.json`,
    )
    .action(async (file: string, _, self: Command) => {
      const options = self.optsWithGlobals<RulesCommand>();
      const rule = await ruleIn(file);
      const { CategoryName, ...named } = rule;
      const created = await client(options).create(
        {
          ...(options.name === undefined ? rule : { ...named, name: options.name }),
          ...(options.enable && { is_enabled: true }),
          ...(options.alert === false && { alert: false }),
        },
        { signal },
      );
      if (options.json) await print(JSON.stringify(created));
      else await print(created.id);
    });

  command('try', 'Try a rule over everything stored: a rule by its id, or JSON from a file that is not stored')
    .argument('<rule>', `the id of a rule, ${FILE}`)
    .option('--limit <n>', 'number of conversations to show', wholeNumber, 20)
    .action(async (rule: string, _, self: Command) => {
      const options = self.optsWithGlobals<RulesCommand>();
      const { limit } = options;
      const tried = rule.startsWith('rule_')
        ? await client(options).try(rule, { limit, signal })
        : await client(options).try({ ...conditionOf(await ruleIn(rule)), limit }, { signal });
      if (options.json) return print(JSON.stringify(tried));
      await print([
        ...tried.matches.flatMap(matchLines),
        ...phraseLines(tried),
        ...leftOutLines(tried),
        summaryOf(tried),
      ]);
    });

  command('matches', 'List the conversations that an enabled rule matches, newest first')
    .argument('<id>')
    .option('--limit <n>', 'maximum number of conversations', wholeNumber, 20)
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<RulesCommand>();
      const matches: RuleMatch[] = [];
      for await (const match of client(options).allMatches(id, { signal })) {
        if (matches.length === options.limit) break;
        matches.push(match);
      }
      if (options.json) return print(matches.map((match) => JSON.stringify(match)));
      if (matches.length === 0) run.note('There are no matches.');
      else await print(matches.flatMap(matchLines));
    });

  for (const [name, isEnabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    command(name, isEnabled ? 'Apply a rule to everything stored and to what comes' : 'Stop applying a rule')
      .argument('<id>')
      .action(async (id: string, _, self: Command) => {
        const options = self.optsWithGlobals<RulesCommand>();
        const rule = await client(options).edit(id, { is_enabled: isEnabled }, { signal });
        if (options.json) await print(JSON.stringify(rule));
        else run.note(`${isEnabled ? 'Enabled' : 'Disabled'}: ${plain(rule.name)}`);
      });

  command('delete', 'Remove a rule with its versions, matches and judgements')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<RulesCommand>();
      await client(options).delete(id, { signal });
      if (options.json) await print(JSON.stringify({ id }));
      else run.note(`Removed: ${id}`);
    });
}

const ruleIn = (file: string) => objectIn<NewRuleRequest>(file, 'when or Rules');

const conditionOf = ({ when, Rules }: NewRuleRequest) => ({ ...(when && { when }), ...(Rules && { Rules }) });

const rowOf = ({ id, name, version, is_enabled, pending }: Rule): string[] => [
  id,
  is_enabled ? (pending > 0 ? `enabled, ${pending} to read` : 'enabled') : 'disabled',
  `version ${version}`,
  plain(name),
];

function matchLines({ conversation_id, title, outcome, hits, ...match }: RuleMatch): string[] {
  const head = `${conversation_id}  ${recordedOn(match)}  ${plain(title)}${outcome === 'unknown' ? '  (cannot tell)' : ''}`;
  return [
    head,
    ...hits.map(({ t_start, speaker, quote }) =>
      `  ${clockOf(t_start).padStart(6)}  ${speaker === null ? 'silence' : `${plain(speaker)}: ${plain(quote)}`}`.trimEnd(),
    ),
  ];
}

/** The hits of each phrase, if there are several. */
const phraseLines = ({ phrases }: RuleTryResult): string[] =>
  phrases.length < 2 ? [] : phrases.map(({ phrase, hit_count }) => `${plain(phrase)}: ${hitsIn(hit_count)}`);

const leftOutLines = ({ left_out }: RuleTryResult): string[] =>
  left_out.map(
    ({ path, hit_count, matched }) =>
      `left out by ${path}: ${hitsIn(hit_count)} in ${matched} ${matched === 1 ? 'conversation' : 'conversations'}`,
  );

const hitsIn = (count: number): string => `${count} ${count === 1 ? 'hit' : 'hits'}`;

function summaryOf({ conversations, matched, unknown, hit_count, unsure, precision }: RuleTryResult): string {
  const right = precision ? `; ${precision.right} of ${precision.judged} judged hits are right` : '';
  const heard = unsure > 0 ? `${hitsIn(hit_count)}, ${unsure} of them unsure,` : hitsIn(hit_count);
  return `${heard} in ${matched} of ${conversations} conversations; ${unknown} unknown${right}`;
}
