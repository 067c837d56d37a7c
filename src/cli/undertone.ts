#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addAccessLog } from './commands/access-log.ts';
import { addAnalyze } from './commands/analyze.ts';
import { addCommitments } from './commands/commitments.ts';
import { addCompletions } from './commands/completions.ts';
import { addConversations } from './commands/conversations.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHolds } from './commands/holds.ts';
import { addKeys } from './commands/keys.ts';
import { addLive } from './commands/live.ts';
import { addLogin } from './commands/login.ts';
import { addMcp } from './commands/mcp.ts';
import { addPatterns } from './commands/patterns.ts';
import { addPeople } from './commands/people.ts';
import { addPlaylists } from './commands/playlists.ts';
import { addRedactions } from './commands/redactions.ts';
import { addReplay } from './commands/replay.ts';
import { addRules } from './commands/rules.ts';
import { addSegment } from './commands/segment.ts';
import { addShares } from './commands/shares.ts';
import { addVerifyReceipt } from './commands/verify-receipt.ts';
import { addViews } from './commands/views.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { EXIT, exitOf, hintOf, Interrupted } from './exits.ts';
import { CommandRun } from './run.ts';
import { outputOf, plain } from './terminal.ts';
import { VERSION } from './version.ts';

const run = new CommandRun();
run.listen();

const program = new Command('undertone')
  .description('Conversation intelligence: who spoke, what they said, how they said it, and what it means.')
  .version(VERSION)
  .option(
    '--url <address>',
    'address of the service; default: UNDERTONE_URL, the one stored by login, or http://localhost:8787',
  )
  .option('--key <key>', 'API key; UNDERTONE_API_KEY or login is safer')
  .showSuggestionAfterError()
  .showHelpAfterError('(see undertone --help)')
  .exitOverride()
  .configureOutput({
    getOutHelpWidth: () => outputOf(process.stdout).width,
    getErrHelpWidth: () => outputOf(process.stderr).width,
  })
  .addHelpText(
    'after',
    `
Examples:
  $ undertone login
  $ undertone analyze call.wav --goal "What was agreed?"
  $ undertone live --mic
  $ undertone conversations search discount`,
  );
addAnalyze(program, run);
addLive(program, run);
addReplay(program, run);
addSegment(program, run);
addConversations(program, run);
addKeys(program, run);
addAccessLog(program, run);
addWebhooks(program, run);
addRules(program, run);
addPeople(program, run);
addPlaylists(program, run);
addShares(program, run);
addHolds(program, run);
addRedactions(program, run);
addVerifyReceipt(program, run);
addCommitments(program, run);
addPatterns(program, run);
addViews(program, run);
addLogin(program, run);
addDoctor(program, run);
addMcp(program, run);
addCompletions(program);

try {
  await program.parseAsync();
} catch (thrown) {
  run.hide();
  const error = run.signal.aborted ? new Interrupted() : thrown;
  process.exitCode = exitOf(error);
  if (error instanceof Interrupted) run.note('Stopped.');
  else if (!(error instanceof CommanderError)) report(error);
}
run.hide();
// A keep-alive connection would keep the process running.
if (process.exitCode !== EXIT.done && process.exitCode !== undefined) process.exit();

function report(error: unknown): void {
  const { paint } = outputOf(process.stderr);
  const named = error as { code?: string; requestId?: string; message?: string };
  const code =
    named.code === undefined
      ? ''
      : ` (${named.code}${named.requestId === undefined ? '' : `, request ${named.requestId}`})`;
  process.stderr.write(
    `${paint('red', 'error:')} ${plain(named.message ?? String(error))}${plain(code) && ` ${plain(code)}`}\n`,
  );
  const hint = hintOf(error);
  if (hint !== undefined) process.stderr.write(`       ${hint}\n`);
}
