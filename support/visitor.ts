import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Runs axe on a page. The pages have no frames from other origins, so the cheaper mode without a second page finds the
 * same.
 */
export const axeOf = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });

/** The visible text, without hidden parts. */
// biome-ignore lint/performance/useDomNodeTextContent: what is laid out is what is asked for
export const shownText = (place: Locator): Promise<string> => place.innerText();

export interface VisitorOptions {
  theme?: 'light' | 'dark';
  width?: number;
}

/** A person who uses the pages. Every fault in the meantime is recorded. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #origin: string;
  /** Console and page errors, policy violations, and requests to other origins. */
  readonly faults: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(origin: string, context: BrowserContext, page: Page) {
    this.#origin = origin;
    this.context = context;
    this.page = page;
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`${message.text()} ${message.location().url.split('?')[0]}`);
    });
    page.on('pageerror', (error) => this.faults.push(`${error.message}\n${error.stack}`));
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && !['blob:', 'data:'].includes(protocol)) this.faults.push(`asked ${request.url()}`);
    });
  }

  static async arrive(browser: Browser, origin: string, options: VisitorOptions = {}): Promise<Visitor> {
    const { theme = 'light', width = 1440 } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height: width < 500 ? 844 : 900 },
      permissions: ['clipboard-read', 'clipboard-write', 'microphone'],
      reducedMotion: 'reduce',
    });
    return new Visitor(origin, context, await context.newPage());
  }

  /** Announces faults that a test causes itself and the console reports, such as an error status. */
  expects(...faults: RegExp[]): void {
    this.#expected.push(...faults);
  }

  unexpected(): string[] {
    return this.faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  goTo(path: string): Promise<unknown> {
    return this.page.goto(`${this.#origin}${path}`);
  }

  /** Accessibility violations: the rule and where it is broken. */
  async violations(): Promise<string[]> {
    const { violations } = await axeOf(this.page).withTags(WCAG).analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }

  /** Whether any content is wider than the window. */
  overflows(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}
