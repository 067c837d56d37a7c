import type { AgentResult, AnalysisResponse } from '../../contract/analysis.ts';
import { ServiceError } from '../../contract/errors.ts';
import { UtteranceSchema } from '../../contract/timeline.ts';
import type { TimelineEntry } from '../../contract/timeline-entry.ts';
import { JsonSieve, type Member, type Wanted } from '../http/json-sieve.ts';
import { inTurn } from '../segmentation/sharing.ts';
import { segmentationWeights } from '../segmentation/weights.ts';
import { objectSink } from '../storage/object-sink.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Indexable } from './card.ts';
import type { CourseResult } from './course.ts';
import type { Edited } from './edits/edited.ts';
import { EditedResult, type MeasuredResult } from './edits/edited-result.ts';
import { type Exported, MEASURES } from './exports/exported.ts';

/**
 * Limit on one member or entry, bytes. A stored result is read as a stream, and only the wanted part of its utterances
 * is kept, because an isolate has 128 MB of memory and the result of an eight-hour recording takes up 40 MB.
 */
const LIMITS = { maxBytes: 16 * 1024 * 1024, maxEntries: 200_000 };
/** Bytes read before other requests get a turn. */
const TURN_BYTES = 2 * 1024 * 1024;

const all = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true as const]));

/** The members of a result that the catalogue uses. */
const INDEXABLE = {
  timeline: [
    {
      ...all(['utterance_id', 'speaker', 'speaker_label', 't_start', 't_end', 'text', 'sentiment', 'unread']),
      asr_confidence: true,
      lexical_markers: all(['is_question']),
      pad_scores: { valence: true },
    },
  ],
  summary: all(['overview', 'conversation_quality']),
  insights: { overall_sentiment: all(['mean', 'trend']), metrics: { speakers: true, silence_share: true } },
  moments: [
    {
      ...all(['moment_id', 'category', 'speaker_id', 'start_ms', 'end_ms', 'utterance_ids', 'confidence', 'answers']),
      evidence: [all(['utterance_id', 'quote'])],
    },
  ],
  transitions: [all(['from_state', 'to_state', 'speaker_id', 'at_ms', 'evidence_utterance_ids', 'confidence'])],
  media: all(['duration_s']),
  warnings: true,
  language: true,
  roles: true,
  commitments: [true],
  open_questions: [true],
  options: all(['recorded_at']),
} as const;

const findings = {
  setting: true,
  summary: true,
  insights: true,
  transitions: [true],
  moments: [true],
  segmentation: true,
  commitments: [true],
  open_questions: [true],
  sentences: [true],
} as const;

/**
 * The members of a result that edits need, with everything that the conversation analysis reads from the utterances.
 */
const MEASURED = {
  ...findings,
  timeline: [
    {
      ...all(Object.keys(UtteranceSchema.shape)),
      prosody: all(Object.keys(UtteranceSchema.shape.prosody.unwrap().shape)),
    },
  ],
  goal: true,
  options: all(['language', 'recorded_at', 'time_zone']),
  speakers: true,
  language: true,
} as const;

const EXPORTED = {
  timeline: [
    {
      ...all(['utterance_id', 'speaker', 'speaker_label', 't_start', 't_end', 'text', ...MEASURES]),
      words: [all(['t_start', 't_end'])],
    },
  ],
  summary: true,
  insights: { metrics: true },
  moments: [true],
  segmentation: true,
  roles: true,
  media: all(['duration_s']),
} as const;

/** The members of a result that a course uses. */
const COURSE = {
  timeline: [
    {
      ...all(['utterance_id', 'speaker', 'speaker_label', 't_start', 't_end', 'unread']),
      pad_scores: all(['valence', 'arousal']),
      emotion: all(['confidence']),
      prosody: all(['pitch_hz', 'confidence']),
    },
  ],
  media: all(['duration_s', 'speaker_per_channel']),
} as const;

export const readCourse = (store: ObjectStore, key: string): Promise<CourseResult> => read(store, key, COURSE);
export const readIndexable = (store: ObjectStore, key: string): Promise<Indexable> => read(store, key, INDEXABLE);
export const readMeasured = (store: ObjectStore, key: string): Promise<MeasuredResult> => read(store, key, MEASURED);
export const readFindings = (store: ObjectStore, key: string): Promise<Omit<MeasuredResult, 'timeline' | 'goal'>> =>
  read(store, key, { ...findings, options: all(['language', 'recorded_at', 'time_zone']), speakers: true });

/** The report of a redaction; undefined if the result has none. */
export const readRedaction = async (store: ObjectStore, key: string): Promise<AnalysisResponse['redaction']> =>
  (await read<Pick<AnalysisResponse, 'redaction'>>(store, key, { redaction: true })).redaction;

/** The input of an export, except for the part that comes from the record. */
export type ExportedResult = Omit<Exported, 'conversationId' | 'title' | 'labels' | 'createdAt' | 'goal'>;

export async function readExported(store: ObjectStore, key: string): Promise<ExportedResult> {
  const { insights, media, ...result } = await read<
    Omit<ExportedResult, 'metrics' | 'duration'> & Pick<AnalysisResponse, 'insights' | 'media'>
  >(store, key, EXPORTED);
  return { ...result, metrics: insights.metrics, duration: media.duration_s };
}

async function read<T extends object>(
  store: ObjectStore,
  key: string,
  wanted: { readonly [name: string]: Wanted },
): Promise<T> {
  const members: Record<string, unknown> = {};
  await sift(store, key, wanted, ({ name, index, value }) => {
    if (index === undefined) members[name] = value;
    else if (index === 0) members[name] = [value];
    else (members[name] as unknown[]).push(value);
  });
  // The service itself wrote the object, according to this type's schema.
  return members as T;
}

/** @throws ServiceError ANALYSIS_FAILURE when the object is missing or was not written by this service */
async function sift(
  store: ObjectStore,
  key: string,
  wanted: { readonly [name: string]: Wanted },
  take: (member: Member) => void,
  written: () => Promise<void> = async () => undefined,
): Promise<void> {
  const object = await store.get(key);
  if (!object) throw new ServiceError('ANALYSIS_FAILURE', 'The stored result is missing');
  const sieve = new JsonSieve(wanted, LIMITS, take);
  let sinceTurn = 0;
  try {
    for await (const bytes of object.body) {
      sieve.write(bytes);
      await written();
      sinceTurn += bytes.length;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await scheduler.wait(0);
    }
    sieve.end();
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'INVALID_REQUEST') throw cause;
    throw new ServiceError('ANALYSIS_FAILURE', 'The stored result cannot be read', { cause });
  }
}

/**
 * Applies edits to a measured result. For the longest conversation this takes seconds, in steps between which other
 * requests get a turn.
 */
export const editedResult = (edited: Edited, measured: MeasuredResult): Promise<EditedResult> =>
  inTurn(
    async (seen) => {
      const steps = EditedResult.inSteps(edited, measured, segmentationWeights);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        await scheduler.wait(0);
        seen();
      }
    },
    () => undefined,
  );

/** All members of a result. Those that edits change entry by entry are streamed; the others are kept whole. */
const MEMBERS: { readonly [Name in keyof AnalysisResponse]-?: Wanted } = {
  conversation_id: true,
  status: true,
  utterances: true,
  timeline: [true],
  summary: true,
  insights: true,
  transitions: true,
  moments: true,
  segmentation: true,
  commitments: true,
  open_questions: true,
  redaction: true,
  agent_results: [true],
  artifact_dir: true,
  upload_path: true,
  agent_outputs_path: true,
  goal: true,
  options: true,
  media: true,
  speakers: true,
  roles: true,
  setting: true,
  language: true,
  warnings: true,
  sentences: true,
};

/** Writes a measured result with its edits as a separate object, entry by entry. */
export async function writeEdited(store: ObjectStore, from: string, to: string, result: EditedResult): Promise<void> {
  // If this fails, the store discards the incomplete upload after some days.
  const sink = objectSink(store, to);
  const encoder = new TextEncoder();
  const writer = new MemberWriter(result);
  try {
    const flush = async () => {
      const text = writer.taken();
      if (text !== '') await sink.write(encoder.encode(text));
    };
    await sift(store, from, MEMBERS, (member) => writer.write(member), flush);
    writer.end();
    await flush();
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Writes a result with edits applied, member by member, exactly as `JSON.stringify` would. */
class MemberWriter {
  readonly #result: EditedResult;
  #text = '{';
  #isFirst = true;
  /** The list that is currently open. */
  #list: string | undefined;

  constructor(result: EditedResult) {
    this.#result = result;
  }

  write({ name, index, value }: Member): void {
    if (index !== undefined && index > 0) this.#text += ',';
    else this.#begin(name, index !== undefined);
    this.#text += JSON.stringify(this.#edited(name, index, value));
  }

  end(): void {
    this.#closeList();
    this.#text += '}';
  }

  /** Returns the text written since the last call. */
  taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #begin(name: string, isList: boolean): void {
    this.#closeList();
    this.#text += `${this.#isFirst ? '' : ','}${JSON.stringify(name)}:${isList ? '[' : ''}`;
    this.#isFirst = false;
    this.#list = isList ? name : undefined;
  }

  #closeList(): void {
    if (this.#list !== undefined) this.#text += ']';
    this.#list = undefined;
  }

  #edited(name: string, index: number | undefined, value: unknown): unknown {
    if (index !== undefined && name === 'timeline') return this.#result.entry(value as TimelineEntry);
    if (index !== undefined && name === 'agent_results') return this.#result.agentResult(value as AgentResult);
    const { members } = this.#result;
    return name in members ? members[name as keyof typeof members] : value;
  }
}
