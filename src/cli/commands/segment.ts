import type { Command } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { SegmentRequest } from '../../sdk/index.ts';
import { objectIn } from '../json-input.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table, wrapped } from '../terminal.ts';

interface SegmentCommand extends ServiceOptions {
  context?: string;
  json?: true;
}

export function addSegment(program: Command, run: CommandRun): void {
  program
    .command('segment')
    .description('Divide a timeline into phases; reads an analysis as JSON, or any object with a timeline')
    .argument('[file]', 'a JSON file, or - for standard input', '-')
    .option('--context <text>', 'the topic or purpose of the conversation')
    .option('--json', 'print the result as JSON')
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
      const output = outputOf(process.stdout);
      const rows = segmentation.phases.map(({ start_timestamp, phase_name, theme }) => [
        clockOf(start_timestamp),
        theme === '' ? plain(phase_name) : `${plain(phase_name)}: ${plain(theme)}`,
      ]);
      await print([...table(rows, output), '', ...wrapped(segmentation.narrative_arc, output.width)]);
    });
}

const timelineOf = (file: string) =>
  objectIn<SegmentRequest>(file, 'a timeline', ({ timeline }) => Array.isArray(timeline));
