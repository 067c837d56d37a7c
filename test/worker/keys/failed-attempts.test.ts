import { expect, it } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { FailedAttempts } from '../../../src/worker/keys/failed-attempts.ts';

it('makes an address with too many failures wait for the end of the minute, and no other', () => {
  const brake = new FailedAttempts(2);
  for (let i = 0; i < 2; i++) {
    brake.requireLeft('a', 61_000);
    brake.count('a', 61_000);
  }
  expect(() => brake.requireLeft('a', 100_000)).toThrow(ServiceError);
  try {
    brake.requireLeft('a', 100_000);
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 20 });
  }
  brake.requireLeft('b', 100_000);
  brake.requireLeft('a', 120_000);
});

it('is not filled by addresses', () => {
  const brake = new FailedAttempts(1);
  for (let i = 0; i < 30_000; i++) brake.count(`address-${i}`, 0);
  brake.requireLeft('address-0', 0);
  expect(() => brake.requireLeft('address-29999', 0)).toThrow(ServiceError);
});
