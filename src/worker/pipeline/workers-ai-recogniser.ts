import * as z from 'zod';
import { within } from '../deadline.ts';
import type { WorkersAi } from '../identity/env.ts';
import { type SettingVariables, settingsOf } from '../settings/settings.ts';

/** Host name of an OpenAI-compatible API for Workers AI. It does not exist in DNS, and only containers can reach it. */
export const AI_HOST = 'ai.internal';

/** Limit on a request, bytes. 15 s of WAV take up half a megabyte, and the rest of the form adds little. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Models that accept the audio only as an array of numbers, and no other parameter. */
const TAKES_NUMBERS = /^@cf\/openai\/whisper(-tiny-en)?$/;

const time = z.number();
const WordsSchema = z.array(z.object({ word: z.string(), start: time, end: time }));
/** Whisper's response on Workers AI. Word times are inside its segments (large-v3-turbo), or alongside the text. */
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
 * Handles a container's `POST /v1/audio/transcriptions` with the binding `AI`, like any OpenAI-compatible endpoint. The
 * deployment's setting (`ASR_MODEL`) chooses the model, regardless of the request.
 */
export async function transcribeByWorkersAi(request: Request, env: AiEnv): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method !== 'POST' || !pathname.endsWith('/audio/transcriptions')) return refused(404, 'no such route');
  if (!env.AI) return refused(404, 'the Worker has no AI binding');
  if (Number(request.headers.get('Content-Length')) > MAX_BYTES) return refused(413, 'the audio is too large');
  const { asrModel, asrTimeoutMs } = settingsOf(env);
  let input: object | undefined;
  try {
    input = inputOf(asrModel, await formOf(request));
  } catch {
    return refused(400, 'the form is malformed');
  }
  try {
    const transcript = await within(env.AI.run(asrModel, input), asrTimeoutMs);
    if (transcript === 'late') return refused(504, `no response within ${asrTimeoutMs} ms`);
    return Response.json(responseOf(TranscriptSchema.parse(transcript)));
  } catch (cause) {
    // Only the error's name is logged, because the message may repeat the request.
    console.warn(`Workers AI, ${asrModel}: ${cause instanceof Error ? cause.name : 'failed'}`);
    return refused(502, 'Workers AI failed');
  }
}

interface TranscriptionForm {
  audio: Uint8Array<ArrayBuffer>;
  language: string | null;
  prompt: string | null;
}

async function formOf(request: Request): Promise<TranscriptionForm> {
  const form = await request.formData();
  const file = form.get('file');
  if (file === null || typeof file === 'string' || file.size > MAX_BYTES) throw new RangeError('no audio');
  const text = (name: string): string | null => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return { audio: new Uint8Array(await file.arrayBuffer()), language: text('language'), prompt: text('prompt') };
}

function inputOf(model: string, { audio, language, prompt }: TranscriptionForm): object {
  if (TAKES_NUMBERS.test(model)) return { audio: [...audio] };
  return {
    audio: base64Of(audio),
    task: 'transcribe',
    ...(language !== null && { language }),
    ...(prompt !== null && { initial_prompt: prompt }),
  };
}

/** Maximum number of arguments of one call. A larger number would overflow the stack. */
const PIECE = 32_768;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/** The format `verbose_json` of OpenAI's API, which lists words alongside segments. */
function responseOf({ text, words, segments }: z.infer<typeof TranscriptSchema>): object {
  const timed = words ?? segments?.flatMap((segment) => segment.words ?? []) ?? [];
  return {
    text,
    ...(timed.length > 0 && { words: timed }),
    segments: (segments ?? []).map(({ start, end, text: segmentText, avg_logprob }) => ({
      start,
      end,
      text: segmentText,
      ...(typeof avg_logprob === 'number' && { avg_logprob }),
    })),
  };
}
