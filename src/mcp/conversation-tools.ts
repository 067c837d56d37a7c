import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type {
  AnalysisResponse,
  CourseEntry,
  ExportFormat,
  SpeakerMetrics,
  SpeakerProfile,
  Undertone,
} from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { clockOf, pageLine, pageOf, timeOf } from './links.ts';
import { ConversationId, textResult } from './tools.ts';

/** Length limit of an export in a tool's result, characters. A model reads all of it. */
const MAX_EXPORT_CHARS = 100_000;
const MAX_SPEAKERS = 8;
/** Limit on the entries of a course in a tool's result. */
const MAX_ENTRIES = 200;
const FORMATS = ['md', 'txt', 'srt', 'vtt', 'csv', 'json', 'html'] as const satisfies readonly ExportFormat[];

/** The tools for one conversation, other than those for its summary, moments and transcript. */
export function addConversationTools(
  server: McpServer,
  { client, url }: { client: Undertone; url: string | URL },
): void {
  server.registerTool(
    'get_insights',
    {
      title: 'Insights of a conversation',
      description:
        'Returns who spoke how much and how (talk share, monologues, questions, interruptions, pace, emotions), the measures of the whole conversation, and the lasting changes of emotional state with their times.',
      inputSchema: argumentsOf({ conversation_id: ConversationId }),
      annotations: { readOnlyHint: true },
    },
    ({ conversation_id: id }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const { conversations } = client;
        const [analysis, { names }] = await Promise.all([
          conversations.get(id, { signal }),
          conversations.record(id, { signal }),
        ]);
        return [pageLine(url, id), ...insightLines(analysis, names)].join('\n');
      }),
  );
  server.registerTool(
    'get_course',
    {
      title: 'Course of a conversation',
      description: `Returns valence, arousal, pitch and level of each speaker over time, in windows between two times; at most ${MAX_ENTRIES} entries at a time.`,
      inputSchema: argumentsOf({
        conversation_id: ConversationId,
        window_s: z.number().min(0.5).max(60).default(10).describe('Length of a window, in seconds.'),
        from_s: z.number().min(0).default(0).describe('Start, in seconds from the start of the recording.'),
        to_s: z.number().min(0).optional().describe('End, in seconds; default: the end of the recording.'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ conversation_id: id, window_s: window, from_s, to_s }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const { course, notes } = await client.conversations.course(id, { window, signal });
        const part = course.filter(
          ({ t_start, t_end }) => t_end > from_s && t_start < (to_s ?? Number.POSITIVE_INFINITY),
        );
        if (part.length === 0) return 'Nobody speaks in this part.';
        const next = part[MAX_ENTRIES];
        return [
          pageLine(url, id),
          'Valence and arousal 0..1, 0.5 is neutral, of whole utterances; level in dB re full scale.',
          ...notes,
          ...part.slice(0, MAX_ENTRIES).map(courseLine),
          ...(next ? [`There is more: call again with from_s ${next.t_start}.`] : []),
        ].join('\n');
      }),
  );
  server.registerTool(
    'name_speakers',
    {
      title: 'Name the speakers of a conversation',
      description:
        'Names the speakers of a conversation everywhere at once, including search and exports. Names replace labels such as Speaker_0; get_insights shows which label a name stands for. Only use names that the user gave or confirmed.',
      inputSchema: argumentsOf({
        conversation_id: ConversationId,
        names: z
          .record(z.string().regex(/^Speaker_\d$/), z.string().trim().min(1).max(128).nullable())
          .describe('Speaker label -> name; null removes the name.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    },
    ({ conversation_id: id, names: speakers }, { mcpReq: { signal } }) =>
      textResult(async () => {
        if (Object.keys(speakers).length > MAX_SPEAKERS) throw new Error(`names has more than ${MAX_SPEAKERS} entries`);
        const { names } = await client.conversations.edit(id, { speakers }, { signal });
        const lines = Object.entries(names).map(([label, name]) => `${label}: ${name}`);
        return lines.length === 0 ? 'No speaker has a name now.' : lines.join('\n');
      }),
  );
  server.registerTool(
    'export_conversation',
    {
      title: 'Export a conversation',
      description: `Returns a conversation as a file: ${FORMATS.join(', ')}; at most ${MAX_EXPORT_CHARS} characters.`,
      inputSchema: argumentsOf({ conversation_id: ConversationId, format: z.enum(FORMATS).default('md') }),
      annotations: { readOnlyHint: true },
    },
    ({ conversation_id: id, format }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const text = await (await client.conversations.export(id, format, { signal })).text();
        if (text.length <= MAX_EXPORT_CHARS) return text;
        const advice = `Its page offers the file: ${pageOf(url, id)}. Or read it in parts with get_transcript.`;
        throw new Error(`The file has ${text.length} characters; the limit is ${MAX_EXPORT_CHARS}. ${advice}`);
      }),
  );
}

function courseLine({ t_start, speaker, valence, arousal, pitch_hz, level_db }: CourseEntry): string {
  const values = [
    ...(valence === null ? ['affect not measured'] : [`valence ${valence}`, `arousal ${arousal}`]),
    ...(pitch_hz === null ? [] : [`pitch ${Math.round(pitch_hz)} Hz`]),
    ...(level_db === null ? [] : [`level ${level_db.toFixed(1)} dB`]),
  ];
  return `${timeOf(t_start)} ${speaker}: ${values.join(', ')}`;
}

/** @param names speaker label -> name */
function insightLines(analysis: AnalysisResponse, names: Readonly<Record<string, string>>): string[] {
  const { insights, transitions, speakers } = analysis;
  const { metrics, conversation_dynamics: dynamics, overall_sentiment: sentiment, cognitive_profile } = insights;
  const labels = new Map(Object.entries(names).map(([label, name]) => [name, label]));
  const shown = (speaker: string): string => (labels.has(speaker) ? `${speaker} (${labels.get(speaker)})` : speaker);
  const note = speakers.note === undefined ? '' : ` ${speakers.note}`;
  return [
    `Length ${clockOf(dynamics.total_duration)}, ${dynamics.utterance_count} utterances, ${speakers.count} speakers (${speakers.source}, confidence ${speakers.confidence}).${note}`,
    'Speakers:',
    ...Object.entries(metrics.speakers).map(
      ([speaker, measures]) =>
        `- ${shown(speaker)}: ${[...metricParts(measures), ...affectParts(insights.speaker_profiles[speaker])].join('; ')}`,
    ),
    `Conversation: ${metrics.speaker_switches} changes of speaker; interactivity ${metrics.interactivity} of 10; ${metrics.overlaps} overlaps (${metrics.overlap_time_s} s); silence ${percent(metrics.silence_share)}; ${metrics.questions} questions`,
    sentiment === null
      ? 'Sentiment: not measured'
      : `Sentiment: mean ${sentiment.mean} (-1..1), standard deviation ${sentiment.std}, trend ${sentiment.trend}`,
    ...listed(
      'Changes of emotional state',
      transitions.map(
        ({ at_ms, speaker_id, from_state, to_state, confidence }) =>
          `- ${timeOf(at_ms / 1000)} ${speaker_id === undefined ? '' : `${speaker_id}: `}${from_state} to ${to_state}, confidence ${confidence}`,
      ),
    ),
    ...listed(
      'Signs of cognitive load',
      cognitive_profile.hotspots.map(({ t, description }) => `- ${timeOf(t)} ${description}`),
    ),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A list under a heading. If it is empty it says so, so that a model does not ask again. */
const listed = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${name}: none`] : [`${name}:`, ...lines];

function metricParts(measures: SpeakerMetrics): string[] {
  const {
    talk_ratio: ratio,
    longest_monologue_s: longest,
    response_latency_ms: latency,
    patience_s: patience,
  } = measures;
  return [
    ...(ratio === null
      ? ['one voice could be distinguished; there may be more']
      : [`talk share ${percent(ratio)} (${clockOf(measures.talk_time_s)})`]),
    ...(longest === null ? [] : [`longest monologue ${clockOf(longest)}`]),
    `${measures.words} words, ${Math.round(measures.words_per_minute)} a minute`,
    `${measures.questions} questions`,
    `interrupted others ${measures.interruptions} times`,
    ...(latency === null ? [] : [`begins ${latency} ms after the other (median)`]),
    ...(patience === null ? [] : [`waits ${patience} s before speaking (median)`]),
  ];
}

function affectParts(profile: SpeakerProfile | undefined): string[] {
  if (profile === undefined) return [];
  const { emotions, avg_polarity, avg_engagement } = profile;
  if (emotions === null) return ['affect not measured'];
  const counts = Object.entries(emotions)
    .sort(([, one], [, other]) => other - one)
    .map(([emotion, utterances]) => `${emotion} ${utterances}`);
  return [
    `utterances by emotion: ${counts.join(', ')}`,
    ...(avg_polarity === null ? [] : [`mean polarity ${avg_polarity} (-1..1)`]),
    ...(avg_engagement === null ? [] : [`mean engagement ${avg_engagement} (0..1)`]),
  ];
}
