import type { AgentResult } from '../../contract/analysis.ts';
import { decodeEncoding } from '../../contract/encoding.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { Findings } from '../../contract/findings.ts';
import type { EndLine, PipelineLine, UtteranceLine } from '../../contract/pipeline.ts';
import type { TimelineEntry } from '../../contract/timeline.ts';
import type { Completed, ConversationModel, ConversationOptions } from '../../conversation/conversation.ts';

/** Progress is told when it has risen by this share. */
const PROGRESS_STEP = 0.01;

/** Everything one conversation came to; what is stored and answered is made of it. */
export interface Analysis {
  conversationId: string;
  goal: string;
  timeline: TimelineEntry[];
  agentResults: AgentResult[];
  findings: Findings;
  media: EndLine['media'];
  speakers: EndLine['speakers'];
  warnings: string[];
}

export interface RunOptions extends ConversationOptions {
  createModel: (options: ConversationOptions) => ConversationModel;
  /** Says the findings better, when the operator named a language model. Never rejects. */
  refine?: (findings: Findings, timeline: TimelineEntry[]) => Promise<Findings>;
}

/**
 * The lines of a pipeline, told as events in the order of the specification. Pure and synchronous, so that a Durable
 * Object can store what it says in the same turn. After a `conclude` line the conversation is taken again from its
 * first utterance, and what was told is not told again.
 */
export class Run {
  readonly #options: RunOptions;
  readonly #told = new Set<string>();
  #progress = 0;
  #draft: Draft;
  #analysis: Analysis | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#draft = newDraft(options);
  }

  /** What the conversation came to; undefined until the `end` line was taken. */
  get analysis(): Analysis | undefined {
    return this.#analysis;
  }

  /**
   * The events that one more line completes; `end` completes the analysis, which `summaryEvent` then tells.
   * @throws ServiceError the code of an `error` line; NO_UTTERANCES at the end of media without speech
   */
  take(line: PipelineLine): ServiceEvent[] {
    switch (line.type) {
      case 'progress':
        return this.#takeProgress(line.progress);
      case 'partial': {
        const { partial_id, text, stable_text } = line;
        return [{ event: 'partial_transcript', data: { partial_id, text, is_final: false, stable_text } }];
      }
      case 'utterance':
        return this.#tellNew(takeUtterance(this.#draft, line));
      case 'conclude': {
        const last = this.#tellNew(tellCompleted(this.#draft.model.end()));
        this.#draft = newDraft(this.#options);
        return last;
      }
      case 'end': {
        if (this.#draft.timeline.length === 0) throw new ServiceError('NO_UTTERANCES');
        const last = this.#tellNew(tellCompleted(this.#draft.model.end()));
        this.#analysis = conclude(this.#draft, line, this.#options);
        return last;
      }
      case 'error':
        throw new ServiceError(line.code, line.message);
    }
  }

  /** 1 belongs to `completed`, so progress stays below it. */
  #takeProgress(progress: number): ServiceEvent[] {
    const next = Math.min(progress, 1 - PROGRESS_STEP);
    if (next < this.#progress + PROGRESS_STEP) return [];
    this.#progress = next;
    return [status('processing', next)];
  }

  #tellNew(all: Iterable<Told>): ServiceEvent[] {
    const fresh = [...all].filter(({ id }) => !this.#told.has(id));
    for (const { id } of fresh) this.#told.add(id);
    return fresh.map(({ event }) => event);
  }
}

/**
 * A whole file, from `starting` to `done`.
 * @param keep makes the analysis durable; `completed` and `done` are told only after it
 * @throws ServiceError what `Run.take` throws; ANALYSIS_FAILURE when the lines stop before the end
 */
export async function* runToEnd(
  lines: AsyncIterable<PipelineLine>,
  options: RunOptions,
  keep: (analysis: Analysis) => Promise<void>,
): AsyncGenerator<ServiceEvent, void> {
  const run = new Run(options);
  yield status('starting', 0);
  yield status('processing', 0);
  for await (const line of lines) {
    yield* run.take(line);
    if (!run.analysis) continue;
    const analysis = await refined(run.analysis, options);
    yield summaryEvent(analysis);
    await keep(analysis);
    yield* closingEvents(options.conversationId);
    return;
  }
  throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the pipeline stopped before the end');
}

/** The analysis with its findings said better, where `refine` is given. */
export async function refined(analysis: Analysis, { refine }: RunOptions): Promise<Analysis> {
  return refine ? { ...analysis, findings: await refine(analysis.findings, analysis.timeline) } : analysis;
}

/** Tells what an analysis amounts to; the closing events follow. */
export const summaryEvent = ({ findings }: Analysis): ServiceEvent => ({
  event: 'summary_update',
  data: findings.summary,
});

/** The last two events of every analysis that succeeded. */
export const closingEvents = (conversationId: string): ServiceEvent[] => [
  status('completed', 1),
  { event: 'done', data: { conversation_id: conversationId } },
];

/** The last event of every analysis that failed. */
export const errorEvent = (error: ServiceError): ServiceEvent => ({
  event: 'error',
  data: { code: error.code, message: error.detail },
});

interface Draft {
  model: ConversationModel;
  timeline: TimelineEntry[];
  agentResults: AgentResult[];
}

const newDraft = ({ createModel, conversationId, goal }: RunOptions): Draft => ({
  model: createModel({ conversationId, goal }),
  timeline: [],
  agentResults: [],
});

const status = (phase: 'starting' | 'processing' | 'completed', progress: number): ServiceEvent => ({
  event: 'status',
  data: { phase, progress },
});

/** An event with the id under which it is told once. */
interface Told {
  id: string;
  event: ServiceEvent;
}

/** Adds one utterance and yields its events. */
function* takeUtterance(draft: Draft, line: UtteranceLine): Generator<Told> {
  const { entry, partial_id, encoding } = line;
  const { utterance_id, speaker, t_start, t_end, text, cognitive } = entry;
  draft.timeline.push(entry);
  draft.agentResults.push({
    utterance_id,
    emotion: entry.emotion,
    sentiment: { ...entry.sentiment, polarity: entry.polarity, subjectivity: entry.subjectivity },
    cognitive,
    latency_ms: line.latency_ms,
  });
  const completed = draft.model.add(entry, encoding === undefined ? undefined : decodeEncoding(encoding));

  const transcript = { utterance_id, speaker, t_start, t_end, text };
  const { signals, engagement, load_level } = cognitive;
  yield {
    id: `final_transcript ${utterance_id}`,
    event: { event: 'final_transcript', data: partial_id === undefined ? transcript : { ...transcript, partial_id } },
  };
  yield { id: `emotion ${utterance_id}`, event: { event: 'emotion', data: entry.emotion } };
  yield {
    id: `cognitive ${utterance_id}`,
    event: {
      event: 'cognitive',
      data: { utterance_id, speaker_id: speaker, signals, engagement, cognitive_load: load_level },
    },
  };
  yield* tellCompleted(completed);
}

function* tellCompleted({ transitions, moments }: Completed): Generator<Told> {
  for (const data of transitions)
    yield { id: `transition ${data.transition_id} ${data.stability}`, event: { event: 'transition', data } };
  for (const data of moments) yield { id: `moment ${data.moment_id}`, event: { event: 'moment', data } };
}

const conclude = (draft: Draft, { media, speakers, warnings }: EndLine, options: RunOptions): Analysis => ({
  conversationId: options.conversationId,
  goal: options.goal,
  timeline: draft.timeline,
  agentResults: draft.agentResults,
  findings: draft.model.finish(),
  media,
  speakers,
  warnings,
});
