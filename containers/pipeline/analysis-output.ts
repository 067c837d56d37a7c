import type { AgentResult, AnalysisResponse } from '../../src/contract/analysis.ts';
import { ERRORS, ServiceError } from '../../src/contract/errors.ts';
import type { ServiceEvent } from '../../src/contract/events.ts';
import { ndjsonLine } from '../../src/contract/ndjson.ts';
import { withholdsAffect } from '../../src/contract/options.ts';
import {
  type PipelineLine,
  type PipelineOptions,
  REDACTED_RECORDING,
  UNREDACTED_WORDS,
} from '../../src/contract/pipeline.ts';
import type { Redaction } from '../../src/contract/redaction.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';
import { allRounded, rounded } from '../../src/contract/wire-numbers.ts';
import { recordedAt } from '../../src/conversation/commitments/recorded-at.ts';
import { type Completed, Conversation, type ConversationModel } from '../../src/conversation/conversation.ts';
import { type DocumentPart, type Documents, materialOf, resultLine, resultParts } from './analysis-documents.ts';
import { hasSound } from './audio/levels.ts';
import { conversationWeights } from './conversation-weights.ts';
import { type FoundParts, liveIdPrefix, withLiveIds } from './live-ids.ts';
import type { EndLine, FoundRedaction, MeasuredUtteranceLine, StageLine } from './stage-lines.ts';
import { WrittenTexts } from './written-texts.ts';

/** Smallest rise in progress that is reported. */
const PROGRESS_STEP = 0.01;
/**
 * The estimated time of a live session's final analysis is the first value, plus the second times the session's length.
 */
const EXPECTED_LEAST_S = 2;
const EXPECTED_SHARE = 0.03;
const EXPIRED =
  'The live session expired before it was finalized: the recording ends with the last chunk that arrived.';

const MAY_BE_MORE =
  'One voice could be distinguished; there may be more. Send "speakers" if you know the number of people.';
/** A detail of NO_UTTERANCES. */
const SOUND_WITHOUT_SPEECH = `${ERRORS.NO_UTTERANCES.detail}: there is sound, but no speech`;

export interface AnalysisOutputOptions extends PipelineOptions {
  /** A live session sends its events while it runs, and its Worker stores them. */
  live: boolean;
  /** Tests replace the built-in model with this. */
  createModel?: () => ConversationModel;
}

/**
 * The output of one analysis. It takes the lines of the stages, draws conclusions from them, and returns the lines for
 * the Worker. After a `conclude` line, the conversation is analysed again from its first utterance. A session's events
 * are not sent again, unless no audio could be decoded before (an mp4 whose index comes last).
 */
export class AnalysisOutput {
  readonly #options: AnalysisOutputOptions;
  /** The numbered events of a file, in order. */
  readonly #events: string[] = [];
  #nextEvent = 0;
  #progress = 0;
  #draft: Draft;
  /** Whether events are stored: those of a file, and those of the final analysis of a session that is redacted. */
  #keepsEvents: boolean;
  /** The events that a live session sent while it ran. Null for a file, and before the session's final analysis. */
  #live: FoundParts | null = null;
  #documents: Documents | undefined;

  constructor(options: AnalysisOutputOptions) {
    const { texts, goal, redact = [] } = options;
    // The goal of a stored conversation was written before anybody asked for its redaction.
    this.#options = texts ? { ...options, goal: new WrittenTexts(redact).redacted(goal) } : options;
    this.#keepsEvents = !options.live;
    this.#draft = this.#newDraft(options.live);
  }

  /** Documents of the finished analysis. Their bytes follow the `result` line. Undefined before that line. */
  get documents(): Documents | undefined {
    return this.#documents;
  }

  /** The first lines of a file. For a live session, the Worker sends its own states. */
  open(): PipelineLine[] {
    return this.#options.live ? [] : [this.#transient(status('starting', 0)), this.#transient(status('processing', 0))];
  }

  /**
   * The lines that follow from the next line of the stages.
   * @throws ServiceError with the code of an `error` line; NO_UTTERANCES at the end of media without speech
   */
  take(line: StageLine): PipelineLine[] {
    switch (line.type) {
      case 'progress':
        return this.#takeProgress(line.progress);
      case 'partial': {
        const { partial_id, text, stable_text } = line;
        return [
          this.#transient({ event: 'partial_transcript', data: { partial_id, text, is_final: false, stable_text } }),
        ];
      }
      case 'utterance': {
        const events = takeUtterance(this.#draft, line);
        if (this.#live) {
          for (const event of events) this.#keep(event);
          return [];
        }
        return events.map((event) =>
          event.event === 'final_transcript' ? this.#numbered(event, line.latency_ms) : this.#numbered(event),
        );
      }
      case 'conclude': {
        const last = endOf(this.#draft).map((event) => this.#numbered(event));
        if (this.#draft.timeline.length > 0) this.#live = this.#draft;
        this.#draft = this.#newDraft(false);
        this.#keepsEvents = this.#redacts;
        return line.seconds === undefined ? last : [...last, this.#transient(expected(line.seconds))];
      }
      case 'end':
        return this.#conclude(line);
      case 'error':
        throw new ServiceError(line.code, line.message);
    }
  }

  /** 1 is reserved for `completed`, so progress stays below it. */
  #takeProgress(progress: number): PipelineLine[] {
    const next = Math.min(progress, 1 - PROGRESS_STEP);
    if (next < this.#progress + PROGRESS_STEP) return [];
    this.#progress = next;
    return [this.#transient(status('processing', next))];
  }

  /** A language model might write about a person's feelings, so none is used when affect is withheld. */
  get #givesMaterial(): boolean {
    return this.#options.material && !withholdsAffect(this.#options.affect);
  }

  get #redacts(): boolean {
    return (this.#options.redact ?? []).length > 0;
  }

  #conclude(end: EndLine): PipelineLine[] {
    if (this.#draft.timeline.length === 0)
      throw new ServiceError(
        'NO_UTTERANCES',
        end.playback && hasSound(end.playback.levels) ? SOUND_WITHOUT_SPEECH : undefined,
      );
    const last = endOf(this.#draft);
    if (this.#live) for (const event of last) this.#keep(event);
    const lines = this.#live ? [] : last.map((event) => this.#numbered(event));
    const analysis = analysisOf(this.#draft, end, this.#options);
    if (this.#live) Object.assign(analysis, withLiveIds(analysis, this.#live));
    if (end.redaction) analysis.redaction = searched(end.redaction, analysis, this.#live);
    const { summary, segmentation, moments, insights, timeline, sentences } = analysis;
    if (this.#givesMaterial) {
      const { key_moments } = insights;
      const { language } = this.#options;
      const findings = { summary, segmentation, moments, key_moments, sentences };
      lines.push({ type: 'material', ...materialOf(timeline), ...findings, ...(language && { language }) });
    }
    lines.push(this.#numbered({ event: 'summary_update', data: summary }));
    this.#documents = this.#documentsOf(analysis, end);
    lines.push(resultLine(this.#documents, analysis.media.duration_s));
    return lines;
  }

  /** An event with a number. It is sent once to each reader of a session. */
  #numbered(event: ServiceEvent, latency_ms?: number): PipelineLine {
    this.#keep(event);
    return {
      type: 'event',
      n: this.#nextEvent++,
      ...event,
      ...(latency_ms === undefined ? {} : { latency_ms: rounded(latency_ms) }),
    };
  }

  /** An event without a number. Only the current readers of a session receive it. */
  #transient(event: ServiceEvent): PipelineLine {
    this.#keep(event);
    return { type: 'event', ...event };
  }

  #keep({ event, data }: ServiceEvent): void {
    if (this.#keepsEvents) this.#events.push(ndjsonLine({ id: this.#events.length, event, data }));
  }

  #documentsOf(analysis: AnalysisResponse, { playback, redaction }: EndLine): Documents {
    const outputs = Buffer.from(JSON.stringify(analysis.agent_results));
    const documents: Documents = [{ name: 'agent_outputs.json', parts: [{ bytes: outputs }] }];
    if (this.#keepsEvents) documents.push({ name: 'events.ndjson', parts: this.#eventParts(analysis) });
    if (playback) {
      const { levels, rendition } = playback;
      documents.push({ name: 'levels.json', parts: [{ bytes: Buffer.from(JSON.stringify(levels)) }] });
      if (rendition) documents.push({ name: 'rendition.webm', parts: [{ bytes: rendition }] });
    }
    const { texts, redact = [] } = this.#options;
    if (texts) {
      const written = new WrittenTexts(redact, redaction?.secrets).redactedAll(texts);
      documents.push({ name: 'texts.json', parts: [{ bytes: Buffer.from(JSON.stringify(written)) }] });
    }
    const originals = redaction?.originals ?? [];
    if (this.#options.keep_original && originals.length > 0)
      documents.push({ name: UNREDACTED_WORDS, parts: [{ bytes: Buffer.from(JSON.stringify(originals)) }] });
    // Nothing is left to do then but to store the result.
    if (playback?.recording) documents.push({ name: REDACTED_RECORDING, parts: [{ bytes: playback.recording }] });
    // The result comes last, so that a stored result proves that everything else is stored too.
    documents.push({ name: 'result.json', parts: resultParts(analysis) });
    return documents;
  }

  /** The events so far except for the summary, and the two events that the Worker sends last. */
  #eventParts({ summary, conversation_id }: AnalysisResponse): DocumentPart[] {
    const before = this.#events.slice(0, -1).join('');
    const id = this.#events.length - 1;
    const closing = [status('completed', 1), { event: 'done' as const, data: { conversation_id } }];
    const after = closing.map(({ event, data }, i) => ndjsonLine({ id: id + 1 + i, event, data })).join('');
    return [
      { bytes: Buffer.from(`${before}{"id":${id},"event":"summary_update","data":`) },
      { bytes: Buffer.from(JSON.stringify(summary)), slot: 'summary' },
      { bytes: Buffer.from(`}\n${after}`) },
    ];
  }

  /** @param isLive whether it belongs to a session that is still running */
  #newDraft(isLive: boolean): Draft {
    const { conversation_id, goal, language, createModel } = this.#options;
    const recorded = recordedAt(this.#options);
    const conversationId = isLive ? liveIdPrefix(conversation_id) : conversation_id;
    return {
      model: createModel?.() ?? new Conversation({ conversationId, goal, language, recorded }, conversationWeights()),
      timeline: [],
      transitions: [],
      moments: [],
      agentResults: [],
    };
  }
}

/** A conversation while its utterances are being read. */
interface Draft extends FoundParts {
  model: ConversationModel;
  agentResults: AgentResult[];
}

const status = (phase: 'starting' | 'processing' | 'completed', progress: number): ServiceEvent => ({
  event: 'status',
  data: { phase, progress: rounded(progress) },
});

/**
 * Estimated duration of a session's final analysis. On two idle cores, every row of `npm run bench -- finalize` stays
 * below it. A busy machine takes longer.
 * @param seconds length of the recording
 */
const expected = (seconds: number): ServiceEvent => ({
  event: 'status',
  data: { phase: 'processing', progress: 0, expected_s: rounded(EXPECTED_LEAST_S + EXPECTED_SHARE * seconds) },
});

const eventsOf = ({ transitions, moments }: Completed): ServiceEvent[] => [
  ...transitions.map((data): ServiceEvent => ({ event: 'transition', data })),
  ...moments.map((data): ServiceEvent => ({ event: 'moment', data })),
];

/** The events that can be sent once the conversation has ended. */
const endOf = (draft: Draft): ServiceEvent[] => noted(draft, draft.model.end());

function noted({ transitions, moments }: Draft, completed: Completed): ServiceEvent[] {
  transitions.push(...completed.transitions);
  moments.push(...completed.moments);
  return eventsOf(completed);
}

/** Adds one utterance. @returns its events, in the order of the specification */
function takeUtterance(
  draft: Draft,
  { entry, latency_ms, partial_id, encoding }: MeasuredUtteranceLine,
): ServiceEvent[] {
  const { utterance_id, speaker, t_start, t_end, text, emotion, sentiment, polarity, subjectivity, cognitive } = entry;
  draft.timeline.push(entry);
  draft.agentResults.push({
    utterance_id,
    emotion,
    sentiment:
      sentiment && polarity !== null && subjectivity !== null ? { ...sentiment, polarity, subjectivity } : null,
    cognitive,
    latency_ms,
  });
  const transcript = { utterance_id, speaker, t_start, t_end, text };
  return [
    { event: 'final_transcript', data: partial_id === undefined ? transcript : { ...transcript, partial_id } },
    ...affectEvents(entry),
    ...noted(draft, draft.model.add(entry, encoding)),
  ];
}

/** Absent for an utterance whose affect is withheld. */
function affectEvents({ utterance_id, speaker: speaker_id, emotion, cognitive }: TimelineEntry): ServiceEvent[] {
  const events: ServiceEvent[] = [];
  if (emotion) events.push({ event: 'emotion', data: emotion });
  if (cognitive) {
    const { signals, engagement, load_level: cognitive_load } = cognitive;
    events.push({ event: 'cognitive', data: { utterance_id, speaker_id, signals, engagement, cognitive_load } });
  }
  return events;
}

const analysisOf = (
  { model, timeline, agentResults }: Draft,
  end: EndLine,
  o: AnalysisOutputOptions,
): AnalysisResponse => {
  const hasSilentChannel = end.media.silent_channel !== undefined;
  const { sentences, ...findings } = model.finish({ speakers: end.speakers, hasSilentChannel });
  const isUnsure = findings.setting === 'unknown';
  const warnings = isUnsure ? [...end.warnings, MAY_BE_MORE] : end.warnings;
  return allRounded({
    conversation_id: o.conversation_id,
    status: 'completed',
    utterances: timeline.length,
    timeline,
    ...findings,
    agent_results: agentResults,
    artifact_dir: o.artifact_dir,
    upload_path: o.upload_path,
    agent_outputs_path: o.agent_outputs_path,
    goal: o.goal,
    options: {
      goal: o.goal,
      speakers: o.speakers ?? null,
      recogniser: o.recogniser ?? null,
      heard_by: end.heard_by ?? {},
      quality: o.quality ?? 'best',
      words: o.words?.length ?? 0,
      language: o.language ?? null,
      ...(o.roles && { roles: o.roles }),
      affect: o.affect,
      ...(o.redact && { redact: o.redact }),
      recorded_at: o.recorded_at ?? null,
      time_zone: o.time_zone ?? null,
    },
    media: end.media,
    speakers: isUnsure ? { ...end.speakers, note: MAY_BE_MORE } : end.speakers,
    ...(end.roles && { roles: end.roles }),
    ...(end.language !== undefined && { language: end.language }),
    warnings: o.captured === 'expired' ? [EXPIRED, ...warnings] : warnings,
    sentences,
  });
};

/** The report about a redaction after everything that was concluded has been searched for what was redacted. */
function searched(
  { report, isSaidIn }: FoundRedaction,
  analysis: AnalysisResponse,
  live: FoundParts | null,
): Redaction {
  const { goal: _, options: _options, ...texts } = analysis;
  const isStored = anyText(texts, (text) => isSaidIn(text.split(/\s+/u)));
  const isSent = live?.timeline.some(({ text }) => isSaidIn(text.split(/\s+/u))) ?? false;
  const notes = [...report.notes];
  if (isStored) notes.push('The result contains words that were redacted elsewhere in it.');
  if (isSent) notes.push('An event that was sent while the session was running contained what its end redacted.');
  return { ...report, verified: report.verified && !isStored && !isSent, notes };
}

/** Whether a test holds for any text of several words in a value. */
function anyText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return value.includes(' ') && test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => anyText(member, test));
}
