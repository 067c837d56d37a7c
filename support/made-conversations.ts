import { readFileSync } from 'node:fs';
import { readLexical } from '../containers/pipeline/affect/text/lexical.ts';
import { impressionOf } from '../containers/pipeline/affect/voice/impression.ts';
import { describeDelivery } from '../containers/pipeline/prosody/description.ts';
import type { StageLine } from '../containers/pipeline/stage-lines.ts';
import type { LexicalMarkers, Word } from '../src/contract/timeline.ts';
import type { Prosody, TimelineEntry } from '../src/contract/timeline-entry.ts';
import { DEFAULT_LANGUAGE } from '../src/conversation/languages.ts';
import type { AnalysisResponse, ConversationList } from '../src/sdk/wire.ts';
import { type PipelineAnswer, sayError, sayEverything, write } from './fake-pipeline.ts';
import { form, KEY, type TestEnv, type TestService } from './service-under-test.ts';
import { withheld } from './withheld.ts';

// Conversations at the limits of what the pages show, based on the measures of a real call (the OpenAPI document's
// example).

const CALL = JSON.parse(
  readFileSync(new URL('../src/openapi/example-analysis.json', import.meta.url), 'utf8'),
) as AnalysisResponse;
const MEASURED = CALL.timeline as TimelineEntry[];
/** The uploaded file: silence in a format that every browser plays. */
export const RECORDING = silence(150);
const LEVELS_A_SECOND = 20;

const SENTENCES = [
  'Good morning everybody, thank you for taking the time today.',
  'We looked at the plan for the spring and there are some open points.',
  'How many people would work with it every day?',
  'About forty, but in the summer it is more like sixty.',
  'The price is too high for us, honestly, we have no budget for that this year.',
  'I understand. We could start with a smaller package and grow from there.',
  'Would you like to see a demo next Tuesday at ten?',
  'Yes, Tuesday works for me, please send the invitation.',
  'Let us talk about the data. Where is it stored, and who can read it?',
  'It stays in your own account, and nobody else can read it.',
  'I am not sure that our lawyers are happy with that.',
  'That is a real problem, we had a bad experience with the last supplier.',
  'We can sign an agreement on that, it takes a week.',
  'No thank you, a week is too long for us.',
  'Okay. What about the training, is it part of the offer?',
  'It is, two days on site, and I am very happy to do it myself.',
] as const;

/** A WAV file of 16-bit PCM at 8 kHz. */
function silence(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + seconds * rate * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return new Uint8Array(bytes);
}

interface Cast {
  speakers: number;
  utterances: number;
  /** Interval between the starts of two utterances, s, and the fraction of it that is speech. */
  every: number;
  spoken: number;
  /** Whether the audio could be measured. */
  isMeasured?: boolean;
  /** Whether the utterances have affect. */
  isRead?: boolean;
  /** Every n-th utterance has words of low confidence. */
  badEvery?: number;
  speakerConfidence?: number;
}

type Delivery = Pick<
  TimelineEntry,
  'prosody' | 'prosody_desc' | 'acoustic_reasoning' | 'acoustic_insights' | 'delivery_style'
> & { acoustic: Partial<TimelineEntry['acoustic']> };

/** The delivery of an utterance whose audio could not be measured, as the pipeline gives it. */
const UNMEASURED: Delivery = {
  prosody: {},
  prosody_desc: 'The audio of this utterance could not be measured.',
  acoustic_reasoning: 'Based on the words alone: the audio of this utterance could not be measured.',
  acoustic_insights: [],
  delivery_style: 'not measured',
  acoustic: { acoustic_insights: [], delivery_style: 'not measured', hesitation_patterns: [], emphasis_points: [] },
};

/** The pipeline's description of a measured utterance's voice, with other words and another length. */
function deliveryOf(
  { prosody: measured }: TimelineEntry,
  words: Word[],
  lexical: LexicalMarkers,
  seconds: number,
  pauseMs: number,
): Delivery {
  const usual = measured as Prosody;
  // The pauses keep their share of the time.
  const pause_mean_ms = Math.round((usual.pause_mean_ms * seconds) / usual.duration);
  const prosody = { ...usual, duration: seconds, pause_before_ms: pauseMs, pause_mean_ms };
  const emphasisAt = words.length > 3 ? [words[2]!.t_start] : [];
  const { prosody_desc, ...described } = describeDelivery(
    { prosody, seconds, words, lexical, emphasisAt },
    DEFAULT_LANGUAGE,
  );
  const impression = impressionOf(prosody, prosody.commitment_markers!, lexical, DEFAULT_LANGUAGE, seconds);
  const { delivery_style } = impression;
  return {
    ...{ prosody, prosody_desc, ...impression, acoustic_insights: described.acoustic_insights },
    acoustic: { ...described, delivery_style },
  };
}

/** A slow wave with a faster one on top, within -1 to 1. The same in every run. */
const wave = (n: number, length: number): number => 0.7 * Math.sin(n / length) + 0.3 * Math.sin(n * 1.7);

function entryOf(id: string, n: number, cast: Cast): TimelineEntry {
  const { speakers, every, spoken, isMeasured = true, isRead = true, badEvery } = cast;
  const base = MEASURED[n % MEASURED.length]!;
  // The first speaker speaks most.
  const speaker = `Speaker_${n < speakers ? n : (n * (n % 3 === 0 ? 1 : 5)) % speakers}`;
  const text = SENTENCES[n % SENTENCES.length]!;
  const start = 0.4 + n * every;
  const utterance_id = `${id}_utt_${n}`;
  const isBad = badEvery !== undefined && n % badEvery === badEvery - 1;
  const heard = isBad ? 0.27 : 0.86;
  const parts = text.split(' ');
  const words = parts.map((word, i) => ({
    word,
    t_start: start + (i / parts.length) * spoken,
    t_end: start + ((i + 0.9) / parts.length) * spoken,
    confidence: isBad && i % 2 === 0 ? 0.2 : heard,
  }));
  const valence = Number((0.5 + 0.18 * wave(n, 9)).toFixed(4));
  const arousal = Number((0.48 + 0.12 * wave(n + 40, 5)).toFixed(4));
  const scores = { valence, arousal, dominance: 0.5 };
  const emotion = base.emotion && {
    ...{ ...base.emotion, utterance_id, speaker_id: speaker, scores },
    ...(!isMeasured && { voice: null, decided_by: 'words' as const }),
  };
  const lexical: LexicalMarkers = { ...readLexical(text, DEFAULT_LANGUAGE).markers, is_question: text.endsWith('?') };
  const pauseMs = Math.round(1000 * (n === 0 ? start : every - spoken));
  const delivery = isMeasured ? deliveryOf(base, words, lexical, spoken, pauseMs) : UNMEASURED;
  const entry: TimelineEntry = {
    ...base,
    ...{ utterance_id, speaker, text, words, t_start: start, t_end: start + spoken, asr_confidence: heard },
    ...{ emotion, pad_scores: scores, polarity: Number((0.6 * wave(n, 9)).toFixed(4)) },
    cognitive: base.cognitive && { ...base.cognitive, utterance_id },
    lexical_markers: lexical,
    speaker_confidence: cast.speakerConfidence ?? base.speaker_confidence,
    overlap_ratio: speakers > 1 && n % 17 === 16 ? 0.2 : 0,
    ...delivery,
    acoustic: { ...base.acoustic, ...delivery.acoustic },
  };
  return isRead ? entry : withheld(entry);
}

function spokenBy(cast: Cast, confidence = 0.86): PipelineAnswer {
  const duration = 0.4 + (cast.utterances - 1) * cast.every + cast.spoken + 0.3;
  return (response, { options }) => {
    const id = options.conversation_id;
    const levels = Buffer.from(
      Uint8Array.from({ length: Math.ceil(duration * LEVELS_A_SECOND) }, (_, i) => 90 + 80 * Math.abs(wave(i, 11))),
    );
    const lines: StageLine[] = Array.from({ length: cast.utterances }, (_, n) => ({
      type: 'utterance',
      entry: entryOf(id, n, cast),
      latency_ms: 5,
    }));
    write(response, [
      ...lines,
      {
        type: 'end',
        utterances: cast.utterances,
        media: { duration_s: duration, channels: 1, speaker_per_channel: false },
        speakers: { count: cast.speakers, confidence, source: 'estimated' },
        warnings: [],
        ...((cast.isMeasured ?? true) && {
          playback: { levels: { rate: LEVELS_A_SECOND, channels: [levels.toString('base64')] }, rendition: null },
        }),
      },
    ]);
    response.end();
  };
}

export interface Made {
  /** The pipeline's output. */
  answer: PipelineAnswer;
  /** Options of the analysis, as form fields. */
  options?: Record<string, string>;
  /** Edits made after the analysis. */
  edit?: { title?: string; speakers?: Record<string, string> };
  /** Whether the recording is deleted afterwards. */
  isMediaDeleted?: boolean;
  /** Whether the analysis fails, so that there is no result. */
  isFailed?: boolean;
}

const CALL_OF_TWO: Cast = { speakers: 2, utterances: 24, every: 6, spoken: 4.4, badEvery: 7 };
const LONG_TITLE =
  'Quarterly review of the spring campaign with the northern and the western teams, the agency, two guests from the board and everybody who could not come to the last one, second part, with all open questions';

/** The states of a conversation page, by name. */
export const MADE: Readonly<Record<string, Made>> = {
  'two-people': { answer: spokenBy(CALL_OF_TWO), options: { goal: 'Was a day for the demo agreed?' } },
  'eight-people': {
    answer: spokenBy({ speakers: 8, utterances: 306, every: 10, spoken: 8, badEvery: 23 }, 0.44),
    edit: {
      speakers: {
        Speaker_0: 'Dr. Annegret Freifrau von Hohenstein-Lilienthal',
        Speaker_1: 'Maximilian Bartholomäus Kessler-Wiedenbrück',
        Speaker_2: 'Jo',
      },
    },
  },
  'one-person': { answer: spokenBy({ speakers: 1, utterances: 20, every: 12, spoken: 9 }) },
  'three-seconds': { answer: spokenBy({ speakers: 1, utterances: 1, every: 3, spoken: 2.3 }) },
  'eight-hours': { answer: spokenBy({ speakers: 4, utterances: 5_760, every: 5, spoken: 4, badEvery: 40 }) },
  'names-of-the-world': {
    answer: spokenBy({ ...CALL_OF_TWO, speakers: 4 }),
    edit: {
      title: 'שיחה עם הלקוח · 顧客との通話 · مكالمة',
      speakers: {
        Speaker_0: 'נועה בן־דוד',
        Speaker_1: '山田 太郎',
        Speaker_2: 'عبد الرحمن الخطيب',
        Speaker_3: '김민준',
      },
    },
  },
  'long-title': { answer: spokenBy(CALL_OF_TWO), edit: { title: LONG_TITLE.slice(0, 200) } },
  'no-audio': { answer: spokenBy({ ...CALL_OF_TWO, isMeasured: false }) },
  'no-affect': { answer: spokenBy({ ...CALL_OF_TWO, isRead: false }), options: { affect: 'none' } },
  'deleted-media': { answer: spokenBy(CALL_OF_TWO), isMediaDeleted: true },
  'failed-job': { answer: sayError('INVALID_MEDIA', 'The file is no audio that can be read'), isFailed: true },
};

/**
 * Creates the conversation with this name in the service, and returns its id.
 * @param more further options of the analysis, as form fields
 */
export async function make(
  service: TestService,
  name: string,
  key = KEY,
  more: Record<string, string> = {},
): Promise<string> {
  const { answer, options = {}, edit, isMediaDeleted, isFailed } = MADE[name]!;
  const headers = { 'X-API-Key': key };
  service.pipeline.answer = answer;
  const body = form(`${name}.wav`, RECORDING, { ...options, ...more });
  const analysed = await service.post('/analyze', body, headers);
  service.pipeline.answer = sayEverything;
  if (isFailed) {
    const list = await fetch(new URL('/conversations?limit=1&status=failed', service.url), { headers });
    return ((await list.json()) as ConversationList).conversations[0]!.conversation_id;
  }
  if (!analysed.ok) throw new Error(`${name}: ${await analysed.text()}`);
  const { conversation_id: id } = (await analysed.json()) as AnalysisResponse;
  if (edit) {
    const patched = await fetch(new URL(`/conversations/${id}`, service.url), {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(edit),
    });
    if (!patched.ok) throw new Error(`${name}: ${await patched.text()}`);
  }
  if (isMediaDeleted) {
    const { MEDIA } = await service.harness.getWorker<TestEnv>().getEnv();
    await MEDIA.delete((await service.stored()).filter((stored) => stored.includes(`${id}/upload`)));
  }
  return id;
}
