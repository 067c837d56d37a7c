import { ask, type Draft, type Header, idleHeaders, type Known, keyUse, withQuery } from './attempt.ts';
import type { Dice } from './dice.ts';
import { HOSTILE_NAMES, hostileText, textLength } from './hostile-texts.ts';
import { ownTenant, sessionId } from './json-attempts.ts';
import { media } from './media.ts';

// Attempts whose body is a form: recordings and chunks.

interface Part {
  /** Header lines, unchanged. */
  lines: string[];
  bytes: Buffer | string;
}

interface Form {
  kind: string;
  contentType: string;
  body: Buffer;
}

export const field = (name: string, value: string): Part => ({
  lines: [`Content-Disposition: form-data; name="${name}"`],
  bytes: value,
});

export const filePart = (name: string, filename: string, bytes: Buffer): Part => ({
  lines: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, 'Content-Type: audio/wav'],
  bytes,
});

/** A form as it is sent. The other parameters are for malformed forms. */
export function encodeForm(parts: readonly Part[], boundary: string, lineBreak = '\r\n', ending = '--'): Buffer {
  const pieces = parts.flatMap(({ lines, bytes }) => [
    Buffer.from(`--${boundary}${lineBreak}${lines.join(lineBreak)}${lineBreak}${lineBreak}`),
    typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    Buffer.from(lineBreak),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}${ending}${lineBreak}`)]);
}

const FILENAMES = [
  'a',
  'a.exe',
  'a.WAV',
  '.wav',
  'a.wav.',
  'a.wav\u0000.exe',
  '../../../etc/passwd.wav',
  'C:\\a.wav',
  '%22.wav',
  'é👩‍👩‍👧‍👦.wav',
  '\u202evaw.exe',
  'CON.wav',
  `${'n'.repeat(5000)}.wav`,
];

/** Whole dispositions, right and wrong, before and after the file. */
const DISPOSITIONS = [
  "form-data; name=file; filename*=UTF-8''a.wav",
  "form-data; name=file; filename*=utf-8''%zz.wav",
  "form-data; name=file; filename*=iso-8859-1'en'a.wav",
  'form-data; name="file"; filename="a.wav"; filename="b.exe"',
  'form-data; name="file"; name="goal"; filename="a.wav"',
  'form-data; filename="a.wav"',
  'form-data; name="file',
  'attachment; name="file"; filename="a.wav"',
  'form-data',
  '',
  'form-data; name="file"; filename="a\\".wav"',
];

const PART_HEADERS = [
  'Content-Transfer-Encoding: base64',
  'X: y',
  'no colon',
  ': empty',
  `X: ${'v'.repeat(20_000)}`,
  'Content-Type',
];

/** A form with one unusual part, or none. */
function oddForm(dice: Dice, name: string, bytes: Buffer, filename: string, fields: Part[]): Form {
  const boundary = `b${dice.whole(0, 1e9)}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const whole = filePart(name, filename, bytes);
  const parts = dice.chance(0.5) ? [...fields, whole] : [whole, ...fields];
  const form = (kind: string, more: Partial<Form> = {}): Form => ({
    kind,
    contentType,
    body: encodeForm(parts, boundary),
    ...more,
  });
  const withParts = (kind: string, list: Part[]): Form => form(kind, { body: encodeForm(list, boundary) });
  const body = (): Buffer => encodeForm(parts, boundary);
  return dice.weighted<() => Form>([
    [45, () => form('form: good')],
    [4, () => withParts('form: file name', [...fields, filePart(name, dice.pick(FILENAMES), bytes)])],
    [
      4,
      () =>
        withParts('form: disposition', [
          { lines: [`Content-Disposition: ${dice.pick(DISPOSITIONS)}`], bytes },
          ...fields,
        ]),
    ],
    [
      3,
      () =>
        withParts('form: part headers', [{ ...whole, lines: [...whole.lines, dice.pick(PART_HEADERS)] }, ...fields]),
    ],
    [3, () => withParts('form: no file', fields)],
    [2, () => withParts('form: file twice', [whole, ...fields, whole])],
    [2, () => withParts('form: file in another field', [filePart(dice.pick(HOSTILE_NAMES), filename, bytes)])],
    [
      3,
      () =>
        withParts('form: many parts', [
          whole,
          ...Array.from({ length: dice.pick([18, 19, 20, 21, 1000]) }, (_, i) => field(`f${i}`, 'x')),
        ]),
    ],
    [
      4,
      () =>
        withParts('form: huge field', [
          field('goal', hostileText(dice, dice.pick([65_536, 262_143, 262_144, 262_145, 300_000]))),
          whole,
        ]),
    ],
    [3, () => withParts('form: prototype names', [...HOSTILE_NAMES.map((odd) => field(odd, '1')), whole])],
    [2, () => form('form: line feeds', { body: encodeForm(parts, boundary, '\n') })],
    [3, () => form('form: no end', { body: encodeForm(parts, boundary, '\r\n', '') })],
    [3, () => form('form: cut off', { body: body().subarray(0, dice.whole(0, body().length)) })],
    [3, () => form('form: epilogue', { body: Buffer.concat([body(), dice.bytes(dice.pick([1, 2, 100, 300_000]))]) })],
    [2, () => form('form: preamble', { body: Buffer.concat([Buffer.from('This is a message\r\n'), body()]) })],
    [2, () => form('form: nothing', { body: Buffer.alloc(0) })],
    [
      2,
      () =>
        form('form: boundary within', {
          body: encodeForm(
            [filePart(name, filename, Buffer.from(`--${boundary}x\r\n--${boundary.slice(1)}--`))],
            boundary,
          ),
        }),
    ],
    [6, () => form('form: type', { contentType: oddType(dice, boundary) })],
  ])();
}

const oddType = (dice: Dice, boundary: string): string =>
  dice.pick([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary="${boundary}"`,
    `multipart/form-data; boundary=${'b'.repeat(3000)}`,
    `multipart/form-data; boundary=${boundary}; boundary=other`,
    'multipart/form-data; boundary="\\',
    `Multipart/Form-Data;BOUNDARY=${boundary}`,
    `multipart/mixed; boundary=${boundary}`,
    'application/octet-stream',
    'audio/wav',
    '',
  ]);

function fieldsOf(dice: Dice): Part[] {
  const fields: Part[] = [];
  if (dice.chance(0.4)) fields.push(field('goal', `${dice.canary} ${hostileText(dice, textLength(dice, 70_000))}`));
  if (dice.chance(0.3))
    fields.push(field('speakers', dice.pick(['1', '2', '8', '0', '9', '1.5', '', ' 2 ', '0x2', 'NaN', dice.canary])));
  if (dice.chance(0.1))
    fields.push(
      field(dice.pick(['affect', 'quality', 'words', dice.canary]), dice.pick(['none', 'fast', '["a"]', '{'])),
    );
  return fields;
}

function formAttempt(
  dice: Dice,
  route: string,
  form: Form,
  mediaKind: string,
  path: (known: Known) => string,
  more: { headers?: Header[]; suffix?: string } = {},
): Draft {
  const key = keyUse(dice);
  const headers = [...idleHeaders(dice), ...(more.headers ?? [])];
  const chunkBytes = dice.chance(0.2) ? dice.pick([500, 16_000, 65_536]) : undefined;
  return {
    route,
    kind: form.kind === 'form: good' ? mediaKind : form.kind,
    key: key.state,
    tenant: key.tenant,
    session: more.suffix === undefined ? undefined : { suffix: more.suffix, tenant: ownTenant(dice, key.tenant) },
    exchanges: (known) => [
      ask({
        method: 'POST',
        path: withQuery(path(known), key.query(known)),
        headers: [...key.headers(known), ['Content-Type', form.contentType], ...headers],
        body: form.body,
        chunkBytes,
      }),
    ],
  };
}

const ODD_STREAM = [
  'stream=',
  'stream=yes',
  'stream=%00',
  'stream=TRUE',
  'stream=0',
  'stream=true&stream=false',
  'stream[]=1',
];

export function analyzeAttempt(dice: Dice): Draft {
  const { kind, bytes, suffix } = media(dice);
  const form = oddForm(dice, 'file', bytes, `${dice.canary}${suffix}`, fieldsOf(dice));
  const [route, path] = dice.weighted([
    [55, ['POST /analyze', '/analyze']],
    [30, ['POST /analyze/stream', '/analyze/stream']],
    [10, ['POST /analyze?stream=', `/analyze?stream=${dice.pick(['true', '1'])}`]],
    [5, ['POST /analyze?stream=', `/analyze?${dice.pick(ODD_STREAM)}`]],
  ] as const);
  return formAttempt(dice, route, form, kind, () => path);
}

export function chunkAttempt(dice: Dice): Draft {
  const { kind, bytes, suffix } = media(dice);
  const isLarge = dice.chance(0.08);
  const chunk = isLarge ? Buffer.alloc(1_048_576 + dice.whole(-1, 1)) : bytes;
  const odd = ['1', '-1', '0x0', '1e0', '', '99999999999', ' 0 ', '٠', dice.canary];
  const seq = field('chunk_seq', dice.chance(0.75) ? '0' : dice.pick(odd));
  const form = oddForm(dice, 'chunk', chunk, 'chunk', [seq]);
  const headers: Header[] = dice.chance(0.3)
    ? [['Idempotency-Key', dice.pick(['a', '', 'k'.repeat(5000), '\u00ff'])]]
    : [];
  const id = sessionId(dice);
  const path = (known: Known): string => `/analyze/live/${id(known)}/chunk`;
  const draft = formAttempt(dice, 'POST …/chunk', form, isLarge ? 'chunk: at the limit' : kind, path, {
    headers,
    suffix: dice.chance(0.1) ? '.pcm' : suffix,
  });
  return dice.chance(0.25) ? finalized(dice, draft) : draft;
}

/** A stream of events that has not ended by then is left. */
const EVENTS_PATIENCE_MS = 8_000;

/** The same followed by the session's end: control, and the consumer's events. */
function finalized(dice: Dice, draft: Draft): Draft {
  const body = JSON.stringify({ action: dice.pick(['finalize', 'finalize', 'cancel']) });
  return {
    ...draft,
    route: 'live session',
    exchanges: (known) => {
      const key: Header = ['X-API-Key', known.keys[draft.session?.tenant ?? 0]!];
      const at = (what: string): string => `/analyze/live/${known.session}/${what}`;
      const headers: Header[] = [key, ['Content-Type', 'application/json']];
      return [
        ...draft.exchanges(known),
        ask({ method: 'POST', path: at('control'), headers, body }, undefined, 'good'),
        ask({ method: 'GET', path: at('events'), headers: [key] }, EVENTS_PATIENCE_MS, 'good'),
      ];
    },
  };
}
