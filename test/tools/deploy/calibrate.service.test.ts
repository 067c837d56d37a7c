import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CalibrationSchema } from '../../../bench/calibration/calibration.ts';
import { DeployedService } from '../../../scripts/deploy/deployed-service.ts';
import { startProcess } from '../../../support/started.ts';
import { type Stack, startStack } from '../../../support/whole-service.ts';

const ADMIN_TOKEN = 'test-admin-token-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'undertone-calibration-'));
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ ADMIN_TOKEN, KEY_PEPPER: 'test-pepper-0123456789abcdef' });
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

it('a running service is measured under a tenant that is removed afterwards', async () => {
  const out = join(folder, 'calibration.json');
  const options = ['--url', String(stack.url), '--out', out, '--short', '--json'];
  // Without the evaluation data, so that the fixture is spoken.
  const command = startProcess(['bench/calibrate.ts', ...options], { ADMIN_TOKEN, EVAL_DATA: folder });
  expect(await command.ended, command.lines.join('\n')).toBe(0);
  const found = CalibrationSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  expect(found.recogniser).toBe('moonshine-tiny');
  expect(found.live[0]).toMatchObject({ sessions: 1, instances: 1, finals: expect.any(Number) });
  expect(found.live[0]!.finals).toBeGreaterThan(0);
  // The pipeline is a process.
  expect([found.start_s, found.containers.hours]).toEqual([[], 0]);
  const service = new DeployedService(String(stack.url), ADMIN_TOKEN, fetch);
  expect((await service.pool()).instances).toHaveLength(1);
  const tenants = await fetch(new URL('/tenants', stack.url), { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } });
  expect(JSON.stringify(await tenants.json())).not.toContain('Calibration');
});

it('the exit status is 2 without the operator’s secret', async () => {
  const command = startProcess(['bench/calibrate.ts', '--url', String(stack.url)], { ADMIN_TOKEN: '' });
  expect(await command.ended).toBe(2);
});
