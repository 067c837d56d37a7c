import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN_TOKEN, type TestService } from '../../support/service-under-test.ts';
import {
  DEVICES,
  isTaken,
  openWindow,
  settle,
  shoot,
  shootForced,
  shootInWindows,
  shootPaper,
  shootSights,
  shootWhole,
  THEMES,
  type WindowName,
} from './camera.ts';
import type { Filled } from './filled-service.ts';

// Every page with data, without any, while it opens, without a connection, with a key that is not valid, and with a
// key that may not read. Pages that ask nothing of the service until the user acts have no state of opening.

interface Scene {
  path: (of: Filled) => string;
  /** Selector of an element that is present once the page with data is ready. */
  ready: string;
  /** The person who opens it. `all`: anyone who has the address. */
  who?: 'operator' | 'all';
  /** Whether it sends no request of its own, or shows nothing of the service at all. */
  isQuiet?: boolean;
  isStatic?: boolean;
  /** Whether it is also taken without colours, and as a deuteranope sees it. */
  hasSights?: boolean;
  /** Whether it also exists without data. */
  hasEmpty?: boolean;
  act?: (page: Page) => Promise<unknown>;
}

const EMPTY = '.empty, .totals, .score, .ops';
const SCENES: Readonly<Record<string, Scene>> = {
  conversations: { path: () => '/app', ready: '[data-row]', hasEmpty: true },
  selection: {
    path: () => '/app',
    ready: '[data-row]',
    act: async (page) => {
      for (const i of [0, 1]) await page.locator('tbody .pick input').nth(i).check();
    },
  },
  failed: { path: () => '/app?status=failed', ready: '[data-row]' },
  conversation: { path: ({ conversation }) => `/app/conversations/${conversation}`, ready: '.summary .line' },
  patterns: { path: () => '/app/patterns', ready: '.shelf li', hasEmpty: true, hasSights: true },
  months: { path: () => '/app/patterns?weeks=26', ready: '.shelf li' },
  commitments: { path: () => '/app/commitments', ready: '.owed .due', hasEmpty: true },
  people: { path: () => '/app/people', ready: '.lists', hasEmpty: true },
  person: { path: ({ person }) => `/app/people/${person}`, ready: '.timing' },
  rules: { path: () => '/app/rules', ready: '.rules2', hasEmpty: true },
  rule: {
    path: ({ rule }) => `/app/rules/${rule}`,
    ready: '.rule1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Try the rule' }).click();
      const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
      for (const [i, thumb] of [/^Right/, /^Right/, /^Wrong/, /^Wrong/, /^Wrong/].entries()) {
        const given = hits.nth(i).getByRole('button', { name: thumb });
        if ((await given.getAttribute('aria-pressed')) !== 'true') await given.click();
      }
    },
  },
  'new-rule': { path: () => '/app/rules/new', ready: '.rule1', isQuiet: true },
  receipts: { path: () => '/app/receipts', ready: '.ops table', hasEmpty: true },
  webhooks: { path: () => '/app/webhooks', ready: '.ops + .ops table', hasEmpty: true },
  'webhooks-add': {
    path: () => '/app/webhooks',
    ready: '.ops table',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.locator('input[name="url"]').fill('http://crm.internal/undertone');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  },
  'webhooks-secret': {
    path: () => '/app/webhooks',
    ready: '.ops table',
    act: async (page) => {
      const [url, secret] = ['https://example.com/undertone', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwoi6E9VrZ0Xs='];
      const made = { id: 'new', url, events: ['analysis.completed'], is_enabled: true, created_at: new Date() };
      // Every picture would add one. The page loads the list once it is there.
      await page.route(
        (address) => address.pathname === '/webhooks',
        async (route) => {
          if (route.request().method() === 'POST') return route.fulfill({ status: 201, json: { ...made, secret } });
          const list = (await (await route.fetch()).json()) as { webhooks: unknown[] };
          return route.fulfill({ json: { webhooks: [...list.webhooks, made] } });
        },
      );
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.locator('input[name="url"]').fill(url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.locator('.kk').waitFor();
      await page.locator(`td[title="${url}"]`).waitFor();
    },
  },
  'webhooks-change': {
    path: () => '/app/webhooks',
    ready: '.ops table',
    act: (page) => page.getByRole('button', { name: 'Change' }).first().click(),
  },
  playlists: { path: () => '/app/playlists', ready: '.lists', hasEmpty: true },
  playlist: { path: ({ playlist }) => `/app/playlists/${playlist}`, ready: '.shelf li' },
  'shared-playlist': { path: ({ sharedPlaylist }) => sharedPlaylist, ready: '.shelf li', who: 'all' },
  'shared-conversation': { path: ({ sharedConversation }) => sharedConversation, ready: '.summary .line', who: 'all' },
  compare: { path: ({ conversation, other }) => `/app/compare?a=${conversation}&b=${other}`, ready: '.cmpt' },
  'compare-nothing': { path: () => '/app/compare', ready: '.head', isStatic: true },
  analyse: { path: () => '/app/analyse', ready: '.drop', isQuiet: true },
  live: { path: () => '/app/live', ready: '.begin', isQuiet: true },
  'sign-in': { path: () => '/app/sign-in', ready: '.sign', isQuiet: true },
  'sign-in-first': { path: () => '/app/sign-in', ready: '.sign', isQuiet: true, who: 'all' },
  nowhere: { path: () => '/app/nowhere', ready: '.head', isStatic: true },
  keys: { path: ({ tenant }) => `/app/keys?tenant=${tenant}`, ready: '.kt td[data-name]', who: 'operator' },
  members: { path: ({ tenant }) => `/app/keys?section=members&tenant=${tenant}`, ready: '.members', who: 'operator' },
  settings: { path: ({ tenant }) => `/app/keys?section=settings&tenant=${tenant}`, ready: '.tenant', who: 'operator' },
  data: { path: ({ tenant }) => `/app/keys?section=data&tenant=${tenant}`, ready: '.tenant', who: 'operator' },
  'tenant-delete': {
    path: ({ tenant }) => `/app/keys?section=data&tenant=${tenant}`,
    ready: '.tenant',
    who: 'operator',
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete the tenant' }).click();
      await page.getByLabel('to delete it', { exact: false }).fill('Platinum Motors');
      await page.getByRole('button', { name: 'Delete it for good' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  'tenant-deleted': {
    path: ({ tenant }) => `/app/keys?section=data&tenant=${tenant}`,
    ready: '.tenant',
    who: 'operator',
    act: async (page) => {
      // The other pictures need the tenant.
      const deleted = { deleted_at: new Date().toISOString(), objects: 412, bytes: 52_428_800 };
      await page.route(/\/tenants\/\w+$/, (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ json: deleted }) : route.continue(),
      );
      await page.getByRole('button', { name: 'Delete the tenant' }).click();
      await page.getByLabel('to delete it', { exact: false }).fill('Platinum Motors');
      await page.getByRole('button', { name: 'Delete it for good' }).click();
      await page.locator('.once').waitFor();
    },
  },
  operations: { path: () => '/app/operations', ready: '.tiles', who: 'operator' },
};

export interface PageAsked {
  service: TestService;
  browser: Browser;
  filled: Filled;
  /** Whether pictures of this page are taken. */
  isNamed: (name: string) => boolean;
}

/** Takes all pictures of all pages. */
export async function takePages(asked: PageAsked): Promise<void> {
  const scenes = Object.entries(SCENES).filter(([name]) => asked.isNamed(name));
  if (scenes.length === 0) return;
  await takeFull(asked, scenes);
  for (const [name, scene] of scenes) await takeStates(asked, name, scene);
}

type Named = [name: string, scene: Scene];

async function takeFull(asked: PageAsked, scenes: readonly Named[]): Promise<void> {
  for (const device of DEVICES)
    for (const theme of THEMES) {
      if (!isTaken(device, theme)) continue;
      const signedIn = await openWindow(asked.browser, device, theme);
      const page = await arrive(asked, signedIn, asked.filled.key);
      await signInOperator(page, asked);
      const stranger = await openWindow(asked.browser, device, theme);
      const other = await stranger.newPage();
      for (const [name, scene] of scenes)
        await takeOne(asked, scene.who === 'all' ? other : page, scene, {
          picture: `${name}-${device}-${theme}`,
          device,
        });
      await signedIn.close();
      await stranger.close();
    }
}

async function takeOne(
  { service, filled }: PageAsked,
  page: Page,
  { path, ready, act, hasSights }: Scene,
  { picture, device }: { picture: string; device: WindowName },
): Promise<void> {
  await page.goto(service.url.origin + path(filled));
  await page.locator(ready).first().waitFor({ state: 'attached', timeout: 60_000 });
  await act?.(page);
  await settle(page);
  await shoot(page, picture);
  await shootWhole(page, picture);
  if (device !== 'desktop') return;
  await shootForced(page, picture);
  if (hasSights) await shootSights(page, picture.replace('-desktop-', '-*-'));
  if (picture.endsWith('light')) await shootPaper(page, picture);
}

/** Opens the pages of a person who is signed in with a key. */
async function arrive({ service }: PageAsked, context: BrowserContext, key: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${service.url.origin}/app/sign-in#key=${key}`);
  await page.getByText('Signed in with a key').waitFor();
  return page;
}

async function signInOperator(page: Page, { service }: PageAsked): Promise<void> {
  await page.goto(`${service.url.origin}/app/sign-in`);
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await page.locator('main table, .empty').first().waitFor();
}

/** Pictures of a page without its data. */
async function takeStates(asked: PageAsked, name: string, scene: Scene): Promise<void> {
  const { service, browser, filled } = asked;
  const address = service.url.origin + scene.path(filled);
  const isApi = (url: URL): boolean => !/^\/(app|assets)(\/|$)/.test(url.pathname);
  const inState = async (state: string, take: (page: Page) => Promise<unknown>, key = filled.key): Promise<void> => {
    for (const theme of THEMES) {
      const context = await openWindow(browser, 'desktop', theme);
      const page = scene.who === 'all' ? await context.newPage() : await arrive(asked, context, key);
      if (scene.who === 'operator') await signInOperator(page, asked);
      await take(page);
      await shootInWindows(page, `${name}-${state}`, theme);
      await context.close();
    }
  };
  if (scene.act || scene.isStatic) return;
  if (!scene.isQuiet)
    await inState('loading', async (page) => {
      await page.route(isApi, () => undefined);
      await page.goto(address);
      await page.locator('.sk, .head').first().waitFor();
    });
  await inState('offline', async (page) => {
    await page.route(isApi, (route) => route.abort('internetdisconnected'));
    await page.goto(address);
    await page.getByRole('alert').first().waitFor();
  });
  if (scene.who === 'all') return;
  await inState('bad-key', async (page) => {
    await page.context().clearCookies();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto('about:blank');
    await page.goto(`${address}#key=no-such-key`);
    await page.getByRole('alert').first().waitFor();
  });
  if (scene.who === 'operator' || scene.isQuiet) return;
  const { key: mayNotRead } = await service.issue({ tenant: filled.tenant, label: 'Recorder', scopes: ['live'] });
  await inState(
    'not-allowed',
    async (page) => {
      await page.goto(address);
      await page.getByRole('alert').first().waitFor();
    },
    mayNotRead,
  );
  if (!scene.hasEmpty) return;
  const made = await service.admin('POST', '/tenants', { name: 'A new tenant' });
  const { key: newcomer } = await service.issue({ tenant: ((await made.json()) as { id: string }).id });
  await inState(
    'empty',
    async (page) => {
      await page.goto(address);
      await page.locator(EMPTY).first().waitFor();
    },
    newcomer,
  );
}
