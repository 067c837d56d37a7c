import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'undertone-playlists-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const playlists = (...args: string[]) =>
  run(['playlists', ...args], { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('a playlist is filled, shown and deleted in a terminal', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id, timeline } = await client.analyze(new File(['a recording'], 'call.wav'));
  const list = (await playlists('create', 'Best')).out.trim();
  const item = (await playlists('add', list, id, '--from', '0', '--to', '1.5', '--note', 'listen')).out.trim();
  const shown = (await playlists('show', list)).out;
  expect(shown).toContain(`${item}  0:00 to 0:01  call`);
  expect(shown).toContain(timeline[0]!.text.slice(0, 20));
  expect((await playlists('list')).out).toContain(`${list}  Best  1 items`);
  expect((await playlists('share', list, '--days', '2')).out).toMatch(
    new RegExp(`^/app/shared/${list}#token=us_\\S+\n$`),
  );
  expect((await client.shares.list({ playlist_id: list })).shares).toMatchObject([{ title: 'Best' }]);
  expect((await playlists('remove', list, item)).err).toContain(`Removed: ${item}`);
  expect((await playlists('delete', list)).err).toContain(`Deleted: ${list}`);
  expect((await playlists('add', list, id, '--from', 'soon', '--to', '2')).err).toContain(
    'must be a number of seconds',
  );
});
