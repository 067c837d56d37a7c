import type { MediaExtension } from '../../contract/media.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** A part of a recording, seconds. */
interface Span {
  from: number;
  to: number;
}

/** The sound of a piece, as a file of its own. */
export interface PieceSound {
  contentType: string;
  body: ReadableStream<Uint8Array>;
}

/**
 * The sound between two times of an uploaded WAV or MP3, to the sample or the frame of 26 ms. No byte of the sound before
 * or after is read into the piece. Null for other formats, and for a file that is not what its name says.
 */
export async function cutRecording(
  store: ObjectStore,
  key: string,
  suffix: MediaExtension,
  span: Span,
): Promise<PieceSound | null> {
  if (suffix === '.wav') return cutWav(store, key, span);
  if (suffix !== '.mp3') return null;
  const object = await store.get(key);
  return object && streamed('audio/mpeg', object.body, (bytes) => mp3Frames(bytes, span));
}

/** The same for a rendition, to the block of 20 ms. Null when there is none. */
export async function cutWebm(store: ObjectStore, key: string, span: Span): Promise<PieceSound | null> {
  const object = await store.get(key);
  return object && streamed('audio/webm; codecs=opus', object.body, (bytes) => webmPieces(bytes, span));
}

/** Bytes of a WAV that are searched for its header. */
const WAV_HEAD = 64 * 1024;
/** Format tags of samples of a fixed size (RFC 2361): integers, floats, A-law, mu-law, and extensible. */
const FIXED_SIZE = [1, 3, 6, 7, 0xfffe];

async function cutWav(store: ObjectStore, key: string, { from, to }: Span): Promise<PieceSound | null> {
  const info = await store.head(key);
  const head = info && (await store.get(key, { offset: 0, length: Math.min(WAV_HEAD, info.size) }));
  if (!head) return null;
  const view = new DataView(await new Response(head.body).arrayBuffer());
  const format = chunkOf(view, 'fmt ');
  const data = chunkOf(view, 'data');
  if (!format || !data || format.at + 16 > view.byteLength) return null;
  const rate = view.getUint32(format.at + 4, true);
  const block = view.getUint16(format.at + 12, true);
  if (!FIXED_SIZE.includes(view.getUint16(format.at, true)) || rate === 0 || block === 0) return null;
  const size = Math.min(data.size, info.size - data.at);
  const offset = Math.min(size, Math.floor(from * rate) * block);
  const length = Math.min(size, Math.floor(to * rate) * block) - offset;
  const sound = length > 0 ? await store.get(key, { offset: data.at + offset, length }) : null;
  if (!sound) return null;
  const chunk = new Uint8Array(view.buffer, format.at, Math.min(format.size, view.byteLength - format.at));
  return streamed('audio/wav', sound.body, async function* (bytes) {
    yield wavHead(chunk, length);
    yield* bytes.rest();
  });
}

/** The place of a chunk of a RIFF file, or null. Chunks have even sizes. */
function chunkOf(view: DataView, name: string): { at: number; size: number } | null {
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const size = view.getUint32(at + 4, true);
    const found = String.fromCharCode(...new Uint8Array(view.buffer, at, 4));
    if (found === name) return { at: at + 8, size };
    at += 8 + size + (size % 2);
  }
  return null;
}

function wavHead(format: Uint8Array, length: number): Uint8Array {
  const head = new Uint8Array(28 + format.length);
  const view = new DataView(head.buffer);
  const name = (at: number, text: string): void => head.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, head.length - 8 + length, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, format.length, true);
  head.set(format, 20);
  name(20 + format.length, 'data');
  view.setUint32(24 + format.length, length, true);
  return head;
}

/** kbit/s of MPEG 1 and of MPEG 2 and 2.5, layer III, by index (ISO/IEC 11172-3 and 13818-3). */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const RATES = [44_100, 48_000, 32_000] as const;

/** The frames of an MP3 that begin in a span. */
async function* mp3Frames(bytes: Bytes, { from, to }: Span): AsyncGenerator<Uint8Array> {
  const tag = await bytes.peek(10);
  // ID3v2, whose size has seven bits in each byte.
  if (tag && String.fromCharCode(...tag.subarray(0, 3)) === 'ID3')
    await bytes.skip(10 + tag.subarray(6).reduce((size, byte) => size * 128 + (byte & 127), 0));
  for (let time = 0; time < to; ) {
    const head = bytes.now(4) ?? (await bytes.peek(4));
    const frame = head && frameOf(head);
    if (!frame) return;
    const whole = bytes.now(frame.length) ?? (await bytes.peek(frame.length));
    if (!whole) return;
    if (time >= from) yield whole.slice();
    await bytes.skip(frame.length);
    // The first frame may hold a table (Xing) and no sound.
    if (time > 0 || !isTable(whole)) time += frame.seconds;
  }
}

function frameOf([sync = 0, kind = 0, sizes = 0]: Uint8Array): { length: number; seconds: number } | null {
  const version = (kind >> 3) & 3;
  const isThird = ((kind >> 1) & 3) === 1;
  const kbits = BITRATES[version === 3 ? 0 : 1][sizes >> 4] ?? 0;
  const base = RATES[(sizes >> 2) & 3];
  if (sync !== 0xff || kind < 0xe0 || version === 1 || !isThird || kbits === 0 || base === undefined) return null;
  const rate = base / { 0: 4, 2: 2, 3: 1 }[version as 0 | 2 | 3];
  const samples = version === 3 ? 1152 : 576;
  return { length: Math.floor((samples * kbits * 125) / rate) + ((sizes >> 1) & 1), seconds: samples / rate };
}

const isTable = (frame: Uint8Array): boolean => /Xing|Info/.test(String.fromCharCode(...frame.subarray(4, 44)));

// Elements of WebM (RFC 9559).
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
/** A segment of unknown size. Its times are in milliseconds, and it does not say how long the recording is. */
const SEGMENT_HEAD = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const INFO = [0x15, 0x49, 0xa9, 0x66, 0x8f, 0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40, 0x4d, 0x80, 0x81, 0x75];
const APP = [0x57, 0x41, 0x81, 0x75];
/** Longest element that is read whole, bytes: a cluster of a rendition lasts five seconds. */
const LONGEST = 1024 * 1024;

/** A WebM of one Opus track with the blocks that begin in a span. */
async function* webmPieces(bytes: Bytes, { from, to }: Span): AsyncGenerator<Uint8Array> {
  const span = { from: from * 1000, to: to * 1000 };
  for (;;) {
    const element = await bytes.element();
    if (!element) return;
    const { id, size, raw } = element;
    if (id === SEGMENT) {
      yield Uint8Array.from([...SEGMENT_HEAD, ...INFO, ...APP]);
      continue;
    }
    const isRead = id === EBML || id === TRACKS || id === CLUSTER;
    const content = isRead && size <= LONGEST ? await bytes.peek(size) : null;
    if (isRead && !content) return;
    if (content && id !== CLUSTER) yield joined([raw, content]);
    if (content && id === CLUSTER) {
      const cut = clusterIn(content, span);
      if (cut === null) return;
      if (cut.length > 0) yield cut;
    }
    await bytes.skip(size);
  }
}

/** The blocks of a cluster that begin in a span, ms, as a cluster whose times count from its start. Null: it is over. */
function clusterIn(content: Uint8Array, { from, to }: Span): Uint8Array | null {
  const blocks: { time: number; raw: Uint8Array }[] = [];
  let start = 0;
  for (let at = 0; at < content.length; ) {
    const element = elementAt(content.subarray(at));
    if (!element) break;
    const { id, size, raw } = element;
    const body = content.subarray(at + raw.length, at + raw.length + size);
    if (id === TIMESTAMP) start = body.reduce((sum, byte) => sum * 256 + byte, 0);
    if (start >= to) return null;
    if (id === SIMPLE_BLOCK && body.length > 4) {
      const time = start + new DataView(body.buffer, body.byteOffset).getInt16(1);
      if (time >= from && time < to) blocks.push({ time, raw: joined([raw, body]) });
    }
    at += raw.length + size;
  }
  const first = blocks[0]?.time;
  if (first === undefined) return new Uint8Array(0);
  for (const { time, raw } of blocks) {
    const { raw: head } = elementAt(raw)!;
    new DataView(raw.buffer).setInt16(head.length + 1, time - first);
  }
  const size = blocks.reduce((sum, { raw }) => sum + raw.length, 0);
  const head = new Uint8Array(18);
  const view = new DataView(head.buffer);
  view.setUint32(0, CLUSTER);
  view.setUint32(4, 0x1000_0000 + 10 + size);
  view.setUint8(8, TIMESTAMP);
  view.setUint8(9, 0x88);
  view.setBigUint64(10, BigInt(Math.round(first - from)));
  return joined([head, ...blocks.map(({ raw }) => raw)]);
}

interface Element {
  id: number;
  /** Bytes of its content. */
  size: number;
  /** Its id and size as they are written. */
  raw: Uint8Array;
}

/** The element at the beginning of some bytes. Null if they are not a complete head. */
function elementAt(bytes: Uint8Array): Element | null {
  const idLength = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeLength = Math.clz32(bytes[idLength] ?? 0) - 23;
  const length = idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || bytes.length < length) return null;
  const number = (part: Uint8Array): number => part.reduce((sum, byte) => sum * 256 + byte, 0);
  // The highest bit that is set is the length of the size. It goes first, because a double has 53 bits.
  const size =
    ((bytes[idLength] ?? 0) & (255 >> sizeLength)) * 256 ** (sizeLength - 1) +
    number(bytes.subarray(idLength + 1, length));
  return { id: number(bytes.subarray(0, idLength)), size, raw: bytes.slice(0, length) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a stream in pieces of any size. */
class Bytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** The next bytes if they are there already. */
  now(length: number): Uint8Array | null {
    return this.#held.length >= length ? this.#held.subarray(0, length) : null;
  }

  /** The next bytes, which stay. Null when fewer follow. */
  async peek(length: number): Promise<Uint8Array | null> {
    const parts = [this.#held];
    let held = this.#held.length;
    while (held < length) {
      const { value } = await this.#reader.read();
      if (!value) break;
      parts.push(value);
      held += value.length;
    }
    if (parts.length > 1) this.#held = joined(parts);
    return this.now(length);
  }

  async skip(length: number): Promise<void> {
    let left = length;
    while (left > this.#held.length) {
      left -= this.#held.length;
      const { value } = await this.#reader.read();
      this.#held = value ?? new Uint8Array(0);
      if (!value) return;
    }
    this.#held = this.#held.subarray(left);
  }

  /** The head of the next element of WebM. Its content follows. */
  async element(): Promise<Element | null> {
    const head = (await this.peek(12)) ?? this.#held;
    const element = elementAt(head);
    if (element) await this.skip(element.raw.length);
    return element;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    yield this.#held;
    for (;;) {
      const { value } = await this.#reader.read();
      if (!value) return;
      yield value;
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** A file made of the pieces that a generator takes from a recording. The recording is left when the reader leaves. */
function streamed(
  contentType: string,
  recording: ReadableStream<Uint8Array>,
  pieces: (bytes: Bytes) => AsyncGenerator<Uint8Array>,
): PieceSound {
  const bytes = new Bytes(recording);
  const source = pieces(bytes);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await source.next();
      if (value === undefined) {
        await bytes.cancel();
        controller.close();
      } else controller.enqueue(value);
    },
    cancel: () => bytes.cancel(),
  });
  return { contentType, body };
}
