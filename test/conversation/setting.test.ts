import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import type { Findings } from '../../src/contract/findings.ts';
import type { SpeakerCount } from '../../src/contract/media.ts';
import type { Utterance } from '../../src/contract/timeline.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { segmentConversation } from '../../src/conversation/summary/phase-descriptions.ts';
import { talk } from './lines.ts';

const ESTIMATED: SpeakerCount = { count: 1, confidence: 0.9, source: 'estimated' };

function found(utterances: Utterance[], speakers: SpeakerCount = ESTIMATED, hasSilentChannel = false): Findings {
  const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
  for (const utterance of utterances) conversation.add(utterance);
  return conversation.finish({ speakers, hasSilentChannel });
}

/** Utterances of one label in close succession. */
const close = (lines: string): Utterance[] => talk(lines).map((u) => ({ ...u, t_end: u.t_start + 3.5 }));

const DICTATION = `
  A: The meeting with the board took place on Monday in the large hall.
  A: All of the members were present, and the minutes were read aloud.
  A: The new budget was discussed at length, and then it was passed.
  A: I will send the report to everybody by Friday.`;

describe('one voice', () => {
  it('speaks alone where nothing shows a second person, and promises nothing to anybody', () => {
    const { setting, summary } = found(close(DICTATION));
    expect(setting).toBe('single_voice');
    expect(summary.overview).toContain('A speaks alone');
    expect(summary.recommendations).toEqual([]);
    expect(summary.speaker_dynamics).toMatchObject({ balance: 'monologue' });
  });

  const SIGNS: [string, Utterance[]][] = [
    [
      'a fifth of its utterances is hardly heard',
      close(DICTATION).map((u, i) => (i === 1 ? { ...u, asr_confidence: 0.5 } : u)),
    ],
    [
      'its pitch jumps from one utterance to the next',
      close(DICTATION).map((u, i) => ({ ...u, prosody: { pitch_hz: i === 2 ? 110 : 180 } })),
    ],
    [
      'it answers itself',
      close(`
        A: Good morning, Steve. Good morning, Katie.
        A: Have you heard of the new transcription? Yes, I have.`),
    ],
  ];
  it.each(SIGNS)('may be several people where %s: no monologue, no share, no balance', (_, utterances) => {
    const { setting, summary, insights } = found(utterances);
    expect(setting).toBe('unknown');
    expect(summary.overview).toMatch(/^One voice could be distinguished; there may be more\./);
    expect(JSON.stringify(summary)).not.toMatch(/alone|monologue/);
    expect(summary.speaker_dynamics).toBeNull();
    expect(insights.metrics.speakers.A).toMatchObject({ talk_ratio: null, longest_monologue_s: null });
  });

  it.each(SIGNS)('is one person where the client gave the number, although %s', (_, utterances) => {
    expect(found(utterances, { ...ESTIMATED, source: 'given' }).setting).toBe('single_voice');
  });

  it('is one side of a conversation where it leaves time for the other side and answers it', () => {
    const side = talk(`
      A: Thanks for calling, how can I help you?
      A: Yes, I see that here.
      A: Okay, one second, please.
      A: You're welcome. Goodbye.`).map((u, i) => ({ ...u, t_start: i * 8, t_end: i * 8 + 4 }));
    const { setting, summary } = found(side);
    expect(setting).toBe('one_sided');
    expect(summary.overview).toMatch(/^Only one side of the conversation is in the recording\./);
    expect(segmentConversation(side, {}, conversationWeights()).narrative_arc).toMatch(/^Only one side /);
  });

  it('is one side of a conversation where the other channel is silent and it speaks to somebody', () => {
    expect(found(close('A: How can I help you today?'), ESTIMATED, true).setting).toBe('one_sided');
    expect(found(close(DICTATION), ESTIMATED, true).setting).toBe('single_voice');
  });
});

describe('recorded voices', () => {
  const GREETING = `A: Hello, you have reached the office of Anna Miller.
    A: I can't take your call right now, so please leave a message after the tone.`;

  it('of an answering machine leave a caller alone, whose message is no conversation', () => {
    const { setting, summary } = found(
      talk(`${GREETING}
        B: Hello Anna, this is Tom. I will send you the contract by Friday.`),
    );
    expect(setting).toBe('answering_machine');
    expect(summary).toMatchObject({ recommendations: [], what_went_well: null, what_went_wrong: null });
    expect(summary.overview).toMatch(/^An answering machine takes the call\./);
  });

  it('do not turn a call into less when somebody picks up', () => {
    const answered = `${GREETING}
      B: Hello Anna, this is Tom.
      A: Hi Tom, I am here after all.`;
    expect(found(talk(answered)).setting).toBe('conversation');
  });

  it.each([
    'Your call is important to us. Please stay on the line.',
    'All our agents are currently busy.',
    'For questions about a bill, press two.',
    'The number you have dialled is not in service.',
  ])('announce: %s', (text) => {
    expect(found(talk(`A: ${text}`)).setting).toBe('announcement');
  });

  it.each([
    'I left you a message yesterday.',
    'Please leave the message on my desk.',
    'Hold on, I will put you through.',
    'It is important to us that you call.',
    'Your voicemail said to try again.',
  ])('are not taken for: %s', (text) => {
    expect(found(talk(`A: ${text}\n B: All right.`)).setting).toBe('conversation');
    expect(found(talk(`A: ${text}`)).setting).toBe('single_voice');
  });
});
