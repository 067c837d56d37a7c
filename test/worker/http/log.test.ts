import { expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import { logFault } from '../../../src/worker/http/errors.ts';
import { ClientGone } from '../../../src/worker/pipeline/pipeline.ts';

it.each([
  ['a client that has left', new ClientGone(), 'warn'],
  ['a request that is refused', new ServiceError('INVALID_MEDIA'), 'warn'],
  ['a fault of the service', new ServiceError('ANALYSIS_FAILURE'), 'error'],
] as const)('%s is logged with the right level, so that an alarm on errors rings for faults', (_, error, level) => {
  const lines: string[] = [];
  for (const name of ['warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line: string) => void lines.push(`${name} ${line}`));
  logFault(error, { request_id: 'r-1' });
  vi.restoreAllMocks();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${level} {"level":"${level}".*"request_id":"r-1"`));
});
