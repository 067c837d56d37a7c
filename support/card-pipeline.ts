import type { StageLine } from '../containers/pipeline/stage-lines.ts';
import { linesOf, type PipelineAnswer, write } from './fake-pipeline.ts';

/** A card number that passes its check. */
export const CARD = '4242 4242 4242 4242';
/** The recording that takes the place of the original. */
export const TONED = Buffer.from('the recording with tones');

/** Says a card number, or a label in its place where that is to be redacted. */
export const sayCard: PipelineAnswer = (response, { options }) => {
  const isRedacted = (options.redact ?? []).includes('card');
  const card = isRedacted ? '[card]' : CARD;
  const texts = [`My card is ${card}, Mr Hargreaves.`, "I'll send you the contract by Friday.", 'Thank you very much.'];
  const said = isRedacted ? texts.map((text) => text.replace('Hargreaves', '[name]')) : texts;
  const lines = linesOf(options.conversation_id, said);
  const end = lines.at(-1) as Extract<StageLine, { type: 'end' }>;
  const span = { kind: 'card' as const, t_start: 1, t_end: 2 };
  const report = {
    ...{ kinds: options.redact ?? [], counts: { card: 1 }, spans: [span], muted: [{ t_start: 0.75, t_end: 2.25 }] },
    ...{ verified: true, notes: [] },
  };
  const secrets = [
    { kind: 'card' as const, words: ['4242', '4242', '4242', '4242'], digits: '4242424242424242' },
    { kind: 'name' as const, words: ['hargreaves'], digits: '' },
  ];
  const redaction = { report, secrets, isSaidIn: () => false };
  const playback = { ...end.playback!, recording: TONED };
  write(response, [...lines.slice(0, -1), isRedacted ? { ...end, playback, redaction } : end]);
  response.end();
};
