import { expect, it } from 'vitest';
import { ERROR_CODES, ERRORS, quoted, ServiceError } from '../../src/contract/errors.ts';

it('has every code of the specification with its status', () => {
  const statuses = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
  expect(statuses).toMatchObject({
    NO_UTTERANCES: 400,
    FILE_TOO_LARGE: 400,
    INVALID_KEY: 401,
    ANALYSIS_FAILURE: 500,
    LIVE_ASR_FAILURE: 500,
    STREAM_FAILURE: 500,
  });
});

it('uses the exact messages of the specification', () => {
  expect(ERRORS.INVALID_KEY.detail).toBe('Invalid or missing API key');
  expect(ERRORS.NO_UTTERANCES.detail).toBe('No utterances detected in uploaded media');
  expect(ERRORS.UNKNOWN_SESSION.detail).toBe('Unknown live session');
  expect(ERRORS.CONSUMER_ATTACHED.detail).toBe('Only one SSE consumer may be attached to a live session at a time');
  expect(ERRORS.LIVE_DISABLED.detail).toBe('Live capture is disabled on this deployment');
  expect(ERRORS.SESSION_FINALIZED.detail).toBe('Session already finalized');
});

it('gives an error its status and its default detail', () => {
  for (const code of ERROR_CODES) {
    const error = new ServiceError(code);
    expect(error.status).toBe(ERRORS[code].status);
    expect(error.detail).not.toBe('');
  }
});

it("shortens a client's words", () => {
  expect(quoted('short')).toBe('short');
  expect(quoted('x'.repeat(1000)).length).toBeLessThan(50);
  expect(new ServiceError('INVALID_REQUEST', 'x'.repeat(10_000)).detail.length).toBeLessThan(500);
});

it('does not show the cause of an error', () => {
  const error = new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the pipeline stopped', {
    cause: new Error('secret'),
  });
  expect(error.detail).not.toContain('secret');
  expect((error.cause as Error).message).toBe('secret');
});
