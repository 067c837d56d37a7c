import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RestartableProcess } from '../../bench/processes.ts';
import { ALONE_MS, formOf, JobService, KEY, MEBIBYTE, PART_BYTES, PATIENCE, sha256 } from './job-service.ts';
import { TRIES } from './table.ts';

// SIGKILL of the pipeline and of the Worker (`wrangler dev`, whose storage is kept) in every step of a job, of a
// webhook and of a multipart upload, ten times each. Expected are one result, one accepted message, and an object with
// the same bytes. The pipeline recognises nothing; it takes a fixed time and returns the digest of the bytes it
// received.

let service: JobService;
beforeAll(async () => {
  service = await JobService.start();
}, 300_000);
afterAll(() => service?.stop());

async function kill(victim: RestartableProcess): Promise<void> {
  await victim.kill();
  await victim.start();
}

const rounds = Array.from({ length: TRIES }, (_, round) => round + 1);

describe('SIGKILL of the Worker', () => {
  it.each(rounds)('while a file comes, %i: sent again under its key, it is analysed once', async () => {
    const [file, key] = [randomBytes(12 * MEBIBYTE), crypto.randomUUID()];
    const broken = service.brokenUpload(file, key);
    await wait(Math.random() * 300);
    await kill(service.worker);
    await broken;
    await service.expectOneResult(await service.begin(file, key), sha256(file));
  });

  it.each(rounds)('while a job waits, %i', async () => {
    const [before, file] = [randomBytes(100_000), randomBytes(100_000)];
    const ids = await Promise.all([service.begin(before), service.begin(randomBytes(100_000)), service.begin(file)]);
    await wait(Math.random() * ALONE_MS);
    await kill(service.worker);
    await service.expectOneResult(ids[2]!, sha256(file));
    await service.expectOneResult(ids[0]!, sha256(before));
  });

  it.each(rounds)('at a random moment of a job, up to its end, %i', async () => {
    const file = randomBytes(100_000);
    const id = await service.begin(file);
    await wait(Math.random() * (ALONE_MS + 800));
    await kill(service.worker);
    await service.expectOneResult(id, sha256(file));
  });

  it.each(rounds)('while a request without a key waits for its analysis, %i: it is finished all the same', async () => {
    const file = randomBytes(100_000);
    const known = new Set(service.receiver.got);
    const answer = fetch(`${service.url}/analyze`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
      body: formOf(file),
    });
    const ended = answer.then((response) => response.text()).catch(() => undefined);
    // A request that the Worker had not accepted when it died remains with its sender.
    await service.underWay();
    await wait(Math.random() * (ALONE_MS - 500));
    await kill(service.worker);
    await ended;
    const told = await vi.waitFor(() => {
      const message = service.receiver.got.find((got) => !known.has(got));
      if (!message) throw new Error('nothing was told yet');
      return JSON.parse(message.body) as { data: { conversation_id: string } };
    }, PATIENCE);
    await service.expectOneResult(told.data.conversation_id, sha256(file));
  });

  it.each(rounds)('while a webhook is told, %i: it is told again under the same id', async () => {
    const { calls, held } = service.holdFirstMessage();
    const file = randomBytes(1000);
    const id = await service.begin(file);
    await held;
    await wait(Math.random() * 500);
    await kill(service.worker);
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(1), PATIENCE);
    expect(new Set(calls).size).toBe(1);
    await service.expectOneResult(id, sha256(file));
  });

  it.each(rounds)('after a webhook has answered, %i: what is told again has the same id', async () => {
    const answered = Promise.withResolvers<void>();
    service.receiver.answer = () => {
      setTimeout(answered.resolve, Math.random() * 20);
      return 200;
    };
    const file = randomBytes(1000);
    const id = await service.begin(file);
    await answered.promise;
    await kill(service.worker);
    // A message that was not recorded as delivered is sent again after a few seconds.
    await wait(7_000);
    await service.expectOneResult(id, sha256(file));
  });
});

describe('SIGKILL of the pipeline', () => {
  it.each(rounds)('at a random moment of a job, %i', async () => {
    const file = randomBytes(100_000);
    const id = await service.begin(file);
    await service.running(id);
    await wait(Math.random() * (ALONE_MS + 200));
    await kill(service.pipeline);
    await service.expectOneResult(id, sha256(file));
  });

  it.each(rounds)('while it stays away for a while, %i', async () => {
    const file = randomBytes(100_000);
    const id = await service.begin(file);
    await wait(Math.random() * ALONE_MS);
    await service.pipeline.kill();
    await wait(8_000);
    await service.pipeline.start();
    await service.expectOneResult(id, sha256(file));
  });
});

describe('a file in parts', () => {
  it.each(rounds)('goes on after SIGKILL of the Worker in the middle of a part, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const partOf = (number: number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const upload = await service.announce(file.length);
    const first = fetch(`${service.url}/uploads/${upload.id}/parts/1`, {
      method: 'PUT',
      headers: { 'X-API-Key': KEY },
      body: partOf(1),
    }).catch(() => undefined);
    await wait(Math.random() * 400);
    await kill(service.worker);
    await first;
    await service.sendMissing(upload.id, partOf);
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, sha256(file));
  });

  it.each(rounds)('goes on after SIGKILL of the Worker between its parts, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const partOf = (number: number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const upload = await service.announce(file.length);
    expect((await service.ask('PUT', `/uploads/${upload.id}/parts/3`, partOf(3))).status).toBe(200);
    await kill(service.worker);
    await service.sendMissing(upload.id, partOf);
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, sha256(file));
  });

  it.each(rounds)('goes on after SIGKILL of the Worker while it is put together, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const upload = await service.announce(file.length);
    await service.sendMissing(upload.id, (number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES));
    const first = fetch(`${service.url}/uploads/${upload.id}/complete`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY, Prefer: 'respond-async' },
    }).catch(() => undefined);
    await wait(Math.random() * 300);
    await kill(service.worker);
    await first;
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, sha256(file));
  });

  it('of 450 MB arrives with two parts failing on the way', async () => {
    const bytes = 450 * MEBIBYTE;
    const upload = await service.announce(bytes);
    const digest = createHash('sha256');
    const failing = new Set([5, 17]);
    for (let number = 1; number <= upload.part_count; number++) {
      const part = randomBytes(Math.min(upload.part_bytes, bytes - (number - 1) * upload.part_bytes));
      digest.update(part);
      if (failing.has(number)) await service.brokenPart(upload.id, number, part);
      expect((await service.ask('PUT', `/uploads/${upload.id}/parts/${number}`, part)).status).toBe(200);
    }
    await service.complete(upload.id);
    await service.expectOneResult(upload.id, digest.digest('hex'));
  });
});
