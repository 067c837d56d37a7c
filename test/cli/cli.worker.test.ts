import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { AnalysisOptionsSchema } from '../../src/contract/options.ts';
import { ExportFormatSchema } from '../../src/contract/queries.ts';
import { SERVICE_VERSION } from '../../src/contract/version.ts';
import { Undertone } from '../../src/sdk/index.ts';
import { linesOf, SPOKEN, sayError, sayHalf, write } from '../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, clear, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run, start } from './run-cli.ts';

let service: TestService;
let folder: string;
let call: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const undertone = new Undertone({ url: service.url, key: KEY });
  for await (const { conversation_id: id } of undertone.conversations.all()) await undertone.conversations.delete(id);
  await clear(service);
  folder = mkdtempSync(join(tmpdir(), 'undertone-cli-'));
  call = join(folder, 'call.wav');
  writeFileSync(call, 'a recording');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The command with a key. */
const env = (more: Record<string, string> = {}) => ({
  UNDERTONE_URL: service.url.href,
  UNDERTONE_API_KEY: KEY,
  XDG_CONFIG_HOME: join(folder, 'config'),
  ...more,
});
const undertone = (args: string[], more: Record<string, string> = {}, input = '') => run(args, env(more), input);
const ESCAPE = '\u001b';

describe('analyze', () => {
  it('prints a readable result, no wider than the terminal', async () => {
    const { code, out, err } = await undertone(['analyze', call, '--transcript'], { COLUMNS: '60' });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^call\.wav\n/);
    for (const heading of ['Transcript', 'Summary', 'Phases', 'Speakers']) expect(out).toContain(`\n${heading}\n`);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(SPOKEN[1]);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    // A pipe gets neither colours nor a spinner.
    expect(out).not.toContain(ESCAPE);
    const coloured = await undertone(['analyze', call], { FORCE_COLOR: '1' });
    expect(coloured.out).toContain(`${ESCAPE}[36m`);
  });

  it('prints the answer to the goal or a possible one, with its score', async () => {
    const { out } = await undertone(['analyze', call, '--goal', 'Do we meet on Tuesday?']);
    expect(out).toMatch(/^ +(Answer|Possible answer, unsure) \(score 0\.\d\d\)\n.*Tuesday/m);
  });

  it('prints JSON and passes its options on', async () => {
    const args = [
      'analyze',
      call,
      '--json',
      '--goal',
      'prices',
      '--speakers',
      '2',
      '--affect',
      'Speaker_0=none,*=words',
      ...['--recogniser', 'moonshine-tiny', '--quality', 'fast', '--language', 'en'],
      ...['--words', 'Anna, Acme', '--words', 'Undertone'],
    ];
    const { code, out } = await undertone(args);
    expect(code).toBe(0);
    expect(AnalysisResponseSchema.parse(JSON.parse(out)).options).toMatchObject({
      goal: 'prices',
      speakers: 2,
      affect: { Speaker_0: 'none', '*': 'words' },
      recogniser: 'moonshine-tiny',
      quality: 'fast',
      language: 'en',
      words: 3,
    });
    expect(service.pipeline.seen.at(-1)?.options.words).toEqual(['Anna', 'Acme', 'Undertone']);
  });

  it('writes files', async () => {
    const out = join(folder, 'results');
    const { code, err } = await undertone(['analyze', call, '--export', 'vtt,md', '--out', out]);
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['call.md', 'call.vtt']);
    expect(readFileSync(join(out, 'call.vtt'), 'utf8')).toMatch(/^WEBVTT/);
    expect(err).toContain(join(out, 'call.vtt'));
  });

  it('continues after a failure and exits with its code', async () => {
    const bad = join(folder, 'notes.txt');
    writeFileSync(bad, 'no recording');
    const { code, out, err } = await undertone(['analyze', bad, call, '--json']);
    expect(code).toBe(6);
    expect(err).toContain('notes.txt');
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  it('removes control characters from quoted text', async () => {
    service.pipeline.answer = (response, { options }) => {
      write(
        response,
        linesOf(options.conversation_id, [`${ESCAPE}[2J${ESCAPE}]52;c;b3duZWQ=\u0007 Good morning \u202e to you.`]),
      );
      response.end();
    };
    const odd = join(folder, `${ESCAPE}]0;owned\u0007${ESCAPE}[2J\u202ecall.wav`);
    writeFileSync(odd, 'a recording');
    const { code, out, err } = await undertone(['analyze', odd, '--transcript']);
    expect(code).toBe(0);
    expect(out).toContain('Good morning');
    expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('ends when the reader of its pipe is gone', async () => {
    const { child, ended } = start(['analyze', call, '--json'], env());
    child.stdin?.end();
    child.stdout?.destroy();
    expect((await ended).code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  /** The ids of all stored conversations. */
  const left = async () => {
    const { conversations } = await (
      await fetch(new URL('/conversations', service.url), { headers: { 'X-API-Key': KEY } })
    ).json();
    return [...(await service.objects()), ...conversations];
  };

  it.each(['analyze', 'replay'])('during %s leaves nothing behind', async (command) => {
    const halfway = vi.fn();
    service.pipeline.answer = async (response, seen) => {
      await sayHalf(response, seen);
      halfway();
    };
    const { child, ended } = start([command, call], env());
    await vi.waitFor(() => expect(halfway).toHaveBeenCalled(), { timeout: 30_000 });
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  });

  it('ends a command before the service responds', async () => {
    const asked = vi.fn();
    // A server that never responds.
    const silent = createServer(asked).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { child, ended } = start(['conversations', 'list'], env({ UNDERTONE_URL: `http://127.0.0.1:${port}` }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 30_000 });
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, out: '' });
    silent.closeAllConnections();
    silent.close();
  });

  it('during a live session also ends it at the service', async () => {
    const { child, so, ended } = start(['live', '-', '--json'], env());
    child.stdin?.on('error', () => undefined);
    child.stdin?.write('RIFF');
    await vi.waitFor(() => expect(so.out).toContain('"status"'), { timeout: 30_000 });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  });
});

describe('failures', () => {
  it.each([
    ['without a key', ['conversations', 'list'], { UNDERTONE_API_KEY: '' }, 2, 'undertone login'],
    ['with a wrong key', ['conversations', 'list'], { UNDERTONE_API_KEY: 'wrong' }, 3, 'INVALID_KEY'],
    ['with an unknown option', ['analyze', '--gaol', 'x'], {}, 2, '--goal'],
    ['with an invalid address', ['conversations', 'list'], { UNDERTONE_URL: 'here' }, 2, 'not the address'],
    ['without a file', ['analyze', 'none.wav'], {}, 2, 'no such file'],
    ['with an unknown conversation', ['conversations', 'show', 'none'], {}, 4, 'NOT_FOUND'],
    ['with an address that is none', ['analyze', 'https://127.0.0.1/call.wav'], {}, 2, 'INVALID_REQUEST'],
    ['with an unknown export', ['analyze', 'a.wav', '--export', 'pdf'], {}, 2, 'not one of'],
  ])('%s', async (_, args, more, code, said) => {
    const ended = await undertone(args, more);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(said);
    expect(ended.err).not.toContain('    at ');
  });

  it('without a service', async () => {
    const ended = await undertone(['conversations', 'list'], { UNDERTONE_URL: 'http://127.0.0.1:9' });
    expect(ended).toMatchObject({ code: 5, out: '', err: expect.stringContaining('undertone doctor') });
  });

  it('with bad media', async () => {
    service.pipeline.answer = sayError('INVALID_MEDIA', 'No sound in it');
    expect(await undertone(['analyze', call])).toMatchObject({
      code: 6,
      err: expect.stringContaining('No sound in it'),
    });
  });
});

describe('conversations', () => {
  it('are listed, found, shown, exported and deleted', async () => {
    const analysis = JSON.parse((await undertone(['analyze', call, '--json'])).out);
    const id = analysis.conversation_id;
    expect((await undertone(['conversations', 'list'])).out).toContain(id);
    const [listed] = (await undertone(['conversations', 'list', '--json', '--limit', '1'])).out.trim().split('\n');
    expect(JSON.parse(listed ?? '').conversation_id).toBe(id);
    const found = await undertone(['conversations', 'search', 'price'], { FORCE_COLOR: '1' });
    expect(found.out).toContain(`${ESCAPE}[1m${ESCAPE}[33mprice`);
    expect(found.out).toMatch(/call\S* {2}\d{4}-\d\d-\d\d \d\d:\d\d \(uploaded\) {2}/);
    expect(await undertone(['conversations', 'search', 'zeppelin'])).toMatchObject({ code: 0, out: '' });
    expect((await undertone(['conversations', 'show', id])).out).toContain('Summary');
    expect(JSON.parse((await undertone(['conversations', 'show', id, '--json'])).out)).toEqual(analysis);
    const course = await undertone(['conversations', 'course', id, '--window', '2']);
    expect(course.out).toMatch(/^time +valence +arousal +pitch Hz +level dB +speaker\n0:00 +0\.50 +0\.40 +- +-\d/);
    expect(JSON.parse((await undertone(['conversations', 'course', id, '--json'])).out).window_s).toBe(1);
    expect((await undertone(['conversations', 'course', id, '--window', 'x'])).code).toBe(2);
    expect((await undertone(['conversations', 'export', id, '--format', 'srt'])).out).toMatch(/^1\r?\n00:00:0/);
    const path = join(folder, 'call.html');
    const exported = ['conversations', 'export', id, '--format', 'html', '--output', path];
    expect(await undertone(exported)).toEqual({ code: 0, out: '', err: `Written: ${path}\n` });
    const { bytes } = JSON.parse((await undertone([...exported, '--json'])).out);
    expect(bytes).toBe(statSync(path).size);
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>/i);
    expect((await undertone(['conversations', 'export', '--all'])).out).toContain(id);
    expect((await undertone(['replay', id])).out).toContain(SPOKEN[1]);
    expect(await undertone(['conversations', 'delete', id])).toMatchObject({ code: 0, err: `Deleted: ${id}\n` });
    expect(await undertone(['conversations', 'show', id])).toMatchObject({ code: 4 });
  });
});

describe('replay, live and segment', () => {
  it('replays a recording as lines and as JSON', async () => {
    const { code, out } = await undertone(['replay', call], { COLUMNS: '100' });
    expect(code).toBe(0);
    expect(out).toContain(SPOKEN[0]);
    const events = (await undertone(['replay', call, '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ event: 'done' });
  });

  it('segments a timeline from a pipe', async () => {
    const { out: analysis } = await undertone(['analyze', call, '--json']);
    const { code, out } = await undertone(['segment', '--json'], {}, analysis);
    expect(code).toBe(0);
    expect(JSON.parse(out).segmentation).toEqual(JSON.parse(analysis).segmentation);
    for (const wrong of ['no json', '{"timeline": []}', '{"timeline": [{"speaker": "A"}]}'])
      expect(await undertone(['segment'], {}, wrong)).toMatchObject({ code: 2, out: '' });
  });
});

describe('login', () => {
  const path = () => join(folder, 'config/undertone/credentials.json');

  it('stores a valid key privately, for its own service only', async () => {
    const bare = { UNDERTONE_API_KEY: '' };
    expect(await undertone(['login'], bare, `${KEY}\n`)).toMatchObject({ code: 0, out: '' });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'config/undertone'))).toEqual(['credentials.json']);
    expect(await undertone(['conversations', 'list', '--json'], bare)).toMatchObject({ code: 0 });
    const elsewhere = await undertone(['conversations', 'list'], { ...bare, UNDERTONE_URL: 'http://127.0.0.1:9' });
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('No key for http://127.0.0.1:9') });
    expect(JSON.parse((await undertone(['logout', '--json'], bare)).out)).toEqual({ path: path(), removed: true });
    expect(existsSync(path())).toBe(false);
  });

  it('does not store an invalid key', async () => {
    expect(await undertone(['login'], { UNDERTONE_API_KEY: '' }, 'wrong\n')).toMatchObject({ code: 3 });
    expect(existsSync(path())).toBe(false);
  });
});

describe('keys', () => {
  it('are issued on stdout, listed, rotated and revoked', async () => {
    const operator = { UNDERTONE_ADMIN_TOKEN: ADMIN_TOKEN };
    const issued = await undertone(['keys', 'issue', 'a label', '--scopes', 'read'], operator);
    expect(issued).toMatchObject({ code: 0, out: expect.stringMatching(/^ut_\S+\n$/) });
    const key = issued.out.trim();
    const id = issued.err.split(',')[0] ?? '';
    expect((await undertone(['conversations', 'list', '--json'], { UNDERTONE_API_KEY: key })).code).toBe(0);
    expect(await undertone(['analyze', call], { UNDERTONE_API_KEY: key })).toMatchObject({ code: 3 });
    expect((await undertone(['keys', 'list', '--tenant', 'default'], operator)).out).toContain(id);
    expect((await undertone(['keys', 'usage', id], operator)).out).toContain('requests');
    const rotated = await undertone(['keys', 'rotate', id, '--overlap', '0', '--json'], operator);
    expect(JSON.parse(rotated.out).replaces.id).toBe(id);
    expect(await undertone(['keys', 'revoke', id], operator)).toMatchObject({ code: 0 });
    const refused = await undertone(['keys', 'list']);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('--operator-token') });
    // It would be refused again.
    expect(refused.err).not.toContain('undertone keys list');
  });
});

describe('doctor', () => {
  it('passes, or reports what fails', async () => {
    const well = await undertone(['doctor']);
    expect(well).toMatchObject({ code: 0, err: '' });
    expect(well.out).toContain('✓ The key (environment) is valid');
    const lines = (await undertone(['doctor', '--json'])).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).ok)).not.toContain(false);
    const lost = await undertone(['doctor'], { UNDERTONE_URL: 'http://127.0.0.1:9' });
    expect(lost).toMatchObject({ code: 1, out: expect.stringContaining('✗ The service does not respond') });
    const wrong = await undertone(['doctor'], { UNDERTONE_API_KEY: 'wrong' });
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('INVALID_KEY') });
  });
});

describe('help', () => {
  it('has examples, and the version of the service', async () => {
    expect((await run(['--version'])).out.trim()).toBe(SERVICE_VERSION);
    for (const args of [['--help'], ['analyze', '--help'], ['live', '--help'], ['login', '--help']]) {
      const { code, out } = await run(args);
      expect(code).toBe(0);
      expect(out).toContain('Examples:');
    }
  });

  it.each(['analyze', 'live', 'replay'])('%s has every option of an analysis', async (command) => {
    const { out } = await run([command, '--help']);
    const named = [...out.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name = '']) => name.replaceAll('-', '_'));
    expect(named).toEqual(expect.arrayContaining(Object.keys(AnalysisOptionsSchema.shape)));
  });

  it('has --json for every command that prints a result', async () => {
    const { out } = await run(['completions', 'bash']);
    const commands = [...out.matchAll(/^ {4}'(.+)'\) known='(.*)' ;;$/gm)].map(([, path = '', words = '']) => ({
      path,
      words,
    }));
    const isGroup = (path: string) => commands.some((other) => other.path.startsWith(`${path} `));
    const without = commands.filter(({ path, words }) => !isGroup(path) && !words.includes('--json'));
    expect(commands.length).toBeGreaterThan(20);
    // One serves a protocol, the other prints a script.
    expect(without.map(({ path }) => path)).toEqual(['mcp', 'completions']);
  });

  it('knows every format of an export', async () => {
    const { err } = await run(['conversations', 'export', 'x', '--format', 'none']);
    expect(err).toContain(`not one of ${ExportFormatSchema.options.join(', ')}`);
  });

  it('completes commands and options in bash', async () => {
    const script = join(folder, 'undertone.bash');
    writeFileSync(script, (await run(['completions', 'bash'])).out);
    const complete = (...words: string[]) => {
      const line = `source ${script}; COMP_WORDS=(undertone ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _undertone; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split(' ');
    };
    expect(complete('ana')).toEqual(['analyze']);
    expect(complete('conversations', 'se')).toEqual(['search']);
    expect(complete('keys', 'issue', '--sc')).toEqual(['--scopes']);
    expect(complete('analyze', '--ur')).toEqual(['--url']);
  });

  it.each(['zsh', 'fish'])('names every command for %s', async (shell) => {
    const { code, out } = await run(['completions', shell]);
    expect(code).toBe(0);
    for (const name of ['analyze', 'live', 'conversations', 'search', 'keys', 'webhooks', 'doctor', 'mcp'])
      expect(out).toContain(name);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script that %s accepts', async (shell) => {
    const { out } = await run(['completions', shell]);
    const script = join(folder, `undertone.${shell}`);
    writeFileSync(script, out);
    // If the shell is not installed, only balanced quotes can be checked.
    if (spawnSync(shell, ['-c', 'exit']).error) expect(out.replaceAll("'\\''", '').split("'").length % 2).toBe(1);
    else expect(spawnSync(shell, ['-n', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});
