import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { SegmentRequest } from '../../sdk/index.ts';
import { Misuse } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { paperOf, plain, table, wrapped } from '../terminal.ts';

interface SegmentCommand extends ServiceOptions {
  context?: string;
  json?: true;
}

export function addSegment(program: Command, run: CommandRun): void {
  program
    .command('segment')
    .description('Divide a timeline into phases: an analysis as JSON, or any object with a timeline')
    .argument('[file]', 'a file of JSON, or - for standard input', '-')
    .option('--context <text>', 'what the conversation is about')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone analyze call.wav --json | undertone segment
  $ undertone segment timeline.json --context "a sales call"`,
    )
    .action(async (file: string, _, self: Command) => {
      const options = self.optsWithGlobals<SegmentCommand>();
      const { timeline, moments, transitions } = await timelineOf(file);
      const { context } = options;
      const call = { timeline, moments, transitions, ...(context !== undefined && { context }) };
      const { segmentation } = await clientOf(options, run.onRetry).segment(call, { signal: run.signal });
      if (options.json) return print(JSON.stringify({ segmentation }));
      const paper = paperOf(process.stdout);
      const rows = segmentation.phases.map(({ start_timestamp, phase_name, theme }) => [
        clockOf(start_timestamp),
        theme === '' ? plain(phase_name) : `${plain(phase_name)}: ${plain(theme)}`,
      ]);
      await print([...table(rows, paper), '', ...wrapped(segmentation.narrative_arc, paper.width)]);
    });
}

/** @throws Misuse when it is no JSON with a timeline; whether that is a good one the service says */
async function timelineOf(file: string): Promise<SegmentRequest> {
  let text: string;
  try {
    text = file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8');
  } catch {
    throw new Misuse(`${file}: there is no such file`);
  }
  try {
    const body = JSON.parse(text);
    if (Array.isArray(body?.timeline)) return body;
  } catch {
    // Said below.
  }
  throw new Misuse(`${file === '-' ? 'Standard input' : file} is no JSON object with a timeline`);
}
