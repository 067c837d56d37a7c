import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser } from './browser.ts';
import { SPOKEN, sayEverything } from './fake-pipeline.ts';
import { form, KEY, startService, type TestService } from './service-under-test.ts';
import { Visitor, type VisitorOptions } from './visitor.ts';

export const CALL = join(import.meta.dirname, '../test/fixtures/call.wav');
/** The last words of the fake pipeline's conversation. */
export const LAST = SPOKEN.at(-1)!;

/** The built pages, served by the real Worker with a fake pipeline, and their visitors. */
class DashboardUnderTest {
  service!: TestService;
  browser!: Browser;
  readonly visitors: Visitor[] = [];

  /** @param options `origin` if it is not the service's own */
  async arrive({
    origin = this.service.url.origin,
    ...options
  }: VisitorOptions & { origin?: string } = {}): Promise<Visitor> {
    const visitor = await Visitor.arrive(this.browser, origin, options);
    this.visitors.push(visitor);
    return visitor;
  }

  /** Opens a page for a visitor who is signed in with a key. */
  async at(path: string, options: VisitorOptions & { key?: string } = {}): Promise<Visitor> {
    const visitor = await this.arrive(options);
    await visitor.goTo(`${path}#key=${options.key ?? KEY}`);
    return visitor;
  }

  /** Asks the service for JSON under the key of the tests. @param body sent as JSON, by POST unless `method` says otherwise */
  async asked<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
    const answer = await fetch(new URL(path, this.service.url), {
      method,
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return (await answer.json()) as T;
  }

  /** Creates a conversation under a key, without using the pages. */
  async analysed(key = KEY): Promise<string> {
    const answer = await this.service.post('/analyze', form('call.wav', readFileSync(CALL)), { 'X-API-Key': key });
    return ((await answer.json()) as { conversation_id: string }).conversation_id;
  }
}

/**
 * One service and one browser for the tests of a file. Fails after each test if a page had faults other than those that
 * the test announced.
 * @param vars settings of the Worker
 */
export function dashboardUnderTest(vars: Record<string, string> = {}): DashboardUnderTest {
  const dashboard = new DashboardUnderTest();
  beforeAll(async () => {
    dashboard.service = await startService(vars);
    dashboard.browser = await openBrowser();
  });
  afterAll(async () => {
    await dashboard.browser?.close();
    await dashboard.service?.stop();
  });
  afterEach(async () => {
    dashboard.service.pipeline.answer = sayEverything;
    const visitors = dashboard.visitors.splice(0);
    await Promise.all(visitors.map((visitor) => visitor.leave()));
    expect(visitors.flatMap((visitor) => visitor.unexpected())).toEqual([]);
  });
  return dashboard;
}
