import { AnalysisResponseSchema } from '../../contract/analysis.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import { LIMITS } from '../../contract/limits.ts';
import { SEGMENT_LISTS, SEGMENT_MEMBERS, SegmentContextSchema } from '../../contract/segmentation.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { unknownName } from '../../contract/unknown-names.ts';
import { JsonSieve, type Member } from '../http/json-sieve.ts';
import { type BodyTaker, receiveBody } from '../http/request-body.ts';
import { firstFault } from '../http/validation.ts';
import { heldBytes, hold, release } from './sharing.ts';

/** The conversation to segment, sorted by time. */
export interface SegmentRequest {
  timeline: Utterance[];
  context: string;
  /** Undefined when the request contains none. */
  moments: MomentEvent[] | undefined;
  transitions: TransitionEvent[] | undefined;
  /** Notes in ASCII about what was corrected or ignored. */
  notes: string[];
}

/**
 * Size limit of the body. An utterance with all its fields takes 7 kB, a timeline of 5,000 utterances 35 MB, and the
 * rest of the analysis another 15 MB.
 */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Limits of the parser. The kept part of an utterance of 5,000 words takes 300 kB. */
const SIEVE_LIMITS = { maxBytes: 1024 * 1024, maxEntries: LIMITS.utterances };
/** Bytes read before other requests get a turn. */
const TURN_BYTES = 1024 * 1024;
/** Limit on the number of places listed in a note. */
const NAMED_PLACES = 5;

/**
 * Limit on the memory that all requests in an isolate (128 MB) use together. The estimates per utterance, word and
 * event are above the measured values (`npm run bench -- segment-speed`). The largest request takes 57 MB.
 */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const HELD = { utterance: 1500, character: 2, word: 100, event: 2000 };
const RETRY_AFTER_S = 2;

/** The body may be a whole analysis, whose other members are ignored. */
const KNOWN_MEMBERS = [...new Set([...Object.keys(SEGMENT_MEMBERS), ...Object.keys(AnalysisResponseSchema.shape)])];

/**
 * Receives the body of POST /segment/conversation and reads it entry by entry. It keeps only what a segmentation needs
 * from each entry, so the memory depends on the limits and not on the size of the body. It stops at the first fault.
 * @param work processes the request. The request's memory counts until the work is done, or until `seen` has not been
 * called for a long time
 * @throws ServiceError INVALID_REQUEST with the place and the exceeded limit; OVERLOADED; UPLOAD_STALLED
 */
export async function withSegmentRequest<T>(
  request: Request,
  stallSeconds: number,
  work: (request: SegmentRequest, seen: () => void) => Promise<T>,
): Promise<T> {
  if (!request.body) throw fault('timeline: is required');
  const options = {
    stallSeconds,
    maxBytes: MAX_BODY_BYTES,
    tooLarge: () => fault(`The body exceeds ${MAX_BODY_BYTES} bytes`),
    endedEarly: () => fault('The connection closed before the body was complete'),
  };
  const draft = new Draft();
  // The runtime may drop a waiting request when its client leaves.
  request.signal.addEventListener('abort', () => draft.release());
  try {
    await receiveBody(request, options, draft);
    return await work(draft.finish(), () => draft.seen());
  } finally {
    draft.release();
  }
}

/** The part of a request that has been read so far. */
class Draft implements BodyTaker {
  readonly #sieve = new JsonSieve(SEGMENT_MEMBERS, SIEVE_LIMITS, (member) => this.#takeMember(member), requireMember);
  readonly #timeline: Utterance[] = [];
  readonly #ids = new Set<string>();
  readonly #wordless: number[] = [];
  #context = '';
  #moments: MomentEvent[] | undefined;
  #transitions: TransitionEvent[] | undefined;
  #textChars = 0;
  #words = 0;
  #wordChars = 0;
  #firstUnsorted: number | undefined;
  #lastStart = 0;
  readonly #holding = hold();
  #sinceTurn = 0;

  async take(bytes: Uint8Array): Promise<void> {
    this.seen();
    this.#sieve.write(bytes);
    this.#sinceTurn += bytes.length;
    if (this.#sinceTurn < TURN_BYTES) return;
    this.#sinceTurn = 0;
    await scheduler.wait(0);
  }

  async abort(): Promise<void> {
    this.release();
  }

  /** Releases the memory reserved for the request. */
  release(): void {
    release(this.#holding);
  }

  /** Signals that the request is still alive. */
  seen(): void {
    this.#holding.seenAt = Date.now();
  }

  finish(): SegmentRequest {
    this.#sieve.end();
    const timeline = this.#timeline;
    const notes: string[] = [];
    if (timeline.length === 0)
      throw fault(this.#wordless.length > 0 ? 'timeline: no entry contains text' : 'timeline: is required');
    if (this.#firstUnsorted !== undefined) {
      timeline.sort((a, b) => a.t_start - b.t_start);
      notes.push(
        `The timeline was sorted by t_start: timeline.${this.#firstUnsorted} begins before the entry ahead of it.`,
      );
    }
    if (this.#wordless.length > 0) {
      const named = this.#wordless.slice(0, NAMED_PLACES).map((i) => `timeline.${i}`);
      const more = this.#wordless.length - named.length;
      notes.push(`Entries without text were left out: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`);
    }
    return {
      timeline,
      context: this.#context,
      // An analysis uses its moments in this order. Moments with equal times keep their relative order.
      moments: this.#moments?.sort((a, b) => a.start_ms - b.start_ms),
      transitions: this.#transitions?.sort((a, b) => a.at_ms - b.at_ms),
      notes,
    };
  }

  #takeMember({ name, index, value }: Member): void {
    if (name === 'context') this.#context = valid(SegmentContextSchema.safeParse(value), name);
    else if (index === undefined) this.#takeWhole(name, value);
    else if (name === 'timeline')
      this.#takeUtterance(valid(SEGMENT_LISTS.timeline.safeParse(value), name, index), index);
    else this.#takeEvent(name, index, value);
  }

  /** Reads a list without entries, or a value that is not a list. */
  #takeWhole(name: string, value: unknown): void {
    if (!Array.isArray(value)) throw fault(`${name}: expected a list`);
    if (name === 'timeline') throw fault('timeline: needs at least one entry');
    if (name === 'moments') this.#moments = [];
    else this.#transitions = [];
  }

  #takeEvent(name: string, index: number, value: unknown): void {
    if (index >= LIMITS.events) throw fault(`${name}: has more than ${LIMITS.events} entries`);
    if (name === 'moments') {
      this.#moments ??= [];
      this.#moments.push(valid(SEGMENT_LISTS.moments.safeParse(value), name, index));
    } else {
      this.#transitions ??= [];
      this.#transitions.push(valid(SEGMENT_LISTS.transitions.safeParse(value), name, index));
    }
    this.#hold(HELD.event);
  }

  #takeUtterance(u: Utterance, index: number): void {
    const place = `timeline.${index}`;
    const { allTextChars, allWords } = LIMITS;
    const { words = [] } = u;
    if (this.#ids.has(u.utterance_id)) throw fault(`${place}.utterance_id: repeats the id of an earlier entry`);
    this.#ids.add(u.utterance_id);
    this.#textChars += u.text.length;
    if (this.#textChars > allTextChars)
      throw fault(`${place}.text: all texts together exceed ${allTextChars} characters`);
    this.#words += words.length;
    if (this.#words > allWords) throw fault(`${place}.words: all entries together have more than ${allWords} words`);
    this.#wordChars += words.reduce((sum, { word }) => sum + word.length, 0);
    if (this.#wordChars > allTextChars)
      throw fault(`${place}.words: all words together exceed ${allTextChars} characters`);
    if (u.t_start < this.#lastStart) this.#firstUnsorted ??= index;
    this.#lastStart = u.t_start;
    if (u.text.trim() === '') this.#wordless.push(index);
    else this.#timeline.push(u);
    this.#hold(HELD.utterance + HELD.word * words.length + HELD.character * u.text.length);
  }

  #hold(bytes: number): void {
    this.#holding.bytes += bytes;
    if (heldBytes() <= MAX_HELD_BYTES) return;
    const detail = 'The service is busy with other segmentations; try again shortly';
    throw new ServiceError('OVERLOADED', detail, { retryAfter: RETRY_AFTER_S });
  }
}

/** @throws ServiceError INVALID_REQUEST for a member that belongs neither to a request nor to an analysis */
function requireMember(name: string): void {
  const unknown = unknownName('field', [name], KNOWN_MEMBERS);
  if (unknown !== undefined) throw fault(unknown);
}

type Read<T> =
  | { success: true; data: T }
  | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };

function valid<T>(read: Read<T>, ...place: (string | number)[]): T {
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw fault(firstFault([{ path: [...place, ...(first?.path ?? [])], message: first?.message ?? 'invalid' }]));
}

const fault = (detail: string): ServiceError => new ServiceError('INVALID_REQUEST', detail);
