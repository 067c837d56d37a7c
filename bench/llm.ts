import llamaTokenizer from 'llama-tokenizer-js';
import type { Findings } from '../src/contract/findings.ts';
import type { LanguageModelMaterial } from '../src/contract/pipeline.ts';
import type { Utterance } from '../src/contract/timeline.ts';
import {
  type LanguageModelSettings,
  languageModelSettings,
  messagesOf,
} from '../src/worker/analysis/language-model.ts';
import { startReplay } from './llm-replay.ts';
import { say, type Table } from './report.ts';

/**
 * The language model to measure, called in the same way as by the service.
 *
 * - `--llm`: the model that the environment configures (`LLM_BASE_URL`, `LLM_MODEL`, `LLM_API_KEY`).
 * - `--llm-requests FOLDER`: none answers; the requests are written to the folder.
 * - `--llm-answers FOLDER`: the answers to those requests, recorded in the folder.
 */
export async function llmAsked(): Promise<LanguageModelSettings | undefined> {
  const [requests, answers] = [optionOf('--llm-requests'), optionOf('--llm-answers')];
  if (requests || answers)
    return { baseUrl: await startReplay({ requests, answers }), model: 'recorded answers', apiKey: '' };
  if (!process.argv.includes('--llm')) return undefined;
  const settings = languageModelSettings(process.env);
  if (!settings) {
    console.error('No language model to measure: set LLM_BASE_URL and LLM_MODEL, and LLM_API_KEY where it wants one.');
    process.exit(2);
  }
  return settings;
}

function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** The material about a conversation that the pipeline would send to a language model. */
export const materialOf = (utterances: readonly Utterance[], findings: Findings): LanguageModelMaterial => ({
  transcript: utterances.map(({ utterance_id, speaker, text, t_start, t_end }) => ({
    utterance_id,
    speaker,
    text,
    t_start,
    t_end,
  })),
  summary: findings.summary,
  segmentation: findings.segmentation,
  moments: findings.moments,
  key_moments: findings.insights.key_moments,
});

/** Sent and received tokens as counted by the endpoint, if it does so. */
export const spent = { requests: 0, failed: 0, sentTokens: 0, answeredTokens: 0 };

/** Counts every request from now on. */
export function countRequests(): void {
  const plain = globalThis.fetch;
  globalThis.fetch = async (...[input, init]: Parameters<typeof fetch>) => {
    spent.requests++;
    try {
      const answer = await plain(input, init);
      if (!answer.ok) spent.failed++;
      const { usage } = (await answer
        .clone()
        .json()
        .catch(() => ({}))) as { usage?: { prompt_tokens?: number; completion_tokens?: number } };
      spent.sentTokens += usage?.prompt_tokens ?? 0;
      spent.answeredTokens += usage?.completion_tokens ?? 0;
      return answer;
    } catch (error) {
      spent.failed++;
      throw error;
    }
  };
}

/** Cost of a language model, counted from the material of these conversations, whether or not a model is called. */
export function costTable(title: string, materials: readonly LanguageModelMaterial[]): Table {
  let [seconds, requests, bytes, tokens, largest] = [0, 0, 0, 0, 0];
  for (const [i, material] of materials.entries()) {
    seconds += (material.transcript.at(-1)?.t_end ?? 0) - (material.transcript[0]?.t_start ?? 0);
    for (const messages of messagesOf(material)) {
      const body = Buffer.byteLength(JSON.stringify(messages));
      requests++;
      bytes += body;
      largest = Math.max(largest, body);
      tokens += messages.reduce((sum, { content }) => sum + llamaTokenizer.encode(content).length, 0);
    }
    if (materials.length > 20 && i % 10 === 9) say(`cost ${i + 1}/${materials.length}`);
  }
  const hours = seconds / 3600;
  return {
    title,
    columns: ['hours of talk', 'requests an hour', 'kB an hour', 'tokens sent an hour', 'largest request, kB'],
    rows: [[hours, requests / hours, bytes / 1000 / hours, tokens / hours, largest / 1000]],
    note: 'Tokens as Llama 2 counts them; other models differ by some tenths. An answer has at most 2,000 (summary) or 4,000 (a window of moments).',
  };
}

/** Actual cost of the requests. */
export const spentTable = (): Table => ({
  title: 'The language model that was asked',
  columns: ['requests', 'failed', 'tokens sent', 'tokens answered'],
  rows: [[spent.requests, spent.failed, spent.sentTokens, spent.answeredTokens]],
  note: 'As the endpoint counts; 0 where it does not.',
});
