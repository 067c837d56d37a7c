import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { sayCard } from '../../support/card-pipeline.ts';
import { sayEverything } from '../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'undertone-holds-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...args: string[]) =>
  run(args, { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('shows who accessed a conversation', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'));
  await client.conversations.export(id, 'txt');
  const shown = await vi.waitUntil(async () => {
    const { out } = await cli('conversations', 'access', id);
    return out.includes('exported') && out;
  }, 20_000);
  expect(shown).toMatch(/analyzed/);
  const { tenant } = await client.keys.current();
  const admin = ['--operator-token', ADMIN_TOKEN, '--tenant', tenant, '--conversation', id];
  expect((await cli('access-log', ...admin)).out).toContain('exported');
  const file = join(folder, 'log.csv');
  await cli('access-log', ...admin, '--out', file);
  expect(readFileSync(file, 'utf8').trimEnd().split('\r\n')).toHaveLength(3);
  expect((await cli('access-log')).code).toBe(3);
});

it('checks the receipt of a deletion', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'));
  const receipt = await client.conversations.delete(id);
  const [file, keys] = [join(folder, 'receipt.json'), join(folder, 'keys.json')];
  writeFileSync(keys, JSON.stringify(await client.receiptKeys()));
  const check = async (content: object | string, ...more: string[]) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return cli('verify-receipt', file, ...more);
  };
  const valid = await check(receipt);
  expect(valid.out).toContain(`Valid: the conversation ${id} was deleted at ${receipt.deleted_at} by key `);
  expect((await check(receipt.signed, '--keys', keys, '--url', 'http://nowhere.invalid')).code).toBe(0);
  expect(JSON.parse((await check(receipt, '--json')).out)).toMatchObject({ conversation_id: id, bytes: receipt.bytes });
  const refused = async (content: object | string, ...more: string[]) => {
    const { code, err, out } = await check(content, ...more);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return err;
  };
  expect(await refused({ ...receipt, bytes: 1 })).toContain('"bytes" differs from what was signed');
  const [head = '', payload = '', signature = ''] = receipt.signed.split('.');
  const other = Buffer.from(payload, 'base64url').toString().replace(id, 'another');
  const forged = [head, Buffer.from(other).toString('base64url'), signature].join('.');
  expect(await refused(forged)).toContain('the signature does not match');
  const unsigned = [Buffer.from('{"alg":"none"}').toString('base64url'), payload, ''].join('.');
  expect(await refused(unsigned)).toContain('it is not signed with EdDSA');
  expect(await refused('{}')).toContain('it has no signature');
  writeFileSync(keys, JSON.stringify({ keys: [] }));
  expect(await refused(receipt, '--keys', keys)).toContain('the service has no key');
  expect((await cli('verify-receipt', join(folder, 'nothing'))).code).toBe(2);
});

it('conversations are put on hold in a terminal, and a deletion of several leaves those out', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const analysed = async () => (await client.analyze(new File(['a recording'], 'call.wav'))).conversation_id;
  const [held, free] = [await analysed(), await analysed()];
  const { out } = await cli('holds', 'set', held, '--reason', 'Complaint 7', '--until', '2999-01-01');
  expect(out).toMatch(/^hold_\w{16}\n$/);
  const deleted = await cli('conversations', 'delete', held, free);
  expect(deleted).toMatchObject({ code: 1, err: expect.stringContaining(`${held}: This conversation is on hold`) });
  expect(deleted.err).toContain(`Deleted: ${free}`);
  const over = await cli('holds', 'add', '--label', 'acme', '--from', '2026-01-01', '--reason', 'Dispute', '--json');
  expect(JSON.parse(over.out)).toMatchObject({ filter: { label: 'acme' }, conversations: 0 });
  const list = (await cli('holds', 'list')).out;
  expect(list).toContain('label=acme created_after=2026-01-01T00:00:00.000Z');
  expect(list).toContain('until 2999-01-01');
  expect((await cli('holds', 'lift', out.trim())).err).toContain(`Lifted: ${out.trim()}`);
  expect(await client.holds.of(held)).toEqual([]);
  expect((await cli('holds', 'set', held, '--reason', 'x', '--until', 'soon')).code).toBe(2);
  expect((await cli('conversations', 'delete', held)).code).toBe(0);
});

it('redacts stored conversations, and lists the receipts', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  service.pipeline.answer = sayCard;
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'));
  const done = await cli('redactions', 'run', id, '--kinds', 'card, name');
  expect(done).toMatchObject({ code: 0, out: 'card 1; verified\n' });
  expect((await cli('receipts', '--conversation', id, '--kind', 'redaction')).out).toContain('card 1; verified');
  const [receipt] = (await cli('receipts', '--conversation', id, '--json')).out.trim().split('\n');
  writeFileSync(join(folder, 'redaction.json'), receipt!);
  expect((await cli('verify-receipt', join(folder, 'redaction.json'))).out).toMatch(/^Valid: .* was redacted /);

  const { out } = await cli('redactions', 'add', '--kinds', 'card', '--from', '2026-01-01');
  const ended = await vi.waitUntil(async () => {
    const shown = await cli('redactions', 'show', out.trim());
    return shown.err.includes('completed') && shown.err;
  }, 20_000);
  expect(ended).toMatch(/completed: \d+ of \d+ redacted, 0 waiting, \d+ on hold, 0 failed/);
  service.pipeline.answer = sayEverything;
  expect((await cli('redactions', 'run', id, '--kinds', 'shoes')).err).toContain('shoes');
  expect((await cli('redactions', 'add', '--kinds', 'card')).code).not.toBe(0);
});
