import { ask, type Draft, type Header, idleHeaders, type Known, keyUse, TENANTS, withQuery } from './attempt.ts';
import type { Dice } from './dice.ts';
import { HOSTILE_NAMES, hostileText, TEXT_KINDS, textLength } from './hostile-texts.ts';

// Attempts whose body is, or should be, JSON: a timeline to segment, and the start and the control of a live session.

interface Made {
  /** The unusual part of it. */
  kind: string;
  body: string;
}

/** Values in place of another type, or of none. They are written unchanged. */
export const ODD_VALUES = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '123456789012345678901234567890',
  '0.1234567890123456789',
  '""',
  '" "',
  '"NaN"',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{}',
  '[[]]',
  '[1,"a",null]',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1,"valueOf":1}',
  '{"length":4294967295}',
];

/** Texts that are not JSON, around the canary where a parser would quote it. */
const NOT_JSON = [
  (c: string) => `{"timeline":${c}}`,
  (c: string) => `${c}`,
  (c: string) => `{"a":1}${c}`,
  (c: string) => `{"timeline":[NaN,${c}]}`,
  (c: string) => `{'goal':'${c}'}`,
  (c: string) => `{"goal":"${c}`,
  (c: string) => `{"goal":"${c}\n"}`,
  (c: string) => `{"goal":"\\x41",${c}}`,
  (c: string) => `[1,]${c}`,
  (c: string) => `/* ${c} */ {}`,
  (c: string) => `\ufeff{"goal":"${c}"}`,
  (c: string) => `{"goal":"${c}"}\u0000`,
  (c: string) => `goal=${c}&timeline=1`,
  () => '',
  () => ' ',
  () => 'undefined',
  () => '-',
];

const CONTENT_TYPES: readonly (readonly [number, string])[] = [
  [40, 'application/json'],
  [3, 'application/json; charset=utf-8'],
  [1, 'application/json; charset=utf-16'],
  [1, 'text/plain'],
  [1, ''],
  [1, 'application/vnd.api+json'],
  [1, 'application/x-www-form-urlencoded'],
  [1, 'multipart/form-data; boundary=x'],
  [1, 'application/json;;;=;"'],
];

/** About the largest JSON body that the Worker accepts. */
const HUGE_BYTES = 24_000_000;

/** Bytes of a whole body: mostly small, sometimes up to the limit of a body. */
const budget = (dice: Dice): number =>
  dice.weighted([
    [70, 20_000],
    [20, 200_000],
    [8, 2_000_000],
    [2, HUGE_BYTES],
  ]);

/** An object written by hand: names may repeat, values may be invalid JSON. */
const written = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

type Members = [string, string][];

function utterance(n: number, text: string, speaker = `Speaker_${n % 2}`): Members {
  return [
    ['utterance_id', JSON.stringify(`u_${n}`)],
    ['speaker', JSON.stringify(speaker)],
    ['t_start', String(n * 2)],
    ['t_end', String(n * 2 + 1.5)],
    ['text', JSON.stringify(text)],
  ];
}

const timelineOf = (utterances: readonly Members[], more: Members = []): string =>
  written([['timeline', `[${utterances.map(written).join(',')}]`], ...more]);

/** A valid timeline of hostile texts: a few long ones, or very many short ones. */
function hostileTimeline(dice: Dice, bytes?: number): Made {
  const kind = dice.pick(TEXT_KINDS);
  const total = bytes ?? budget(dice);
  const length = dice.chance(0.15) ? total : textLength(dice, total);
  const count = Math.max(
    1,
    Math.min(Math.floor(total / (length + 100)), dice.pick([1, 2, 10, 100, 1000, 5000, 20_000])),
  );
  const speakers = dice.pick([1, 2, 2, 2, 8, 50, 1000]);
  // One text for all, or a separate one for each, because both are hard for tables indexed by word.
  const same = `${dice.canary} ${hostileText(dice, length, kind)}`.slice(0, length);
  const utterances = Array.from({ length: count }, (_, n) =>
    utterance(n, dice.chance(0.5) ? same : hostileText(dice, length, kind), `Speaker_${n % speakers}`),
  );
  const more: Members = dice.chance(0.3) ? [['context', JSON.stringify(hostileText(dice, textLength(dice)))]] : [];
  return { kind: `texts: ${kind}`, body: timelineOf(utterances, more) };
}

/** A timeline with one fault. */
function brokenTimeline(dice: Dice): Made {
  const utterances = Array.from({ length: dice.pick([1, 2, 5, 30]) }, (_, n) =>
    utterance(n, `${dice.canary} yes, we can.`),
  );
  const broken = dice.pick(utterances);
  const set = (name: string, value: string): void => {
    const at = broken.findIndex(([known]) => known === name);
    if (at < 0) broken.push([name, value]);
    else broken[at] = [name, value];
  };
  const kind = dice.pick(['a field', 'an extra', 'missing', 'twice', 'order', 'names', 'words', 'context', 'findings']);
  const more: Members = [];
  if (kind === 'a field') set(dice.pick(broken)[0], dice.pick(ODD_VALUES));
  else if (kind === 'an extra') set(dice.pick(EXTRAS), dice.pick(ODD_VALUES));
  else if (kind === 'missing') broken.splice(dice.whole(0, 4), 1);
  else if (kind === 'twice') broken.push([dice.pick(broken)[0], dice.pick(ODD_VALUES)]);
  else if (kind === 'order') for (const one of utterances) one[2] = ['t_start', dice.pick(['0', '5', '1e9', '3'])];
  else if (kind === 'names') {
    const name = dice.pick(HOSTILE_NAMES);
    for (const one of utterances) one[dice.whole(0, 1)]![1] = JSON.stringify(name);
    set(name, dice.pick(ODD_VALUES));
  } else if (kind === 'words') {
    const word = dice.pick(['{"word":"a","t_start":0,"t_end":1}', '{}', '1', '{"word":1,"t_start":"0"}']);
    for (const one of utterances)
      one.push([
        'words',
        `[${Array(dice.pick([1, 50, 3000]))
          .fill(word)
          .join(',')}]`,
      ]);
  } else if (kind === 'context') more.push(['context', dice.pick(ODD_VALUES)]);
  else {
    const odd = dice.pick(['moments', 'transitions', 'segmentation', 'summary', 'speakers', 'options']);
    more.push([odd, dice.pick([...ODD_VALUES, `[${Array(2000).fill('{"moment_id":"m","utterance_ids":["u_0"]}')}]`])]);
  }
  return { kind: `a timeline with odd: ${kind}`, body: timelineOf(utterances, more) };
}

const EXTRAS = [
  'prosody',
  'emotions',
  'dominant_emotion',
  'pad_scores',
  'emotion',
  'sentiment',
  'polarity',
  'cognitive_signals',
  'engagement',
  'load_level',
  'lexical_markers',
  'words',
  'asr_confidence',
  'overlap_ratio',
  '__proto__',
];

/** Bodies whose structure is extreme: very deep, very wide, or the same member repeated. */
function shape(dice: Dice, name: string): Made {
  const count = dice.weighted([
    [60, 100],
    [25, 5_000],
    [12, 50_000],
    [3, 1_000_000],
  ]);
  const kind = dice.pick(['deep arrays', 'deep objects', 'wide', 'same member', 'many members', 'deep, cut off']);
  const element = dice.pick(['1', '{}', '[]', 'null', '""', '{"utterance_id":"a"}', '[[[]]]']);
  const repeat = (text: string): string => `${`${text},`.repeat(count)}${text}`;
  const bodies: Record<string, () => string> = {
    'deep arrays': () => `{"${name}":${'['.repeat(count)}${']'.repeat(count)}}`,
    'deep objects': () => `${`{"${name}":`.repeat(count)}1${'}'.repeat(count)}`,
    wide: () => `{"${name}":[${repeat(element)}]}`,
    'same member': () => `{${repeat(`"${name}":[]`)}}`,
    'many members': () => `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')}}`,
    'deep, cut off': () => '['.repeat(count),
  };
  return { kind: `shape: ${kind}`, body: bodies[kind]!() };
}

const noJson = (dice: Dice): Made => ({ kind: 'no JSON', body: dice.pick(NOT_JSON)(dice.canary) });

/** Sends a body as JSON, or under another content type. */
function jsonAttempt(
  dice: Dice,
  route: string,
  { kind, body }: Made,
  path: (known: Known) => string,
  suffix?: string,
): Draft {
  const key = keyUse(dice);
  const type = dice.weighted(CONTENT_TYPES);
  const headers = idleHeaders(dice);
  const encoding: Header[] = dice.chance(0.02) ? [['Content-Encoding', dice.pick(['gzip', 'br', 'x'])]] : [];
  const chunkBytes = dice.chance(0.1) ? dice.pick([1000, 16_000, 65_536]) : undefined;
  return {
    route,
    kind,
    key: key.state,
    session: suffix === undefined ? undefined : { suffix, tenant: ownTenant(dice, key.tenant) },
    exchanges: (known) => [
      ask({
        method: 'POST',
        path: withQuery(path(known), key.query(known)),
        headers: [...key.headers(known), ['Content-Type', type], ...encoding, ...headers],
        body,
        chunkBytes,
      }),
    ],
  };
}

export function segmentAttempt(dice: Dice): Draft {
  const make = dice.weighted([
    [45, () => hostileTimeline(dice)],
    [30, () => brokenTimeline(dice)],
    [13, () => shape(dice, dice.pick(['timeline', 'context', 'x']))],
    [12, () => noJson(dice)],
  ]);
  return jsonAttempt(dice, 'POST /segment/conversation', make(), () => '/segment/conversation');
}

/** One of the largest possible bodies. */
export function hugeAttempt(dice: Dice): Draft {
  const made = hostileTimeline(dice, HUGE_BYTES);
  return jsonAttempt(dice, 'POST /segment/conversation', made, () => '/segment/conversation');
}

export function startAttempt(dice: Dice): Draft {
  const fields = (): Made => {
    const members: Members = [];
    const add = (name: string, values: string[]): void => {
      if (dice.chance(0.45)) members.push([name, dice.pick(dice.chance(0.5) ? values : ODD_VALUES)]);
    };
    add('suffix', ['".wav"', '".PCM"', '".exe"', '"wav"', '"../.wav"', '".ogg"']);
    add('filename', ['"a.wav"', '"a"', '".wav"', '"\\u202egpj.wav"', `"${'x'.repeat(3000)}.webm"`]);
    add('goal', [JSON.stringify(`${dice.canary} ${hostileText(dice, textLength(dice, 70_000))}`)]);
    add('speakers', ['1', '8', '0', '9', '1.5', '"2"']);
    add('__proto__', ['{"ttl_seconds":1}']);
    members.push(['ttl_seconds', dice.pick(['5', '5', '5', '5', '60', '59.5', '3601', '"5"', '-1'])]);
    return { kind: 'fields', body: written(members) };
  };
  const edge = 262_144 - '{"goal":""}'.length + dice.whole(-1, 1);
  const make = dice.weighted([
    [70, fields],
    [12, () => shape(dice, dice.pick(['goal', 'suffix', 'ttl_seconds']))],
    [12, () => noJson(dice)],
    [6, () => ({ kind: 'at the limit of bytes', body: `{"goal":"${'g'.repeat(edge)}"}` })],
  ]);
  return jsonAttempt(dice, 'POST /analyze/live/start', make(), () => '/analyze/live/start');
}

export function controlAttempt(dice: Dice): Draft {
  const fields = (): Made => {
    const actions = ['"finalize"', '"cancel"', '"keepalive"'];
    const members: Members = [['action', dice.pick(dice.chance(0.6) ? actions : ODD_VALUES)]];
    const reason = `${dice.canary} ${hostileText(dice, textLength(dice, 70_000))}`;
    if (dice.chance(0.5)) members.push(['reason', dice.chance(0.7) ? JSON.stringify(reason) : dice.pick(ODD_VALUES)]);
    return { kind: 'fields', body: written(members) };
  };
  const make = dice.weighted([
    [80, fields],
    [10, () => shape(dice, 'action')],
    [10, () => noJson(dice)],
  ]);
  const id = sessionId(dice);
  return jsonAttempt(dice, 'POST …/control', make(), (known) => `/analyze/live/${id(known)}/control`, '.wav');
}

/** Mostly the tenant of the request's key, and sometimes another one, which must not learn whose session it is. */
export const ownTenant = (dice: Dice, tenant: number): number => (dice.chance(0.9) ? tenant : (tenant + 1) % TENANTS);

/** Mostly the session that was opened, else one that cannot exist. */
export function sessionId(dice: Dice): (known: Known) => string {
  const odd = dice.pick(['0', 'f'.repeat(64), 'g'.repeat(64), '__proto__', '%00', '..%2f..', 'start', '%E0%A4%A', '']);
  const isOwn = dice.chance(0.8);
  return ({ session }) => (isOwn ? session : odd);
}
