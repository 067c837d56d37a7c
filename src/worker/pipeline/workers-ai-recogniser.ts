import * as z from 'zod';
import { within } from '../http/deadline.ts';
import type { WorkersAi } from '../identity/env.ts';
import { type SettingVariables, settingsOf } from '../settings/settings.ts';

/** Where the pipeline in a container asks Workers AI, in the form of an OpenAI-compatible API. Nobody else can: it is no name of the network. */
export const AI_HOST = 'ai.internal';

/** 15 s of sound as WAV have half a megabyte, the rest of the form next to nothing. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Models that take bytes as numbers, and know no more of a request than these. */
const TAKES_NUMBERS = /^@cf\/openai\/whisper(-tiny-en)?$/;

const time = z.number();
const WordsSchema = z.array(z.object({ word: z.string(), start: time, end: time }));
/** What Whisper says on Workers AI: times of words in its segments (large-v3-turbo), or beside the text. */
const TranscriptSchema = z.object({
  text: z.string(),
  words: WordsSchema.nullish(),
  segments: z
    .array(
      z.object({
        start: time,
        end: time,
        text: z.string(),
        avg_logprob: z.number().nullish(),
        words: WordsSchema.nullish(),
      }),
    )
    .nullish(),
});

interface AiEnv extends SettingVariables {
  AI?: WorkersAi;
}

const refused = (status: number, message: string): Response => Response.json({ error: { message } }, { status });

/**
 * Answers a container's `POST /v1/audio/transcriptions` by the binding `AI`: what the pipeline sends to any endpoint, and what it
 * reads of one. The model is the deployment's (`ASR_MODEL`), whatever the request says.
 */
export async function transcribeByWorkersAi(request: Request, env: AiEnv): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST' || !pathname.endsWith('/audio/transcriptions')) return refused(404, 'no such route');
  if (!env.AI) return refused(404, 'the Worker has no binding AI');
  if (Number(request.headers.get('Content-Length')) > MOST_BYTES) return refused(413, 'the sound is too large');
  const { asrModel, asrTimeoutMs } = settingsOf(env);
  let input: object | undefined;
  try {
    input = inputOf(asrModel, await formOf(request));
  } catch {
    return refused(400, 'the form is not as expected');
  }
  try {
    const said = await within(env.AI.run(asrModel, input), asrTimeoutMs);
    if (said === 'late') return refused(504, `nothing within ${asrTimeoutMs} ms`);
    return Response.json(answerOf(TranscriptSchema.parse(said)));
  } catch (cause) {
    // What it says of a fault may repeat what was sent.
    console.warn(`Workers AI, ${asrModel}: ${cause instanceof Error ? cause.name : 'failed'}`);
    return refused(502, 'Workers AI failed');
  }
}

interface Asked {
  sound: Uint8Array<ArrayBuffer>;
  language: string | null;
  prompt: string | null;
}

async function formOf(request: Request): Promise<Asked> {
  const form = await request.formData();
  const file = form.get('file');
  if (file === null || typeof file === 'string' || file.size > MOST_BYTES) throw new RangeError('no sound');
  const text = (name: string): string | null => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return { sound: new Uint8Array(await file.arrayBuffer()), language: text('language'), prompt: text('prompt') };
}

function inputOf(model: string, { sound, language, prompt }: Asked): object {
  if (TAKES_NUMBERS.test(model)) return { audio: [...sound] };
  return {
    audio: base64Of(sound),
    task: 'transcribe',
    ...(language !== null && { language }),
    ...(prompt !== null && { initial_prompt: prompt }),
  };
}

/** More arguments than this are too many for a call. */
const PIECE = 32_768;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/** `verbose_json` of OpenAI's API, in which words stand beside the segments. */
function answerOf({ text, words, segments }: z.infer<typeof TranscriptSchema>): object {
  const told = words ?? segments?.flatMap((segment) => segment.words ?? []) ?? [];
  return {
    text,
    ...(told.length > 0 && { words: told }),
    segments: (segments ?? []).map(({ start, end, text: said, avg_logprob }) => ({
      start,
      end,
      text: said,
      ...(typeof avg_logprob === 'number' && { avg_logprob }),
    })),
  };
}
