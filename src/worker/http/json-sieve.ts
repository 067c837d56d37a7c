import { ServiceError } from '../../contract/errors.ts';

/** The wanted part of a value: the whole value, certain members of an object, or a part of each entry of a list. */
export type Wanted = true | readonly [Wanted] | { readonly [name: string]: Wanted };

/** A wanted member of the outermost object. A non-empty list is passed on entry by entry. */
export interface Member {
  name: string;
  /** Index of an entry in its list. */
  index?: number;
  value: unknown;
}

export interface SieveLimits {
  /** Limit on the wanted bytes of one member or entry, which also bounds the memory in use. */
  maxBytes: number;
  /** Limit on the entries of a list in the outermost object. */
  maxEntries: number;
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32];
const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const FIRST_BYTES = 4096;

const isSpace = (byte: number): boolean => byte === SPACE || byte === LF || byte === CR || byte === TAB;

/** A name in its JSON form, without quotes. */
interface WantedName {
  name: string;
  bytes: Uint8Array;
  wanted: Wanted;
}

/** An open object or list with a wanted part. */
interface Frame {
  /** Member names of an object by their length, or the wanted part of each entry of a list. */
  names: readonly (readonly WantedName[] | undefined)[];
  entry: Wanted | undefined;
  isList: boolean;
  /** Whether its parts are passed on one by one, as for the outermost object and the lists in it. */
  isStreamed: boolean;
  /** Number of wanted parts found so far. */
  parts: number;
}

type Awaited = 'object' | 'first name' | 'name' | 'colon' | 'value' | 'first entry' | 'entry' | 'next' | 'nothing';
/** The text being read: a name, a value that is kept, or a value that is skipped. */
type Reading = 'name' | 'kept' | 'passed over' | undefined;

/**
 * Reads one JSON object from bytes that arrive in pieces, and passes on each wanted member, or each entry of a wanted
 * list, as it completes. Memory and time depend on the wanted parts, not on the size of the body. Everything else is
 * skipped by matching brackets and quotes, whose bytes never occur inside a longer UTF-8 character. JSON.parse parses
 * the kept values.
 */
export class JsonSieve {
  readonly #wanted: { readonly [name: string]: Wanted };
  readonly #limits: SieveLimits;
  readonly #take: (member: Member) => void;
  readonly #passOver: (name: string) => void;
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  readonly #frames: Frame[] = [];
  readonly #names = new Set<string>();
  #awaited: Awaited = 'object';
  /** The current member of the outermost object, and the wanted part of the next value. */
  #name = '';
  #next: Wanted | undefined;
  #isFirstByte = true;
  /** The kept bytes so far, as JSON. */
  #kept: Uint8Array;
  #length = 0;
  /** Start of the current name in `#kept`, including the preceding comma. */
  #nameAt = 0;
  #reading: Reading;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /**
   * @param take called with each wanted part; `write` and `end` rethrow its exceptions
   * @param passOver called with the name of each unwanted member of the outermost object; its exceptions are rethrown,
   * too
   */
  constructor(
    wanted: { readonly [name: string]: Wanted },
    limits: SieveLimits,
    take: (member: Member) => void,
    passOver: (name: string) => void = () => undefined,
  ) {
    this.#wanted = wanted;
    this.#limits = limits;
    this.#kept = new Uint8Array(Math.min(FIRST_BYTES, limits.maxBytes));
    this.#take = take;
    this.#passOver = passOver;
  }

  /** @throws ServiceError INVALID_REQUEST with the position of a syntax error or an exceeded limit */
  write(bytes: Uint8Array): void {
    let at = 0;
    if (this.#isFirstByte && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte)) at = BYTE_ORDER_MARK.length;
    this.#isFirstByte &&= bytes.length === 0;
    while (at < bytes.length) {
      if (this.#reading) at = this.#read(bytes, at, this.#reading);
      else if (isSpace(bytes[at]!) || this.#step(bytes[at]!)) at++;
    }
  }

  /** @throws ServiceError INVALID_REQUEST when the object is incomplete */
  end(): void {
    if (this.#awaited !== 'nothing') throw this.#fault('is not JSON: it is incomplete');
  }

  /** Reads a byte outside names and values. @returns false when a name or value begins with it */
  #step(byte: number): boolean {
    const frame = this.#frames.at(-1);
    switch (this.#awaited) {
      case 'object':
        if (byte !== OPEN_OBJECT) break;
        return this.#open(this.#wanted, byte);
      case 'first name':
        if (byte === CLOSE_OBJECT) return this.#close(byte);
        return this.#beginName(byte);
      case 'name':
        return this.#beginName(byte);
      case 'colon':
        if (byte !== COLON) break;
        if (this.#next !== undefined && !frame!.isStreamed) this.#keep(COLON);
        this.#awaited = 'value';
        return true;
      case 'value':
        return this.#beginValue(byte, this.#next);
      case 'first entry':
        if (byte === CLOSE_LIST) return this.#close(byte);
        return this.#beginEntry(byte);
      case 'entry':
        return this.#beginEntry(byte);
      case 'next':
        if (byte === (frame!.isList ? CLOSE_LIST : CLOSE_OBJECT)) return this.#close(byte);
        if (byte !== COMMA) break;
        if (this.#frames.length === 1) this.#name = '';
        this.#awaited = frame!.isList ? 'entry' : 'name';
        return true;
      case 'nothing':
        break;
    }
    throw this.#fault('is not JSON');
  }

  #beginName(byte: number): false {
    if (byte !== QUOTE) throw this.#fault('is not JSON');
    const frame = this.#frames.at(-1)!;
    this.#nameAt = this.#length;
    if (!frame.isStreamed && frame.parts > 0) this.#keep(COMMA);
    this.#reading = 'name';
    this.#depth = 0;
    return false;
  }

  #beginEntry(byte: number): boolean {
    const frame = this.#frames.at(-1)!;
    frame.parts++;
    if (frame.isStreamed && frame.parts > this.#limits.maxEntries) {
      this.#frames.pop();
      throw this.#fault(`has more than ${this.#limits.maxEntries} entries`);
    }
    if (!frame.isStreamed && frame.parts > 1) this.#keep(COMMA);
    return this.#beginValue(byte, frame.entry);
  }

  #beginValue(byte: number, wanted: Wanted | undefined): boolean {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT)
      throw this.#fault('is not JSON');
    if (wanted !== undefined && wanted !== true)
      if (byte === (isWantedList(wanted) ? OPEN_LIST : OPEN_OBJECT)) return this.#open(wanted, byte);
    this.#reading = wanted === undefined ? 'passed over' : 'kept';
    this.#depth = 0;
    return false;
  }

  #open(wanted: Exclude<Wanted, true>, byte: number): true {
    const isList = isWantedList(wanted);
    const isStreamed = this.#frames.length === 0 || (this.#frames.length === 1 && isList);
    if (!isStreamed) this.#keep(byte);
    this.#frames.push({ names: namesOf(wanted), entry: isList ? wanted[0] : undefined, isList, isStreamed, parts: 0 });
    this.#awaited = isList ? 'first entry' : 'first name';
    return true;
  }

  #close(byte: number): true {
    const { isStreamed, parts } = this.#frames.pop()!;
    if (this.#frames.length === 0) this.#awaited = 'nothing';
    else if (!isStreamed) {
      this.#keep(byte);
      this.#completeValue();
    } else {
      if (parts === 0) this.#take({ name: this.#name, value: [] });
      this.#awaited = 'next';
    }
    return true;
  }

  /** Continues a name or a value. @returns the index at which it ends in these bytes */
  #read(bytes: Uint8Array, from: number, reading: Exclude<Reading, undefined>): number {
    const end = this.#endOfValue(bytes, from);
    if (reading !== 'passed over') this.#keepAll(bytes, from, end);
    if (this.#depth >= 0) return end;
    this.#reading = undefined;
    if (reading === 'name') this.#completeName();
    else if (reading === 'kept') this.#completeValue();
    else this.#awaited = 'next';
    return end;
  }

  /**
   * The index after the value's last byte, in which case `#depth` is -1; or the length of `bytes` when the value
   * continues.
   */
  #endOfValue(bytes: Uint8Array, from: number): number {
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped];
    const { length } = bytes;
    let at = from;
    while (at < length && depth >= 0) {
      const byte = bytes[at++]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInString = false;
          if (depth === 0) depth = -1;
        }
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        // This byte ends a number or a word and belongs to the container.
        if (depth === 0) at--;
        if (depth <= 1) depth = -1;
        else depth--;
      } else if (depth === 0 && (byte === COMMA || isSpace(byte))) {
        at--;
        depth = -1;
      }
    }
    [this.#depth, this.#isInString, this.#isEscaped] = [depth, isInString, isEscaped];
    return at;
  }

  #completeName(): void {
    const frame = this.#frames.at(-1)!;
    const from = this.#nameAt + (frame.isStreamed || frame.parts === 0 ? 1 : 2);
    const found = this.#wantedName(frame, from, this.#length - 1);
    this.#next = found?.wanted;
    if (found === undefined && this.#frames.length === 1)
      this.#passOver(String(this.#parse(this.#decoder.decode(this.#kept.subarray(from - 1, this.#length)))));
    if (found === undefined || frame.isStreamed) this.#length = this.#nameAt;
    else frame.parts++;
    if (found && frame.isStreamed) {
      this.#name = found.name;
      if (this.#names.has(found.name)) throw this.#fault('appears twice');
      this.#names.add(found.name);
    }
    this.#awaited = 'colon';
  }

  /** The name in this range of the kept bytes, if it is wanted. */
  #wantedName({ names }: Frame, from: number, end: number): WantedName | undefined {
    const kept = this.#kept;
    for (const candidate of names[end - from] ?? []) {
      const { bytes } = candidate;
      let at = 0;
      while (at < bytes.length && bytes[at] === kept[from + at]) at++;
      if (at === bytes.length) return candidate;
    }
    if (kept.subarray(from, end).indexOf(BACKSLASH) < 0) return undefined;
    const name = this.#parse(this.#decoder.decode(kept.subarray(from - 1, end + 1)));
    return names.flatMap((some) => some ?? []).find((candidate) => candidate.name === name);
  }

  /** Passes the buffered bytes on if they form a complete member or entry. */
  #completeValue(): void {
    this.#awaited = 'next';
    const frame = this.#frames.at(-1)!;
    if (!frame.isStreamed) return;
    const value = this.#parse(this.#decoder.decode(this.#kept.subarray(0, this.#length)));
    this.#length = 0;
    this.#take(frame.isList ? { name: this.#name, index: frame.parts - 1, value } : { name: this.#name, value });
  }

  #parse(json: string): unknown {
    try {
      return JSON.parse(json);
    } catch {
      throw this.#fault('is not JSON');
    }
  }

  #keep(byte: number): void {
    if (this.#length === this.#kept.length) this.#makeRoom(1);
    this.#kept[this.#length++] = byte;
  }

  #keepAll(bytes: Uint8Array, from: number, end: number): void {
    if (this.#length + end - from > this.#kept.length) this.#makeRoom(end - from);
    const kept = this.#kept;
    let to = this.#length;
    for (let at = from; at < end; at++) kept[to++] = bytes[at]!;
    this.#length = to;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    const { maxBytes } = this.#limits;
    if (needed > maxBytes) throw this.#fault(`exceeds ${maxBytes} bytes`);
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * this.#kept.length)));
    larger.set(this.#kept.subarray(0, this.#length));
    this.#kept = larger;
  }

  #fault(what: string): ServiceError {
    const list = this.#frames[1];
    const place = list?.isList ? `${this.#name}.${list.parts - 1}` : this.#name;
    return new ServiceError('INVALID_REQUEST', place === '' ? `The body ${what}` : `${place}: ${what}`);
  }
}

const isWantedList = (wanted: Exclude<Wanted, true>): wanted is readonly [Wanted] => Array.isArray(wanted);

const known = new WeakMap<object, WantedName[][]>();

/** The wanted names of an object by length. Empty for a list. */
function namesOf(wanted: Exclude<Wanted, true>): WantedName[][] {
  let names = known.get(wanted);
  if (!names) {
    names = [];
    const members = isWantedList(wanted) ? [] : Object.entries(wanted);
    for (const [name, of] of members) {
      const bytes = new TextEncoder().encode(name);
      names[bytes.length] ??= [];
      names[bytes.length]!.push({ name, bytes, wanted: of });
    }
    known.set(wanted, names);
  }
  return names;
}
