import { expect, it } from 'vitest';
import { speakerName } from '../../src/dashboard/lib/speaker-names.ts';
import { pieceOfPlace } from '../../src/dashboard/pages/shelf/pieces.ts';

it.each([
  ['Speaker_0', undefined, 'Speaker A'],
  ['Speaker_9', undefined, 'Speaker 10'],
  ['Speaker_2', 1, 'Speaker B'],
  ['Speaker_x', undefined, 'Speaker_x'],
  ['Anna', 3, 'Anna'],
])('%s at place %s is %s', (speaker, place, name) => {
  expect(speakerName(speaker, place)).toBe(name);
});

it('a quote names its speaker as the page of the conversation does', () => {
  const place = {
    conversation_id: 'c',
    title: 'Call',
    recorded_at: '',
    recorded_at_source: 'given' as const,
    quote: 'Yes',
    t_start: 0,
    t_end: 1,
  };
  expect(pieceOfPlace(place, 'k', 'Speaker_1').speaker).toBe('Speaker B');
  expect(pieceOfPlace(place, 'k', null).speaker).toBeNull();
});
