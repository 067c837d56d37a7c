import type { Command } from 'commander';
import type { StreamEvent } from '../../sdk/index.ts';
import { EventLines } from '../events.ts';
import { isConversationId, isFile, mediaOf } from '../recording.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf } from '../terminal.ts';
import { type GivenOptions, optionsOf, withAnalysisOptions } from './analyze.ts';
import { speedOf } from './live.ts';

interface ReplayCommand extends GivenOptions, ServiceOptions {
  speed?: number;
  json?: true;
}

export function addReplay(program: Command, run: CommandRun): void {
  const command = program
    .command('replay')
    .description('Analyse a recording and print its events, or replay those of a stored conversation')
    .argument('<file>', 'a file, an https URL, or the id of a conversation');
  withAnalysisOptions(command)
    .option('--speed <x>', 'speed for a stored conversation, relative to real time', speedOf)
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone replay call.wav
  $ undertone replay 3f2c... --speed 4`,
    )
    .action(async (where: string, _, self: Command) => {
      const options = self.optsWithGlobals<ReplayCommand>();
      const lines = new EventLines(outputOf(process.stdout));
      run.show('Sending');
      for await (const event of await eventsOf(where, options, run)) {
        if (event.event === 'status') run.show(`${event.data.phase} ${Math.round(event.data.progress * 100)} %`);
        if (options.json) await print(JSON.stringify(event));
        else for (const line of lines.of(event)) await print(line);
      }
      run.hide();
    });
}

async function eventsOf(where: string, options: ReplayCommand, run: CommandRun): Promise<AsyncIterable<StreamEvent>> {
  const client = clientOf(options, run.onRetry);
  const { speed } = options;
  const { signal } = run;
  if (isConversationId(where) && !isFile(where))
    return client.conversations.events(where, { speed: speed || undefined, signal });
  const { media, filename } = await mediaOf(where);
  return client.replay(media, { ...optionsOf(options), filename, signal });
}
