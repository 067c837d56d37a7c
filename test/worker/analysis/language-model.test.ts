import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { ConversationSegmentationSchema, ConversationSummarySchema } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { languageModelSettings, refineFindings } from '../../../src/worker/analysis/language-model.ts';
import { completion, type FakeLanguageModel, json, startFakeLanguageModel } from './fake-language-model.ts';

const TEXTS = [
  'Hi, this is Dana from Northwind, thanks for taking the call.',
  'Sure, we need a new invoicing tool before March.',
  'The yearly plan is 40 dollars a seat.',
  'That is more than we planned to spend.',
];
const utterances: Utterance[] = TEXTS.map((text, i) => ({
  utterance_id: `c_utt_${i}`,
  speaker: `Speaker_${i % 2}`,
  t_start: i * 4,
  t_end: i * 4 + 3,
  text,
}));
const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
for (const u of utterances) conversation.add(u);
const findings = conversation.finish();

const line = (text: string, ...ids: string[]) => ({ text, utterance_ids: ids });
const GOOD = {
  reason: line('Speaker_1 needs a new invoicing tool before March.', 'c_utt_1'),
  outcome: line(
    'Speaker_0 offers a yearly plan at 40 dollars a seat, more than Speaker_1 planned to spend.',
    'c_utt_2',
    'c_utt_3',
  ),
  key_insights: [line('A tool is needed before March.', 'c_utt_1')],
  notable_patterns: [],
  recommendations: [line('Bring an offer below the planned budget.', 'c_utt_3')],
  what_went_well: null,
  what_went_wrong: [line('The price met resistance.', 'c_utt_3')],
  phases: findings.segmentation.phases.map((p) => ({ phase_id: p.phase_id, phase_name: 'Price talk', theme: 'seats' })),
};

let model: FakeLanguageModel;
let answers: ((response: ServerResponse) => void)[];

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  answers = [];
  model = await startFakeLanguageModel((response, asked) =>
    answers[Math.min(asked.length, answers.length) - 1]?.(response),
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await model.close();
});

const refine = (timeoutMs = 500) =>
  refineFindings(
    findings,
    { transcript: utterances },
    {
      baseUrl: model.baseUrl,
      model: 'local',
      apiKey: 'secret',
      goal: 'price',
      timeoutMs,
    },
  );

async function expectFallback(attempts = 2) {
  const refined = await refine();
  expect(refined).toEqual({ ...findings, summary: { ...findings.summary, source: 'built_in_fallback' } });
  expect(model.asked).toHaveLength(attempts);
}

describe('a language model that answers', () => {
  it('writes the summary and names the phases, and nothing else changes', async () => {
    answers = [json(completion(JSON.stringify(GOOD)))];
    const refined = await refine();
    expect(refined.summary.source).toBe('language_model');
    expect(refined.summary.overview).toBe(`${GOOD.reason.text} ${GOOD.outcome.text}`);
    expect(refined.summary.evidence.slice(0, 2)).toEqual([
      { ...GOOD.reason, measures: {} },
      { ...GOOD.outcome, measures: {} },
    ]);
    const { evidence, quality_reasons } = refined.summary;
    expect(evidence.slice(evidence.length - quality_reasons.length).map(({ text }) => text)).toEqual(quality_reasons);
    expect(refined.summary.conversation_quality).toBe(findings.summary.conversation_quality);
    expect(refined.segmentation.phases.map((p) => p.phase_name)).toEqual(
      findings.segmentation.phases.map(() => 'Price talk'),
    );
    expect(refined.segmentation.phases[0]?.start_utterance_id).toBe(
      findings.segmentation.phases[0]?.start_utterance_id,
    );
    expect(refined.moments).toEqual(findings.moments);
    ConversationSummarySchema.parse(refined.summary);
    ConversationSegmentationSchema.parse(refined.segmentation);
  });

  it('leaves the built-in overview where neither the reason nor the outcome is in the words that were said', async () => {
    const unsaid = { ...GOOD.reason, text: 'Speaker_1 negotiates fiercely.' };
    answers = [json(completion(JSON.stringify({ ...GOOD, reason: unsaid, outcome: null })))];
    const { summary } = await refine();
    expect(summary.source).toBe('language_model');
    expect(summary.overview).toBe(findings.summary.overview);
    expect(summary.key_insights).toEqual(GOOD.key_insights.map(({ text }) => text));
    const lines = summary.evidence.map(({ text }) => text);
    const first = lines.indexOf(GOOD.key_insights[0]!.text);
    expect(lines.slice(0, first).join(' ')).toBe(findings.summary.overview);
  });

  it('is read from between code fences', async () => {
    answers = [json(completion(`Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``))];
    expect((await refine()).summary.source).toBe('language_model');
  });

  it('is sent the transcript, the goal and the phases', async () => {
    answers = [json(completion(JSON.stringify(GOOD)))];
    await refine();
    expect(model.asked[0]).toContain('[c_utt_2] Speaker_0: The yearly plan is 40 dollars a seat.');
    expect(model.asked[0]).toContain('What the reader cares about most: price');
    expect(model.asked[0]).toContain('phase_0');
  });

  it('drops a line with an unknown utterance or a number that is not in the transcript', async () => {
    const key_insights = [
      line('Rests on nothing.', 'c_utt_9'),
      line('It costs 45 dollars.', 'c_utt_2'),
      ...GOOD.key_insights,
    ];
    answers = [json(completion(JSON.stringify({ ...GOOD, key_insights })))];
    expect((await refine()).summary.key_insights).toEqual(['A tool is needed before March.']);
  });

  it.each([
    ['a word that nobody said', 'Speaker_0 offers a generous yearly plan.'],
    ['a number that nobody said', 'Speaker_0 offers a yearly plan at 45 dollars a seat.'],
  ])('drops an outcome with %s', async (_, text) => {
    answers = [json(completion(JSON.stringify({ ...GOOD, outcome: line(text, 'c_utt_2') })))];
    expect((await refine()).summary.overview).toBe(GOOD.reason.text);
  });

  it('suggests what was misheard beside the words, which stay', async () => {
    const mishearing = { utterance_id: 'c_utt_1', heard: 'invoicing tool', meant: 'invoicing pool' };
    const mishearings = [
      mishearing,
      { ...mishearing, heard: 'words of nobody' },
      { ...mishearing, meant: mishearing.heard },
      { ...mishearing, utterance_id: 'c_utt_9' },
    ];
    answers = [json(completion(JSON.stringify({ ...GOOD, mishearings })))];
    expect((await refine()).summary.mishearings).toEqual([mishearing]);
    answers = [json(completion(JSON.stringify(GOOD)))];
    expect((await refine()).summary).not.toHaveProperty('mishearings');
  });

  it('is retried after a failure', async () => {
    answers = [json('{"error": "busy"}', 503), json(completion(JSON.stringify(GOOD)))];
    expect((await refine()).summary.source).toBe('language_model');
    expect(model.asked).toHaveLength(2);
  });
});

describe('a language model that misbehaves leaves the built-in summary', () => {
  it('when it never answers', async () => {
    answers = [() => {}];
    await expectFallback();
  });
  it('when it answers 500', async () => {
    answers = [json('{"error": {"message": "no"}}', 500)];
    await expectFallback();
  });
  it('when the response is not JSON', async () => {
    answers = [json('<html>')];
    await expectFallback();
  });
  it('when the message is not JSON', async () => {
    answers = [json(completion('I would rather not.'))];
    await expectFallback();
  });
  it('when the message has another shape', async () => {
    answers = [json(completion('{"overview": "fine"}'))];
    await expectFallback();
  });
  it('when no line is supported', async () => {
    const reason = line('A tool is needed.', 'nowhere');
    const outcome = line('The contract is signed.', 'c_utt_2', 'c_utt_3');
    const key_insights = [line('It costs 41 dollars.', 'c_utt_2')];
    answers = [json(completion(JSON.stringify({ ...GOOD, reason, outcome, key_insights })))];
    await expectFallback();
  });
  it('when it says nothing', async () => {
    answers = [json(completion(JSON.stringify({ ...GOOD, reason: null, outcome: null, key_insights: [] })))];
    await expectFallback();
  });
  it('when the response has no choice', async () => {
    answers = [json('{"choices": []}')];
    await expectFallback();
  });
  it('when the answer never ends', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const more = () => {
          if (!response.destroyed) response.write(' '.repeat(64 * 1024), () => setImmediate(more));
        };
        more();
      },
    ];
    await expectFallback();
  });
  it('when the answer drips', async () => {
    answers = [
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ];
    await expectFallback();
  });
  it('when it closes the connection', async () => {
    answers = [(response) => response.destroy()];
    await expectFallback();
  });
});

describe('the Workers AI binding', () => {
  const settings = (run: () => Promise<unknown>) => ({
    baseUrl: '',
    model: 'm',
    apiKey: '',
    ai: { run },
    timeoutMs: 50,
  });
  it('may return an object', async () => {
    const refined = await refineFindings(
      findings,
      { transcript: utterances },
      settings(async () => ({ response: GOOD })),
    );
    expect(refined.summary.source).toBe('language_model');
  });
  it('may fail or hang', async () => {
    for (const run of [() => Promise.reject(new Error('no')), () => new Promise(() => {}), async () => undefined])
      expect((await refineFindings(findings, { transcript: utterances }, settings(run))).summary.source).toBe(
        'built_in_fallback',
      );
  });
});

describe('the settings', () => {
  it('are off by default, and the findings stay as they are', async () => {
    expect(languageModelSettings({})).toBeUndefined();
    expect(languageModelSettings({ LLM_BASE_URL: 'http://x' })).toBeUndefined();
    expect(languageModelSettings({ LLM_MODEL: 'm' })).toBeUndefined();
    expect(await refineFindings(findings, { transcript: utterances }, undefined)).toBe(findings);
  });
  it('need an endpoint and a model', () => {
    expect(languageModelSettings({ LLM_BASE_URL: 'http://x', LLM_MODEL: 'm', LLM_API_KEY: 'k' }, 'g')).toMatchObject({
      baseUrl: 'http://x',
      model: 'm',
      apiKey: 'k',
      goal: 'g',
    });
  });
});
