import { expect } from 'vitest';
import type { IssuedKey } from '../../src/contract/keys.ts';
import { form, type TestService } from '../../support/service-under-test.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The reachable data of one tenant. */
export interface Victim {
  tenant: string;
  key: IssuedKey;
  /** A key that may be changed, rotated and revoked. */
  spare: IssuedKey;
  session: string;
  conversation: string;
  upload: string;
  webhook: string;
  rule: string;
  person: string;
  commitment: string;
  playlist: string;
  item: string;
  view: string;
  share: string;
  hold: string;
  comment: string;
  delivery: string;
}

export const recording = () => form('call.wav', 'media');
export const asOwner = ({ key }: Victim) => ({ 'X-API-Key': key.key });
/** The bytes of an upload's one part. */
export const MEDIA = 'media';

/** An upload that waits for its one part. */
export async function newUpload(
  service: TestService,
  of: Victim,
  options: { presigned?: boolean } = {},
): Promise<{ upload: string }> {
  const asked = JSON.stringify({ filename: 'call.wav', bytes: MEDIA.length, ...options });
  const opened = await service.post('/uploads', asked, { ...asOwner(of), ...JSON_TYPE });
  return { upload: ((await opened.json()) as { id: string }).id };
}

/** An upload that has its one part. */
export async function wholeUpload(service: TestService, of: Victim): Promise<{ upload: string }> {
  const { upload } = await newUpload(service, of);
  const url = new URL(`/uploads/${upload}/parts/1`, service.url);
  expect((await fetch(url, { method: 'PUT', headers: asOwner(of), body: MEDIA })).status).toBe(200);
  return { upload };
}

export async function newWebhook(service: TestService, of: Victim): Promise<{ webhook: string }> {
  const asked = JSON.stringify({ url: `${service.pipeline.url}/hook` });
  const made = await service.post('/webhooks', asked, { ...asOwner(of), ...JSON_TYPE });
  return { webhook: ((await made.json()) as { id: string }).id };
}

export const WHEN = { said: { phrases: ['price'] } };

export async function newRule(service: TestService, of: Victim): Promise<{ rule: string }> {
  const made = await service.post('/rules', JSON.stringify({ name: 'Price', when: WHEN }), {
    ...asOwner(of),
    ...JSON_TYPE,
  });
  return { rule: ((await made.json()) as { id: string }).id };
}

export async function newPerson(service: TestService, of: Victim): Promise<{ person: string }> {
  const made = await service.post('/people', JSON.stringify({ name: 'Ann' }), { ...asOwner(of), ...JSON_TYPE });
  return { person: ((await made.json()) as { id: string }).id };
}

export async function newPlaylist(service: TestService, of: Victim): Promise<{ playlist: string; item: string }> {
  const headers = { ...asOwner(of), ...JSON_TYPE };
  const made = await service.post('/playlists', JSON.stringify({ name: 'Best' }), headers);
  const { id: playlist } = (await made.json()) as { id: string };
  const piece = JSON.stringify({ conversation_id: of.conversation, from: 0, to: 1 });
  const added = await service.post(`/playlists/${playlist}/items`, piece, headers);
  return { playlist, item: ((await added.json()) as { id: string }).id };
}

export async function newView(service: TestService, of: Victim): Promise<{ view: string }> {
  const asked = JSON.stringify({ name: `Price ${crypto.randomUUID()}`, page: 'patterns', query: 'q=price' });
  const made = await service.post('/views', asked, { ...asOwner(of), ...JSON_TYPE });
  return { view: ((await made.json()) as { id: string }).id };
}

export async function newShare(service: TestService, of: Victim): Promise<{ share: string }> {
  const asked = JSON.stringify({ conversation_id: of.conversation });
  const made = await service.post('/shares', asked, { ...asOwner(of), ...JSON_TYPE });
  return { share: ((await made.json()) as { id: string }).id };
}

export async function newHold(service: TestService, of: Victim): Promise<{ hold: string }> {
  const asked = JSON.stringify({ filter: { label: 'kept' }, reason: 'Dispute' });
  const made = await service.post('/holds', asked, { ...asOwner(of), ...JSON_TYPE });
  return { hold: ((await made.json()) as { id: string }).id };
}

/** A conversation on hold. */
export async function newHeld(service: TestService, of: Victim): Promise<{ conversation: string }> {
  const made = await newConversation(service, of);
  const held = await fetch(new URL(`/conversations/${made.conversation}/hold`, service.url), {
    method: 'PUT',
    headers: { ...asOwner(of), ...JSON_TYPE },
    body: JSON.stringify({ reason: 'Dispute' }),
  });
  expect(held.status).toBe(200);
  return made;
}

export async function newComment(service: TestService, of: Victim): Promise<{ comment: string }> {
  const path = `/conversations/${of.conversation}/comments`;
  const made = await service.post(path, JSON.stringify({ at: 0, text: 'here' }), { ...asOwner(of), ...JSON_TYPE });
  return { comment: ((await made.json()) as { comment_id: string }).comment_id };
}

/** An analysed conversation, to be removed or analysed again. */
export async function newConversation(service: TestService, of: Victim): Promise<{ conversation: string }> {
  const answer = await service.post('/analyze', recording(), asOwner(of));
  return { conversation: ((await answer.json()) as { conversation_id: string }).conversation_id };
}

/** An analysis in the background. */
export async function newJob(service: TestService, of: Victim): Promise<{ conversation: string }> {
  const answer = await service.post('/analyze', recording(), { ...asOwner(of), Prefer: 'respond-async' });
  return { conversation: ((await answer.json()) as { conversation_id: string }).conversation_id };
}

export async function newTenant(service: TestService): Promise<{ tenant: string }> {
  const made = await service.admin('POST', '/tenants', { name: 'goes' });
  return { tenant: ((await made.json()) as { id: string }).id };
}

/** A key that may be changed, rotated and revoked. */
export const newSpare = async (service: TestService, { tenant }: Victim) => ({
  spare: await service.issue({ tenant }),
});
