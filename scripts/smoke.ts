import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Undertone } from '../src/sdk/index.ts';
import { smoke } from './deploy/smoke.ts';
import { STORED_RESULT, type StoredResult, smokeRecording } from './deploy/smoke-recording.ts';

// `npm run smoke -- --url <address> --key <key>`: whether a running service works, in all three modes.

const USAGE = `npm run smoke -- --url <address> --key <key>

Sends one short recording as a file, as a file with a stream of events, and live, compares the results with each other and
with the stored one, and deletes what it created. The exit status is 0 if everything is as expected, and 1 otherwise.

  --url    address of the service; by default UNDERTONE_URL, or http://localhost:8787
  --key    a key with the scopes analyze, live, read and delete; by default UNDERTONE_API_KEY
  --store  writes the stored result again, from what this service finds`;

async function main(): Promise<number> {
  let values: { url?: string; key?: string; store?: boolean; help?: boolean };
  try {
    const options = {
      url: { type: 'string' },
      key: { type: 'string' },
      store: { type: 'boolean' },
      help: { type: 'boolean' },
    } as const;
    ({ values } = parseArgs({ options }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const url = values.url ?? process.env.UNDERTONE_URL ?? 'http://localhost:8787';
  const key = values.key ?? process.env.UNDERTONE_API_KEY;
  if (!URL.canParse(url) || !key) {
    console.error(`${key ? `"${url}" is not an address.` : 'A key is missing.'}\n\n${USAGE}`);
    return 2;
  }
  if (values.store) {
    await store(url, key);
    return 0;
  }
  const checks = await smoke({
    url,
    key,
    onCheck: ({ name, isOk, seconds, finding }) =>
      console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${finding}`),
  });
  const failed = checks.filter(({ isOk }) => !isOk).length;
  console.log(failed === 0 ? `${url} works` : `${url}: ${failed} of ${checks.length} checks failed`);
  return failed === 0 ? 0 : 1;
}

async function store(url: string, key: string): Promise<void> {
  const undertone = new Undertone({ url, key });
  const { conversation_id, timeline, speakers } = await undertone.analyze(smokeRecording(), { filename: 'smoke.wav' });
  await undertone.conversations.delete(conversation_id);
  if (speakers.count === null) throw new Error('the number of speakers is unknown');
  const utterances = timeline.map(({ speaker, text }) => ({ speaker, text }));
  const result: StoredResult = { speakers: speakers.count, utterances };
  writeFileSync(STORED_RESULT, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`${STORED_RESULT} is written`);
}

process.exitCode = await main();
