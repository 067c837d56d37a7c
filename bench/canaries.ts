/**
 * Redaction of spoken values, through the whole service: made dialogues are read aloud (espeak-ng, and flite where it is
 * installed), also in the band of a telephone, and sent in every way. Then the values are searched for in everything that
 * the service stored, sent and wrote: objects, SQLite with its logs, events, exports, webhooks, tools of MCP, prompts of a
 * language model, and output. Values that the recogniser hears differently, without redaction, are counted apart.
 *
 *   npm run bench -- canaries [--dialogues 40] [--each] [--minutes M]
 *
 * `--each` sends every dialogue in every way; otherwise each takes its turn. After `--minutes` no further dialogue is
 * sent, and the report is of those that were.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { REDACTION_KINDS } from '../src/contract/redaction.ts';
import { digitsIn, Redactor } from '../src/conversation/redaction/redactor.ts';
import { type AnalysisResponse, type StreamEvent, Undertone } from '../src/sdk/index.ts';
import { startServer as startHttp } from '../support/local-server.ts';
import { MADE_KINDS, type MadeDialogue, madeDialogue } from '../support/made-personal-data.ts';
import { OPTIONS, postMedia, startServer } from '../support/pipeline-server.ts';
import { seeded } from '../support/random.ts';
import { isInstalled, spokenDialogue, VOICE_PAIRS } from '../support/spoken-dialogue.ts';
import { startProcess } from '../support/started.ts';
import { freePort } from '../tools/machine.ts';
import { report, say, type Table } from './report.ts';

const { values } = parseArgs({
  options: {
    dialogues: { type: 'string' },
    each: { type: 'boolean' },
    minutes: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const COUNT = Number(values.dialogues ?? 40);
const MOST_MS = Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const SEED = 33;
const WAYS = ['batch', 'in parts', 'by URL', 'replay', 'live'] as const;
type Way = (typeof WAYS)[number];
const FORMATS = ['json', 'txt', 'md', 'srt', 'vtt', 'csv', 'html'] as const;
const REDACT = REDACTION_KINDS.filter((kind) => !['name', 'address', 'digits'].includes(kind));
/** Fewest digits in a row of a value that count: in one number, in numbers side by side, and in words or texts. */
const GRAM = { joined: 8, apart: 6, said: 4 } as const;
const CHUNK_BYTES = 32_000;

interface Canary extends MadeDialogue {
  sound: Uint8Array<ArrayBuffer>;
  voice: string;
  /** Whether the recogniser hears the value without redaction. */
  isHeard: boolean;
  way: Way;
}

interface Read {
  way: string;
  verified: boolean | null;
  /** Places at which something of the value was found. */
  places: string[];
}

const textOf = ({ words }: MadeDialogue['utterances'][number]) => words.map(({ text }) => text).join(' ');
const digitsOf = (text: string): string => text.replace(/\D/gu, '');
const gramsOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.max(0, text.length - size + 1) }, (_, i) => text.slice(i, i + size));

/** Words and digits of a text in lower case, one space between them. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@_]+/gu, ' ')
    .trim();

/** Words of a value as they were said, four in a row: the trace that an address or a date leaves in a text. */
function saidForms({ utterances }: MadeDialogue): string[] {
  return utterances.flatMap(({ words }) => {
    const said = words.flatMap(({ text, kind }) => (kind ? plain(text).split(' ') : ['|'])).join(' ');
    return said.split('|').flatMap((part) => {
      const own = part
        .trim()
        .split(' ')
        .filter((word) => word !== '');
      const all = own.join(' ');
      if (own.length < 4) return all.length >= 10 ? [all] : [];
      return own.slice(3).map((_, i) => own.slice(i, i + 4).join(' '));
    });
  });
}

const NUMBER_WORDS = 'zero oh one two three four five six seven eight nine'.split(' ');
const SEQUENCE = new RegExp(`(?:\\b(?:\\d+|${NUMBER_WORDS.join('|')})\\b[\\s,:"-]{0,3}){2,40}`, 'gu');
const DECIMAL = /-?\d+\.\d+(?:e-?\d+)?/gu;

/** Digits of a text: in one number, in numbers side by side, and in words. */
function numbersOf(lower: string): { joined: string[]; apart: string[]; said: string[] } {
  const whole = lower.replace(DECIMAL, '#');
  const apart: string[] = [];
  const said: string[] = [];
  for (const [sequence] of whole.matchAll(SEQUENCE)) {
    const tokens = sequence.match(/\d+|[a-z]+/gu) ?? [];
    const digits = tokens
      .map((one) => (/\d/u.test(one) ? one : String(Math.max(0, NUMBER_WORDS.indexOf(one) - 1))))
      .join('');
    (tokens.some((one) => /[a-z]/u.test(one)) ? said : apart).push(digits);
  }
  return { joined: whole.match(/\d{8,40}/gu) ?? [], apart, said };
}

/** Whether a text of any kind contains a value, in whatever form. */
function finder(canaries: readonly Canary[]): (text: string) => Set<Canary> {
  const grams = {
    joined: new Map<string, Canary>(),
    apart: new Map<string, Canary>(),
    said: new Map<string, Canary>(),
  };
  const forms = new Map<string, Canary>();
  for (const canary of canaries) {
    const digits = digitsOf(canary.value ?? '');
    for (const size of ['joined', 'apart', 'said'] as const)
      for (const gram of gramsOf(digits, GRAM[size])) grams[size].set(gram, canary);
    for (const form of saidForms(canary)) forms.set(form, canary);
    if (/@/u.test(canary.value ?? '')) forms.set(plain(canary.value!), canary);
    const code = (canary.value ?? '').toLowerCase();
    if (/[a-z]/u.test(code) && code.length >= 6) forms.set(code, canary);
  }
  return (text) => {
    const found = new Set<Canary>();
    const lower = text.toLowerCase();
    const numbers = numbersOf(lower);
    for (const size of ['joined', 'apart', 'said'] as const)
      for (const digits of numbers[size])
        for (const gram of gramsOf(digits, GRAM[size])) if (grams[size].has(gram)) found.add(grams[size].get(gram)!);
    const words = plain(lower);
    for (const [form, canary] of forms) if (words.includes(form)) found.add(canary);
    return found;
  };
}

/** Whether words contain four digits of a value in a row, or its words. */
function isSaidIn(text: string, canary: Canary): boolean {
  const heard = digitsIn(text.split(/\s+/u));
  if (gramsOf(digitsOf(canary.value ?? ''), GRAM.said).some((gram) => heard.includes(gram))) return true;
  return finder([canary])(text).size > 0;
}

/** Whether the recogniser understood a value: its digits, as often as they were said, or its words are in the text. */
function isUnderstood(text: string, { value, kind, utterances }: Canary): boolean {
  const squeezed = text.toLowerCase().replace(/[^a-z0-9@]/gu, '');
  if (kind === 'email') return squeezed.includes((value ?? '').toLowerCase().replace(/[^a-z0-9@]/gu, ''));
  const words = text.split(/\s+/u);
  if (kind === 'dob') return new Redactor<null>(['dob']).peek({ speaker: '', words }).length > 0;
  const said = digitsIn(utterances.flatMap((one) => one.words.flatMap((word) => (word.kind ? [word.text] : []))));
  return said.length > 0 && digitsIn(words).includes(said);
}

/** Every file below a folder, as text with a byte a character. */
function* filesIn(folder: string): Generator<{ path: string; text: string }> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) yield { path: name, text: readFileSync(path, 'latin1') };
  }
}

function madeCanaries(): Canary[] {
  const random = seeded(SEED);
  const pairs = VOICE_PAIRS.filter(({ by }) => isInstalled(by));
  return Array.from({ length: COUNT }, (_, i) => {
    const dialogue = madeDialogue(random, MADE_KINDS[i % MADE_KINDS.length]!);
    const pair = pairs[i % pairs.length]!;
    const isTelephone = Math.floor(i / pairs.length) % 2 === 1;
    const spoken = dialogue.utterances.map((one) => ({ speaker: one.speaker, text: textOf(one) }));
    const sound = new Uint8Array(spokenDialogue(spoken, pair, isTelephone));
    const voice = `${pair.by} ${pair.voices[1]}${isTelephone ? ', telephone' : ''}`;
    return { ...dialogue, sound, voice, isHeard: false, way: WAYS[i % WAYS.length]! };
  });
}

/** The transcript of a recording without redaction. @param quality of the analysis */
async function transcriptOf(url: string, sound: Uint8Array, quality: 'best' | 'fast'): Promise<string> {
  const answer = await postMedia(url, sound, { ...OPTIONS, quality });
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('{"type":"event"'));
  return lines
    .map((line) => JSON.parse(line) as { event?: string; data?: { text?: string } })
    .flatMap(({ event, data }) => (event === 'final_transcript' ? [data?.text ?? ''] : []))
    .join(' ');
}

async function main(): Promise<void> {
  const canaries = madeCanaries();
  const began = performance.now();
  const state = mkdtempSync(join(tmpdir(), 'canaries-'));
  const prompts: string[] = [];
  const hooks: string[] = [];
  const served = new Map<string, Uint8Array>();
  const outside = await startHttp(async (request, response: ServerResponse) => {
    const file = served.get(request.url ?? '');
    if (file) return void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(file);
    let body = '';
    for await (const part of request) body += part;
    const isHook = request.url === '/hook';
    (isHook ? hooks : prompts).push(body);
    if (isHook) response.writeHead(200).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices": []}');
  });
  const { server: pipeline, port: pipelinePort } = await startServer();
  const port = await freePort();
  const service = startProcess(['scripts/start.ts'], {
    PORT: String(port),
    STATE_DIR: state,
    LLM_MODEL: 'canary',
    LLM_BASE_URL: `${outside.url}/v1`,
    LLM_API_KEY: 'none',
    ALLOW_PRIVATE_TARGETS: 'true',
  });
  try {
    const key = /demo key: ([^;]+);/u.exec(await service.line(/demo key/u))![1]!;
    const url = new URL(`http://127.0.0.1:${port}`);
    const undertone = new Undertone({ url, key });
    await undertone.webhooks.create({ url: `${outside.url}/hook` });
    const mcp = new Client({ name: 'canaries', version: '1' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: { 'X-API-Key': key } } }),
    );

    const reads = new Map<Canary, Read[]>();
    const sent: { place: string; text: string; canary: Canary }[] = [];
    for (const [i, canary] of canaries.entries()) {
      if (performance.now() - began > MOST_MS) break;
      const plainText = await transcriptOf(`http://127.0.0.1:${pipelinePort}`, canary.sound, 'best');
      canary.isHeard = isUnderstood(plainText, canary);
      const own: Read[] = [];
      reads.set(canary, own);
      for (const way of values.each ? WAYS : [canary.way]) {
        const { id, events } = await analysed(undertone, canary, way, { served, url: outside.url, n: i });
        const take = (place: string, text: string) => sent.push({ place, text, canary });
        take(`${way}: events`, JSON.stringify(events));
        let result: AnalysisResponse = await undertone.conversations.get(id);
        if (way === 'batch') {
          result = await undertone.conversations.reanalyze(id, { quality: 'fast', redact: REDACT });
          take('re-analysed', JSON.stringify(result));
        }
        take(`${way}: result`, JSON.stringify(result));
        for (const format of FORMATS)
          take(`${way}: export ${format}`, await (await undertone.conversations.export(id, format)).text());
        const stored: StreamEvent[] = [];
        for await (const event of undertone.conversations.events(id)) stored.push(event);
        take(`${way}: stored events`, JSON.stringify(stored));
        for (const name of ['get_transcript', 'get_summary', 'get_moments', 'get_insights'])
          take(
            `${way}: tool ${name}`,
            JSON.stringify(await mcp.callTool({ name, arguments: { conversation_id: id } })),
          );
        const tone = new Uint8Array(await (await undertone.conversations.media(id)).arrayBuffer());
        const places: string[] = [];
        const again = await transcriptOf(`http://127.0.0.1:${pipelinePort}`, tone, 'fast');
        if (isSaidIn(again, canary)) places.push('sound');
        const texts = result.timeline.map(({ text }) => text);
        if (texts.some((text) => isSaidIn(text, canary))) places.push('text');
        if (places.length > 0) say(`${canary.utterances.map(textOf).join(' / ')}\n  ${texts.join(' / ')}\n  ${again}`);
        own.push({ way, verified: result.redaction?.verified ?? null, places });
        say(
          `${((performance.now() - began) / 1000).toFixed(0)} s: ${i + 1} of ${canaries.length}: ${canary.kind}, ${way}, ${canary.isHeard ? 'heard' : 'misheard'}, ${places.join()}`,
        );
      }
    }
    await mcp.close();
    const find = finder(canaries);
    const everywhere = (place: string, text: string) => {
      for (const canary of find(text)) reads.get(canary)?.[0]?.places.push(place);
    };
    for (const { place, text } of sent) everywhere(place, text);
    for (const body of hooks) everywhere('webhook', body);
    for (const body of prompts) everywhere('prompt', body);
    everywhere('output', service.lines.join('\n'));
    let bytes = 0;
    let files = 0;
    for (const { path, text } of filesIn(state)) {
      bytes += text.length;
      files++;
      everywhere(`stored ${path}`, text);
    }
    say(
      `${files} files with ${bytes} bytes, ${sent.length} answers, ${hooks.length} webhooks, ${prompts.length} prompts`,
    );
    for (const [canary, all] of reads)
      for (const { way, places } of all)
        if (places.length > 0)
          say(
            `LEFT ${canary.kind} (${canary.isHeard ? 'heard' : 'misheard'}, ${canary.voice}, ${way}): ${[...new Set(places)].slice(0, 8).join('; ')}`,
          );
    report('canaries', [
      table(reads, { files, bytes, answers: sent.length, hooks: hooks.length, prompts: prompts.length }),
    ]);
  } finally {
    service.process.kill('SIGINT');
    await service.ended;
    pipeline.kill();
    await outside.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Sends a recording in one of the ways, to the end of its analysis. */
async function analysed(
  undertone: Undertone,
  { sound }: Canary,
  way: Way,
  { served, url, n }: { served: Map<string, Uint8Array>; url: string; n: number },
): Promise<{ id: string; events: StreamEvent[] }> {
  const file = new File([sound], `call-${n}.wav`);
  const options = { redact: [...REDACT] };
  const events: StreamEvent[] = [];
  if (way === 'replay' || way === 'live') {
    if (way === 'replay') for await (const event of undertone.replay(file, options)) events.push(event);
    else {
      const capture = await undertone.live.start({ suffix: '.wav', ...options });
      const reading = (async () => {
        for await (const event of capture) events.push(event);
      })();
      for (let at = 0; at < sound.length; at += CHUNK_BYTES)
        await capture.send(new Blob([sound.subarray(at, at + CHUNK_BYTES)]));
      await capture.finalize();
      await reading;
    }
    const done = events.findLast(({ event }) => event === 'done');
    return { id: (done!.data as { conversation_id: string }).conversation_id, events };
  }
  if (way === 'by URL') {
    served.set(`/call-${n}.wav`, sound);
    const { conversation_id } = await undertone.analyze({ url: `${url}/call-${n}.wav` }, options);
    return { id: conversation_id, events };
  }
  const inParts = way === 'in parts' ? { onProgress: () => undefined } : {};
  const { conversation_id } = await undertone.analyze(file, { ...options, ...inParts });
  return { id: conversation_id, events };
}

function table(
  reads: ReadonlyMap<Canary, Read[]>,
  searched: { files: number; bytes: number; answers: number; hooks: number; prompts: number },
): Table {
  const rows = MADE_KINDS.map((kind) => {
    const own = [...reads].filter(([canary]) => canary.kind === kind);
    const of = (isHeard: boolean) => own.filter(([canary]) => canary.isHeard === isHeard).flatMap(([, all]) => all);
    const left = (all: readonly Read[]) => all.filter(({ places }) => places.length > 0).length;
    const [heard, misheard] = [of(true), of(false)];
    return [
      kind,
      heard.length,
      left(heard),
      misheard.length,
      left(misheard),
      misheard.filter(({ verified }) => verified === false).length,
      misheard.filter(({ verified, places }) => verified !== false && places.length > 0).length,
    ];
  });
  const { files, bytes, answers, hooks, prompts } = searched;
  return {
    title: 'Spoken values through the whole service',
    columns: ['kind', 'heard', 'left', 'misheard', 'with a part left', 'not verified', 'verified with a part left'],
    rows,
    note: `${reads.size} dialogues in turn: ${WAYS.join(', ')}, each first one re-analysed; ${files} stored files (${Math.round(bytes / 1e6)} MB), ${answers} answers, ${hooks} webhooks, ${prompts} prompts and the output searched. Heard: the recogniser prints the value as it is, without redaction.`,
  };
}

await main();
