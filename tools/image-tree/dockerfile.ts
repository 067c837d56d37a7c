/** One line of a Dockerfile that changes the tree. */
export type Step =
  | { type: 'copy'; from: string | undefined; sources: string[]; target: string; folder: string }
  | { type: 'run'; command: string; folder: string };

/** From one FROM to the next. */
export interface Stage {
  name: string | undefined;
  /** An earlier stage or an image's tag. */
  base: string;
  steps: Step[];
}

export interface Dockerfile {
  stages: Stage[];
  /** Variables of the last stage. */
  env: Record<string, string>;
  folder: string;
  user: string | undefined;
  command: string[];
}

/**
 * Parses the part of a Dockerfile's language that ours uses.
 * @throws Error naming a line that uses anything else, so that nothing is skipped silently
 */
export function parseDockerfile(text: string): Dockerfile {
  const read: Dockerfile = { stages: [], env: {}, folder: '/', user: undefined, command: [] };
  let stage: Stage | undefined;
  for (const line of instructions(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    const words = rest.split(/\s+/);
    const from = /^(?:--platform=linux\/amd64 )?(\S+)(?: AS (\S+))?$/.exec(rest);
    if (word === 'FROM' && from) {
      stage = { base: from[1]!, name: from[2], steps: [] };
      read.stages.push(stage);
      Object.assign(read, { env: {}, folder: '/', user: undefined, command: [] });
    } else if (!stage) throw new Error(`before the first FROM: ${line}`);
    else if (
      word === 'COPY' &&
      words.every((part, i) => !part.startsWith('--') || (i === 0 && part.startsWith('--from=')))
    ) {
      const copied = words.filter((part) => !part.startsWith('--'));
      const [target] = copied.splice(-1);
      const source = words[0]!.startsWith('--') ? words[0]!.slice('--from='.length) : undefined;
      stage.steps.push({ type: 'copy', from: source, sources: copied, target: target!, folder: read.folder });
    } else if (word === 'RUN' && !rest.startsWith('-') && !rest.startsWith('[')) {
      stage.steps.push({ type: 'run', command: rest, folder: read.folder });
    } else if (word === 'WORKDIR' && rest.startsWith('/')) read.folder = rest;
    else if (word === 'ENV') for (const pair of words) read.env[pair.split('=')[0]!] = pair.split('=')[1]!;
    else if (word === 'USER') read.user = rest;
    else if (word === 'CMD' && rest.startsWith('[')) read.command = JSON.parse(rest) as string[];
    else if (word !== 'EXPOSE') throw new Error(`a line that is not understood: ${line}`);
  }
  return read;
}

/** Its lines without comments, continued lines joined. */
const instructions = (text: string): string[] =>
  text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
