import { Undertone } from '../../src/sdk/index.ts';
import { linesOf, sayError, sayEverything, sayHalf, write } from '../../support/fake-pipeline.ts';
import { make, RECORDING } from '../../support/made-conversations.ts';
import { form, type TestService } from '../../support/service-under-test.ts';

// A service with enough stored that no page is empty: conversations of nine weeks, failed and running ones, people,
// commitments, rules, playlists, views, receipts, webhooks, keys and members.

const DAY_MS = 86_400_000;
const before = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Titles of the sales calls, newest first. Two have the same. */
const TITLES = [
  'Demo call with Baker & Sons',
  'Demo call with Baker & Sons',
  'Follow-up with the Northwestern Association of Independent Automobile Dealers and Repair Shops',
  'Renewal, Hansen Logistics',
  'First call, Café Odeon',
] as const;
/** Age of each sales call, days. The last week has enough for a median. */
const AGES = [1, 2, 2, 3, 3, 4, 4, 5, 5, 9, 12, 20, 33, 47] as const;
const PROMISES = [
  'Hello, thanks for calling, how can I help with the contract?',
  "I'll send you the signed contract by Friday.",
  'Great, thank you very much. Please call the supplier about the discount as soon as possible.',
  'Sure, I will do that.',
  'When can the training start for the new team?',
  "I don't know that yet.",
  "We'll install the new software for your team next Tuesday at ten.",
  'Perfect, that suits us.',
] as const;

/** The ids that the addresses of pages need. */
export interface Filled {
  key: string;
  tenant: string;
  conversation: string;
  /** Another one of the same title. */
  other: string;
  person: string;
  rule: string;
  playlist: string;
  /** Paths of shared links, with their tokens. */
  sharedPlaylist: string;
  sharedConversation: string;
}

export async function fill(service: TestService): Promise<Filled> {
  const made = await service.admin('POST', '/tenants', { name: 'Platinum Motors' });
  const { id: tenant } = (await made.json()) as { id: string };
  const { key } = await service.issue({ tenant, label: 'CRM import' });
  const client = new Undertone({ url: service.url.origin, key });
  // No server listens at these addresses, so every message waits for its next attempt.
  await client.webhooks.create({ url: 'https://crm.example.com/undertone', events: ['analysis.completed'] });
  const long = 'https://notifications.the-northern-region-of-platinum-motors.example.com/v2/receivers/undertone';
  await client.webhooks.create({ url: `${long}?source=conversations&team=quality-assurance` });
  const ada = await client.people.create({ name: 'Ada Berg', role: 'agent' });
  const others = ['Dr. Annegret Freifrau von Hohenstein-Lilienthal', 'Michelle', '山田 太郎'];
  for (const name of others) await client.people.create({ name, role: 'customer' });
  const calls: string[] = [];
  for (const [i, age] of AGES.entries()) {
    const id = await make(service, 'two-people', key, { recorded_at: before(age) });
    calls.push(id);
    const labels = i % 3 === 0 ? ['northern region', 'to review'] : [];
    await client.conversations.edit(id, { title: TITLES[i % TITLES.length]!, labels, people: { Speaker_0: ada.id } });
  }
  await make(service, 'eight-people', key, { recorded_at: before(6) });
  await make(service, 'one-person', key, { recorded_at: before(8) });
  // Its receipt is listed.
  await client.conversations.delete(await make(service, 'one-person', key));
  await promise(service, key);
  await fail(service, key, calls.at(-1)!);
  await manageKeys(service, tenant);
  const conversation = calls[0]!;
  const rule = await writeRules(client);
  const { playlist, shared } = await collect(client, calls);
  await client.views.create({ page: 'conversations', name: 'To review', query: 'label=to+review' });
  await client.holds.set(calls[3]!, { reason: 'Complaint 2026-117' });
  const link = await client.shares.create({ conversation_id: conversation, label: 'For the board' });
  return {
    ...{ key, tenant, conversation, other: calls[1]!, person: ada.id, rule, playlist },
    sharedPlaylist: shared,
    sharedConversation: link.path,
  };
}

/** Two calls in which somebody promises something: one whose days have passed, and one of today. */
async function promise(service: TestService, key: string): Promise<void> {
  for (const age of [21, 0]) {
    service.pipeline.answer = (response, { options }) => {
      write(response, linesOf(options.conversation_id, PROMISES));
      response.end();
    };
    await service.post('/analyze', form('contract call.wav', RECORDING, { recorded_at: before(age) }), {
      'X-API-Key': key,
    });
  }
  service.pipeline.answer = sayEverything;
}

/** A file that is not audio, one without speech, and an analysis that is still running. */
async function fail(service: TestService, key: string, id: string): Promise<void> {
  const headers = { 'X-API-Key': key };
  await make(service, 'failed-job', key);
  service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
  await service.post('/analyze', form('waiting room.wav', RECORDING), headers);
  service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'The pipeline failed');
  await fetch(new URL(`/conversations/${id}/reanalyze`, service.url), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: '{}',
  });
  service.pipeline.answer = sayHalf;
  await service.post('/analyze', form('still running.wav', RECORDING), { ...headers, Prefer: 'respond-async' });
}

async function manageKeys(service: TestService, tenant: string): Promise<void> {
  const soon = new Date(Date.now() + 3 * DAY_MS).toISOString();
  await service.issue({ tenant, label: 'The nightly report of the northern region', expires_at: soon });
  const { id } = await service.issue({ tenant, label: 'Old CRM' });
  await service.admin('DELETE', `/keys/${id}`);
  const { id: rotated } = await service.issue({ tenant, label: 'Website' });
  await service.admin('POST', `/keys/${rotated}/rotate`, { overlap_seconds: 86_400 });
  for (const [email, role] of [
    ['anna.maria.von.hohenstein@example.com', 'manager'],
    ['berta@example.com', 'viewer'],
  ])
    await service.admin('PUT', `/members/${email}?tenant=${tenant}`, { role });
}

/** A rule that is on and one that is not. */
async function writeRules(client: Undertone): Promise<string> {
  const phrases = ['too expensive', 'price is too high', 'no budget'];
  const price = { said: { phrases, where: { first_share: 0.7 } } };
  const { id } = await client.rules.create({ name: 'The price is too high', when: price, is_enabled: true });
  const late = { moment: { categories: ['objection' as const], where: { last_seconds: 60 } } };
  await client.rules.create({ name: 'An objection in the last minute', when: { all: [price, late] } });
  return id;
}

async function collect(client: Undertone, calls: readonly string[]): Promise<{ playlist: string; shared: string }> {
  const { id } = await client.playlists.create('Price objections for Monday');
  await client.playlists.create('To be filled');
  for (const [i, call] of calls.slice(0, 3).entries())
    await client.playlists.add(id, {
      conversation_id: call,
      from: 24 + 6 * i,
      to: 32 + 6 * i,
      note: i === 0 ? 'The pause before the answer' : '',
    });
  const { path } = await client.playlists.share(id, { days: 7, label: 'Team' });
  return { playlist: id, shared: path };
}
