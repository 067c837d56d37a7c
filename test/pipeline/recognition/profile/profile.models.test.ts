import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadRuntime } from '../../../../containers/pipeline/models/runtime.ts';
import { engineOf, engines, LoadedRecognisers } from '../../../../containers/pipeline/recognition/engines.ts';
import { provideModelFile } from '../../../../containers/pipeline/recognition/profile/model-files.ts';
import { provideProfile } from '../../../../containers/pipeline/recognition/profile/profiled.ts';
import { pipelineSettings } from '../../../../containers/pipeline/settings.ts';
import { fixtureSamples } from '../../../../support/recordings.ts';

const TINY = new URL('../../../../node_modules/@moonshine-ai/moonshine-js/dist/model/tiny/quantized/', import.meta.url);
const ENCODER = readFileSync(new URL('encoder_model.onnx', TINY));
const DECODER = readFileSync(new URL('decoder_model_merged.onnx', TINY));
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The built-in model, as an operator would describe it. */
const PROFILE = {
  id: 'moonshine-tiny-again',
  name: 'Moonshine tiny (Useful Sensors)',
  licence: 'MIT',
  languages: ['en'],
  architecture: 'moonshine',
  sample_rate: 16_000,
  tokenizer: 'llama-2',
  longest_s: 15,
  encoder: { file: 'encoder.onnx', sha256: digest(ENCODER) } as Record<string, string>,
  decoder: { file: 'decoder.onnx', sha256: digest(DECODER) } as Record<string, string>,
  decoder_shape: { layers: 6, heads: 8, head_size: 36, rotary: 32 },
};

let folder: string;
const kept = () => join(folder, 'models');
/** The settings of a deployment that names a profile; its files lie beside it. */
function settingsOf(profile: object | string, env: Record<string, string> = {}) {
  const path = join(folder, `profile-${Math.random()}.json`);
  writeFileSync(path, typeof profile === 'string' ? profile : JSON.stringify(profile));
  return pipelineSettings({ ASR_PROFILE: path, MODEL_FOLDER: kept(), ...env });
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-profile-'));
  writeFileSync(join(folder, 'encoder.onnx'), ENCODER);
  writeFileSync(join(folder, 'decoder.onnx'), DECODER);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a profile', () => {
  it('adds a recogniser, and may be the default', () => {
    expect(engines(settingsOf(PROFILE)).map(({ id }) => id)).toEqual(['moonshine-tiny', PROFILE.id]);
    expect(engineOf(undefined, settingsOf(PROFILE, { RECOGNISER: PROFILE.id })).id).toBe(PROFILE.id);
    expect(() => engines(pipelineSettings({ RECOGNISER: 'dictaphone' }))).toThrow(
      'RECOGNISER must be one of moonshine-tiny',
    );
  });

  it('gives the text of its model', async () => {
    const settings = settingsOf(PROFILE);
    await provideProfile(settings);
    const recognisers = new LoadedRecognisers(await loadRuntime(), settings);
    const sound = fixtureSamples('short.wav');
    const own = await (await recognisers.get(PROFILE.id)).recognise(sound);
    expect(own.text).toBe('Thank you for calling. See you tomorrow.');
    expect(own).toEqual(await (await recognisers.get('moonshine-tiny')).recognise(sound));
  });

  it.each<[string, object | string, string]>([
    ['is not JSON', '{"id":', 'is not JSON'],
    ['has no id', { ...PROFILE, id: undefined }, 'id:'],
    ['has the id of another', { ...PROFILE, id: 'moonshine-tiny' }, 'a unique id; moonshine-tiny is already in use'],
    ['has the id of an endpoint', { ...PROFILE, id: 'endpoint' }, 'a unique id; endpoint is already in use'],
    ['has another architecture', { ...PROFILE, architecture: 'whisper' }, 'architecture:'],
    ['has another sample rate', { ...PROFILE, sample_rate: 8_000 }, 'sample_rate:'],
    ['has another tokenizer', { ...PROFILE, tokenizer: 'bpe' }, 'tokenizer:'],
    ['names a file without a digest', { ...PROFILE, encoder: { file: 'encoder.onnx' } }, 'encoder.sha256:'],
    ['names no file', { ...PROFILE, encoder: { sha256: digest(ENCODER) } }, 'encoder:'],
    [
      'names an address of another kind',
      { ...PROFILE, encoder: { url: 'ftp://a/b', sha256: digest(ENCODER) } },
      'encoder.url:',
    ],
    [
      'rotates more numbers than a head has',
      { ...PROFILE, decoder_shape: { ...PROFILE.decoder_shape, rotary: 40 } },
      'rotary:',
    ],
    ['has an unknown field', { ...PROFILE, speed: 2 }, 'speed'],
  ])('that %s is refused with this reason', (_, profile, why) => {
    expect(() => engines(settingsOf(profile))).toThrow(new RegExp(`^ASR_PROFILE must .*${why}`));
  });

  it('that is missing is refused', () => {
    expect(() => engines(pipelineSettings({ ASR_PROFILE: join(folder, 'none.json') }))).toThrow('cannot be read');
  });

  it.each<[string, object, string]>([
    ['is missing', { encoder: { file: 'none.onnx', sha256: digest(ENCODER) } }, 'none.onnx cannot be read'],
    [
      'has other bytes',
      { decoder: { file: 'encoder.onnx', sha256: digest(DECODER) } },
      'does not match its digest: its SHA-256 is',
    ],
  ])('whose file %s prevents the start', async (_, change, why) => {
    await expect(provideProfile(settingsOf({ ...PROFILE, ...change }))).rejects.toThrow(why);
  });

  it.each([
    [{ layers: 8 }, 'layers is 6 in the decoder and 8'],
    [{ heads: 6 }, 'heads is 8 in the decoder and 6'],
    [{ head_size: 52 }, 'head_size is 36 in the decoder and 52'],
    [{ rotary: 16 }, 'rotary is not 16'],
  ])('whose shape is not the decoder’s (%o) does not load', async (change, why) => {
    const settings = settingsOf({ ...PROFILE, decoder_shape: { ...PROFILE.decoder_shape, ...change } });
    const recognisers = new LoadedRecognisers(await loadRuntime(), settings);
    await expect(recognisers.get(PROFILE.id)).rejects.toThrow(why);
  });

  it('whose file changed after the start does not load', async () => {
    const settings = settingsOf(PROFILE);
    await provideProfile(settings);
    writeFileSync(join(folder, 'decoder.onnx'), DECODER.subarray(0, 1000));
    const recognisers = new LoadedRecognisers(await loadRuntime(), settings);
    await expect(recognisers.get(PROFILE.id)).rejects.toThrow('does not match its digest');
  });
});

describe('a file at a URL', () => {
  type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;
  let behaviour: Behaviour;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.on('error', () => undefined);
    behaviour(request, response);
  });
  let origin: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const MODEL = Buffer.from('a model '.repeat(1_000));
  const LIMITS = { bytes: 100_000, allMs: 10_000, silentMs: 10_000 };
  const file = (path = '/model.onnx?key=secret', bytes: Uint8Array = MODEL) => ({
    at: { url: `${origin}${path}` },
    sha256: digest(bytes),
  });
  const given: Behaviour = (_, response) => response.end(MODEL);

  it('is fetched once, kept under its digest, and fetched again only when it changed', async () => {
    behaviour = given;
    await provideModelFile(file(), kept(), LIMITS);
    await provideModelFile(file(), kept(), LIMITS);
    const path = join(kept(), `${digest(MODEL)}.onnx`);
    expect(readFileSync(path)).toEqual(MODEL);
    expect(asked).toHaveLength(1);
    writeFileSync(path, 'spoilt');
    await provideModelFile(file(), kept(), LIMITS);
    expect(readFileSync(path)).toEqual(MODEL);
    expect(asked).toHaveLength(2);
  });

  it('is fetched through a redirect', async () => {
    behaviour = (request, response) =>
      request.url === '/there' ? response.end(MODEL) : response.writeHead(302, { Location: '/there' }).end();
    await provideModelFile(file(), kept(), LIMITS);
    expect(asked).toEqual(['/model.onnx?key=secret', '/there']);
  });

  it.each<[string, Behaviour, string, Partial<typeof LIMITS>]>([
    ['has other bytes', (_, response) => response.end('another'), 'does not match its digest', {}],
    ['is truncated', (_, response) => response.end(MODEL.subarray(0, 4_000)), 'does not match its digest', {}],
    [
      'breaks off',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': MODEL.length });
        response.write(MODEL.subarray(0, 4_000), () => request.socket.destroy());
      },
      'could not be fetched: terminated',
      {},
    ],
    ['does not exist', (_, response) => response.writeHead(404).end('no'), 'the server returned 404', {}],
    ['states that it is too large', given, 'is larger than 5000 bytes', { bytes: 5_000 }],
    [
      'does not end',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(MODEL));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
      'is larger than 100000 bytes',
      {},
    ],
    ['falls silent', (_, response) => void response.write('a'), 'the server sent nothing for 0.05 s', { silentMs: 50 }],
    ['never answers', () => undefined, 'the server sent nothing for 0.05 s', { silentMs: 50 }],
    [
      'comes too slowly',
      (_, response) => {
        const drip = setInterval(() => response.write('a'), 10);
        response.once('close', () => clearInterval(drip));
      },
      'the fetch took more than 0.2 s',
      { allMs: 200 },
    ],
    [
      'redirects in circles',
      (_, response) => response.writeHead(302, { Location: '/model.onnx' }).end(),
      'the server redirected more than 5 times',
      {},
    ],
    [
      'redirects to another protocol',
      (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
      'the server redirected to file:',
      {},
    ],
  ])('that %s stops the start and leaves nothing', async (_, does, why, limits) => {
    behaviour = does;
    const fetched = provideModelFile(file(), kept(), { ...LIMITS, ...limits });
    await expect(fetched).rejects.toThrow(why);
    await expect(fetched).rejects.not.toThrow('secret');
    expect(readdirSync(kept())).toEqual([]);
  });

  it('that is unreachable is reported', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const nobody = { at: { url: `http://127.0.0.1:${port}/model.onnx` }, sha256: digest(MODEL) };
    await expect(provideModelFile(nobody, kept(), LIMITS)).rejects.toThrow(/could not be fetched: .*ECONNREFUSED/);
  });

  it('may be named for each file of a profile', async () => {
    behaviour = (request, response) => response.end(request.url === '/encoder' ? ENCODER : DECODER);
    const settings = settingsOf({
      ...PROFILE,
      encoder: { url: `${origin}/encoder`, sha256: digest(ENCODER) },
      decoder: { url: `${origin}/decoder`, sha256: digest(DECODER) },
    });
    expect(asked).toEqual([]);
    await provideProfile(settings);
    await provideProfile(settings);
    expect(asked).toEqual(['/encoder', '/decoder']);
    const recogniser = await new LoadedRecognisers(await loadRuntime(), settings).get(PROFILE.id);
    expect((await recogniser.recognise(fixtureSamples('short.wav'))).text).toContain('Thank you for calling.');
  });
});

it('fetches nothing without a profile', async () => {
  mkdirSync(join(folder, 'empty'));
  await provideProfile(pipelineSettings({ MODEL_FOLDER: join(folder, 'empty') }));
  expect(readdirSync(join(folder, 'empty'))).toEqual([]);
});
