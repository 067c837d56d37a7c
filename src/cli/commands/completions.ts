import { Argument, type Command } from 'commander';
import { print } from '../run.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletions(program: Command): void {
  program
    .command('completions')
    .description('Print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ undertone completions bash > ~/.local/share/bash-completion/completions/undertone
  $ undertone completions zsh > "\${fpath[1]}/_undertone"
  $ undertone completions fish > ~/.config/fish/completions/undertone.fish`,
    )
    .action((shell: Shell) => print(SCRIPTS[shell](wordsOf(program))));
}

interface Words {
  /** The command path: '' for the program itself, `keys issue` and so on. */
  path: string;
  /** The subcommands that can follow. */
  commands: { name: string; description: string }[];
  options: { flag: string; description: string }[];
}

/** The completions after each command, from the program's command tree. */
function wordsOf(command: Command, path = '', inherited: Words['options'] = []): Words[] {
  const own = command.options.flatMap(({ long, description }) => (long ? [{ flag: long, description }] : []));
  const options = [...own, ...inherited];
  const commands = command.commands.map((one) => ({ name: one.name(), description: one.description() }));
  const here = { path, commands, options: [...options, { flag: '--help', description: 'display help' }] };
  return [here, ...command.commands.flatMap((one) => wordsOf(one, `${path} ${one.name()}`.trim(), options))];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const listed = ({ commands, options }: Words): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');

/** Cases for bash and zsh that extend the command path by one word. */
const typedCases = (words: readonly Words[]): string =>
  words
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      ${quoted(path)}) typed=${quoted(path)} ;;`)
    .join('\n');

const SCRIPTS: Readonly<Record<Shell, (words: Words[]) => string>> = {
  bash: (words) => `_undertone() {
  local typed='' word known
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${typed:+$typed }$word" in
${typedCases(words)}
    esac
  done
  case "$typed" in
${words.map((one) => `    ${quoted(one.path)}) known=${quoted(listed(one))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$known" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _undertone undertone`,

  zsh: (words) => `#compdef undertone
_undertone() {
  local typed='' word
  local -a known
  for word in \${words[2,CURRENT-1]}; do
    case "\${typed:+$typed }$word" in
${typedCases(words)}
    esac
  done
  case "$typed" in
${words
  .map(({ path, commands, options }) => {
    const all = [
      ...commands.map((one) => [one.name, one.description]),
      ...options.map((one) => [one.flag, one.description]),
    ];
    const entries = all.map(([name = '', description = '']) => quoted(`${name}:${description.replaceAll(':', ' ')}`));
    return `    ${quoted(path)}) known=(${entries.join(' ')}) ;;`;
  })
  .join('\n')}
  esac
  _describe undertone known || _files
  [[ $PREFIX == -* ]] || _files
}
compdef _undertone undertone`,

  fish: (words) => {
    const lines = ['complete -c undertone -e'];
    for (const { path, commands, options } of words) {
      const seen =
        path === ''
          ? '__fish_use_subcommand'
          : path
              .split(' ')
              .map((word) => `__fish_seen_subcommand_from ${word}`)
              .join('; and ');
      const deeper = commands.map(({ name }) => name).join(' ');
      const here = deeper !== '' && path !== '' ? `${seen}; and not __fish_seen_subcommand_from ${deeper}` : seen;
      for (const { name, description } of commands)
        lines.push(`complete -c undertone -f -n ${quoted(here)} -a ${name} -d ${quoted(description)}`);
      for (const { flag, description } of options)
        lines.push(`complete -c undertone -n ${quoted(seen)} -l ${flag.slice(2)} -d ${quoted(description)}`);
    }
    return lines.join('\n');
  },
};
