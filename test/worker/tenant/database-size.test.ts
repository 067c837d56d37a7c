import { expect, it } from 'vitest';
import { DatabaseSize } from '../../../src/worker/tenant/database-size.ts';

const HOUR_MS = 3_600_000;

it('warns from 60 % on, at most once an hour', () => {
  let bytes = 5_999_999_999;
  const size = new DatabaseSize(() => bytes);
  expect(size.takeWarning(0)).toBeNull();
  bytes = 6_000_000_000;
  expect(size.takeWarning(1)).toBe(0.6);
  expect(size.takeWarning(HOUR_MS)).toBeNull();
  bytes = 6_500_000_000;
  expect(size.takeWarning(HOUR_MS + 1)).toBe(0.65);
});

it('refuses from 90 % on by name, with the limit and the remedy', () => {
  let bytes = 8_999_999_999;
  const size = new DatabaseSize(() => bytes);
  expect(size.refusal()).toBeNull();
  bytes = 9_000_000_000;
  expect(size.refusal()).toEqual({
    ok: false,
    code: 'STORAGE_FULL',
    detail:
      'The database of this tenant is 90 % full; it takes no new recordings from 90 % of 10 GB on: delete conversations, or ask the operator',
  });
});
