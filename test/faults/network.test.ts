import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BreakableNetwork } from './breakable-network.ts';
import { ALONE_MS, JobService, KEY, MEBIBYTE, PART_BYTES, PATIENCE, sha256 } from './job-service.ts';
import { TRIES } from './table.ts';

// The machine's network fails in every step of a job, of a webhook and of a multipart upload, ten times each: between
// clients and Worker, Worker and pipeline, Worker and receiver, all at once. Every other time connections are reset and
// refused; otherwise data stops arriving without an error. Expected are one result, one accepted message, and an object
// with the same bytes.

const AWAY_MS = 4_000;

let network: BreakableNetwork;
let service: JobService;
beforeAll(async () => {
  network = new BreakableNetwork();
  service = await JobService.start((url) => network.way(url));
}, 300_000);
afterEach(() => network.comeBack());
afterAll(async () => {
  await service?.stop();
  await network.close();
});

const rounds = Array.from({ length: TRIES }, (_, round) => round + 1);

async function away(round: number): Promise<void> {
  network.fail(round % 2 === 0 ? 'silence' : 'reset');
  await wait(AWAY_MS);
  network.comeBack();
}

describe('the network fails', () => {
  it.each(rounds)('while a file comes, %i: sent again under its key, it is analysed once', async (round) => {
    const [file, key] = [randomBytes(12 * MEBIBYTE), crypto.randomUUID()];
    const broken = service.brokenUpload(file, key);
    await wait(Math.random() * 300);
    await away(round);
    await broken;
    await service.expectOneResult(await service.begin(file, key), sha256(file));
  });

  it.each(rounds)('at a random moment of a job, up to its end, %i', async (round) => {
    const file = randomBytes(100_000);
    const id = await service.begin(file);
    await wait(Math.random() * (ALONE_MS + 800));
    await away(round);
    await service.expectOneResult(id, sha256(file));
  });

  it.each(rounds)('while a webhook is told, %i: what is told again has the same id', async (round) => {
    const { calls, held } = service.holdFirstMessage();
    const file = randomBytes(1000);
    const id = await service.begin(file);
    await held;
    await wait(Math.random() * 500);
    await away(round);
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(1), PATIENCE);
    expect(new Set(calls).size).toBe(1);
    await service.expectOneResult(id, sha256(file));
  });

  it.each(rounds)('in the middle of a part, %i', async (round) => {
    const file = randomBytes(40 * MEBIBYTE);
    const partOf = (number: number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const upload = await service.announce(file.length);
    const first = service.brokenPart(upload.id, 1, partOf(1));
    await wait(Math.random() * 400);
    await away(round);
    await first;
    await service.sendMissing(upload.id, partOf);
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, sha256(file));
  });

  it.each(rounds)('while an upload is put together, %i', async (round) => {
    const file = randomBytes(40 * MEBIBYTE);
    const upload = await service.announce(file.length);
    await service.sendMissing(upload.id, (number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES));
    const first = fetch(`${service.url}/uploads/${upload.id}/complete`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY, Prefer: 'respond-async' },
    }).catch(() => undefined);
    await wait(Math.random() * 300);
    await away(round);
    await first;
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, sha256(file));
  });
});
