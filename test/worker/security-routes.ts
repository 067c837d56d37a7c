import { expect } from 'vitest';
import { ADMIN_TOKEN, type TestService } from '../../support/service-under-test.ts';
import {
  asOwner,
  JSON_TYPE,
  MEDIA,
  newComment,
  newConversation,
  newHeld,
  newHold,
  newJob,
  newPerson,
  newPlaylist,
  newRule,
  newShare,
  newSpare,
  newTenant,
  newUpload,
  newView,
  newWebhook,
  recording,
  type Victim,
  WHEN,
  wholeUpload,
} from './security-victim.ts';

/** One route, requested as its rightful caller does. */
export interface Asked {
  path: (target: Victim) => string;
  body?: () => BodyInit;
  json?: (target: Victim, service: TestService) => object;
  accept?: string;
  /** Recreates what the rightful caller uses up, so that the attacks find the earlier state. */
  renew?: (service: TestService, target: Victim) => Promise<Partial<Victim>>;
  /** Status of the rightful caller's answer: the victim's key, or the operator if that key may not. */
  rightful: number;
  /**
   * Status of the answer to another tenant's key with every scope; absent if the route reaches only the caller's own
   * data.
   */
  stranger?: number;
}

const chunk = (): FormData => {
  const body = new FormData();
  body.set('chunk_seq', '0');
  body.set('chunk', new File(['x'], 'c'));
  return body;
};
const utterance = { utterance_id: 'a', speaker: 'A', t_start: 0, t_end: 1, text: 'Hello there.' };

/** A route of one conversation. */
const ofConversation = (what: string, more: Partial<Asked> = {}): Asked => ({
  path: ({ conversation }) => `/conversations/${conversation}${what}`,
  rightful: 200,
  stranger: 404,
  ...more,
});

/** Every route of the service. A missing one fails the first test. */
export const ROUTES: Readonly<Record<string, Asked>> = {
  'GET /health': { path: () => '/health', rightful: 200 },
  'GET /ready': { path: () => '/ready', rightful: 200 },
  'GET /': { path: () => '/', rightful: 200 },
  'GET /app': { path: () => '/app', rightful: 200 },
  'GET /app/:page': { path: () => '/app/live', rightful: 200 },
  'GET /app/:page/:id': { path: ({ conversation }) => `/app/conversations/${conversation}`, rightful: 200 },
  'GET /welcome': { path: () => '/welcome', rightful: 200 },
  'GET /docs': { path: () => '/docs', rightful: 200 },
  'GET /docs/:page': { path: () => '/docs/live', rightful: 200 },
  'GET /llms.txt': { path: () => '/llms.txt', rightful: 200 },
  'GET /openapi.json': { path: () => '/openapi.json', rightful: 200 },
  'GET /schemas/:name': { path: () => '/schemas/events.json', rightful: 200 },
  'GET /receipts/keys': { path: () => '/receipts/keys', rightful: 200 },
  'POST /mcp': {
    path: () => '/mcp',
    json: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    accept: 'application/json, text/event-stream',
    rightful: 200,
  },
  'GET /metrics': { path: () => '/metrics', rightful: 200 },
  'POST /analyze': { path: () => '/analyze', body: recording, rightful: 200 },
  'POST /analyze/stream': { path: () => '/analyze/stream', body: recording, rightful: 200 },
  // No file is there.
  'POST /analyze/url': {
    path: () => '/analyze/url',
    json: (_, { pipeline }) => ({ url: `${pipeline.url}/nothing.wav` }),
    rightful: 400,
  },
  'POST /analyze/stream/url': {
    path: () => '/analyze/stream/url',
    json: (_, { pipeline }) => ({ url: `${pipeline.url}/nothing.wav` }),
    rightful: 400,
  },
  'POST /analyze/kept': {
    path: () => '/analyze/kept',
    json: ({ conversation }) => ({ conversation_id: conversation }),
    renew: newJob,
    rightful: 200,
    stranger: 404,
  },
  'POST /analyze/stream/kept': {
    path: () => '/analyze/stream/kept',
    json: ({ conversation }) => ({ conversation_id: conversation }),
    renew: newJob,
    rightful: 200,
    stranger: 404,
  },
  'POST /segment/conversation': {
    path: () => '/segment/conversation',
    json: () => ({ timeline: [utterance] }),
    rightful: 200,
  },
  'POST /analyze/live/start': { path: () => '/analyze/live/start', json: () => ({}), rightful: 200 },
  'POST /analyze/live/:session_id/chunk': {
    path: ({ session }) => `/analyze/live/${session}/chunk`,
    body: chunk,
    rightful: 200,
    stranger: 404,
  },
  'GET /analyze/live/:session_id/events': {
    path: ({ session }) => `/analyze/live/${session}/events`,
    rightful: 200,
    stranger: 404,
  },
  'POST /analyze/live/:session_id/control': {
    path: ({ session }) => `/analyze/live/${session}/control`,
    json: () => ({ action: 'keepalive' }),
    rightful: 200,
    stranger: 404,
  },
  'GET /conversations': { path: () => '/conversations', rightful: 200 },
  'GET /conversations/export': { path: () => '/conversations/export', rightful: 200 },
  'GET /conversations/:conversation_id': ofConversation(''),
  'GET /conversations/:conversation_id/record': ofConversation('/record'),
  'GET /conversations/:conversation_id/media': ofConversation('/media'),
  // The tenant keeps nothing.
  'GET /conversations/:conversation_id/unredacted': ofConversation('/unredacted', { rightful: 404 }),
  'GET /conversations/:conversation_id/unredacted/media': ofConversation('/unredacted/media', { rightful: 404 }),
  'GET /conversations/:conversation_id/levels': ofConversation('/levels'),
  'GET /conversations/:conversation_id/course': ofConversation('/course'),
  'GET /conversations/:conversation_id/events': ofConversation('/events'),
  'GET /conversations/:conversation_id/export': ofConversation('/export?format=txt'),
  'PATCH /conversations/:conversation_id': ofConversation('', {
    json: () => ({ title: 'Changed' }),
    renew: newConversation,
  }),
  'POST /conversations/:conversation_id/undo': ofConversation('/undo', {
    async renew(service, of) {
      const made = await newConversation(service, of);
      const changed = await fetch(new URL(`/conversations/${made.conversation}`, service.url), {
        method: 'PATCH',
        headers: { ...asOwner(of), ...JSON_TYPE },
        body: JSON.stringify({ title: 'Changed' }),
      });
      expect(changed.status).toBe(200);
      return made;
    },
  }),
  'POST /conversations/:conversation_id/feedback': ofConversation('/feedback', {
    json: ({ conversation }) => ({ utterance_id: `${conversation}_utt_0`, thumb: 'up' }),
  }),
  'GET /conversations/:conversation_id/comments': ofConversation('/comments'),
  'POST /conversations/:conversation_id/comments': {
    path: ({ conversation }) => `/conversations/${conversation}/comments`,
    json: () => ({ at: 0, text: 'here' }),
    rightful: 201,
    stranger: 404,
  },
  'PATCH /conversations/:conversation_id/comments/:comment_id': {
    path: ({ conversation, comment }) => `/conversations/${conversation}/comments/${comment}`,
    json: () => ({ text: 'there' }),
    renew: newComment,
    rightful: 200,
    stranger: 404,
  },
  'DELETE /conversations/:conversation_id/comments/:comment_id': {
    path: ({ conversation, comment }) => `/conversations/${conversation}/comments/${comment}`,
    renew: newComment,
    rightful: 204,
    stranger: 404,
  },
  'GET /conversations/:conversation_id/proposals': ofConversation('/proposals'),
  'POST /conversations/:conversation_id/reanalyze': ofConversation('/reanalyze', {
    json: () => ({ goal: 'again' }),
    renew: newConversation,
  }),
  'POST /conversations/:conversation_id/redact': ofConversation('/redact', {
    json: () => ({ kinds: ['card'] }),
    renew: newConversation,
  }),
  'DELETE /conversations/:conversation_id': ofConversation('', { renew: newConversation }),
  'POST /conversations/:conversation_id/cancel': ofConversation('/cancel'),
  'POST /uploads': { path: () => '/uploads', json: () => ({ filename: 'a.wav', bytes: 5 }), rightful: 201 },
  'GET /uploads/:upload_id': { path: ({ upload }) => `/uploads/${upload}`, rightful: 200, stranger: 404 },
  'PUT /uploads/:upload_id/parts/:number': {
    path: ({ upload }) => `/uploads/${upload}/parts/1`,
    body: () => MEDIA,
    renew: newUpload,
    rightful: 200,
    stranger: 404,
  },
  'POST /uploads/:upload_id/parts/:number': {
    path: ({ upload }) => `/uploads/${upload}/parts/1`,
    json: () => ({ etag: 'e' }),
    renew: (service, of) => newUpload(service, of, { presigned: true }),
    rightful: 200,
    stranger: 404,
  },
  'POST /uploads/:upload_id/complete': {
    path: ({ upload }) => `/uploads/${upload}/complete`,
    renew: wholeUpload,
    rightful: 200,
    stranger: 404,
  },
  'DELETE /uploads/:upload_id': {
    path: ({ upload }) => `/uploads/${upload}`,
    renew: newUpload,
    rightful: 204,
    stranger: 404,
  },
  'POST /webhooks': {
    path: () => '/webhooks',
    json: (_, { pipeline }) => ({ url: `${pipeline.url}/hook` }),
    rightful: 201,
  },
  'GET /webhooks': { path: () => '/webhooks', rightful: 200 },
  'PATCH /webhooks/:webhook_id': {
    path: ({ webhook }) => `/webhooks/${webhook}`,
    json: () => ({ events: ['analysis.completed'] }),
    rightful: 200,
    stranger: 404,
  },
  'POST /webhooks/:webhook_id/test': {
    path: ({ webhook }) => `/webhooks/${webhook}/test`,
    rightful: 202,
    stranger: 404,
  },
  'GET /webhooks/:webhook_id/deliveries': {
    path: ({ webhook }) => `/webhooks/${webhook}/deliveries`,
    rightful: 200,
    stranger: 404,
  },
  'POST /webhooks/:webhook_id/deliveries/:delivery_id/redeliver': {
    path: ({ webhook, delivery }) => `/webhooks/${webhook}/deliveries/${delivery}/redeliver`,
    rightful: 202,
    stranger: 404,
  },
  'DELETE /webhooks/:webhook_id': {
    path: ({ webhook }) => `/webhooks/${webhook}`,
    renew: newWebhook,
    rightful: 204,
    stranger: 404,
  },
  'POST /rules': {
    path: () => '/rules',
    json: () => ({ name: 'Price', when: WHEN }),
    rightful: 201,
  },
  'GET /rules': { path: () => '/rules', rightful: 200 },
  'POST /rules/try': { path: () => '/rules/try', json: () => ({ when: WHEN }), rightful: 200 },
  'GET /rules/:rule_id': { path: ({ rule }) => `/rules/${rule}`, rightful: 200, stranger: 404 },
  'PATCH /rules/:rule_id': {
    path: ({ rule }) => `/rules/${rule}`,
    json: () => ({ name: 'Other' }),
    renew: newRule,
    rightful: 200,
    stranger: 404,
  },
  'POST /rules/:rule_id/try': {
    path: ({ rule }) => `/rules/${rule}/try`,
    json: () => ({}),
    rightful: 200,
    stranger: 404,
  },
  'GET /rules/:rule_id/matches': { path: ({ rule }) => `/rules/${rule}/matches`, rightful: 200, stranger: 404 },
  'POST /rules/:rule_id/feedback': {
    path: ({ rule }) => `/rules/${rule}/feedback`,
    json: ({ conversation }) => ({
      conversation_id: conversation,
      utterance_id: `${conversation}_utt_0`,
      thumb: 'up',
    }),
    rightful: 204,
    stranger: 404,
  },
  'DELETE /rules/:rule_id': { path: ({ rule }) => `/rules/${rule}`, renew: newRule, rightful: 204, stranger: 404 },
  'GET /commitments': { path: () => '/commitments', rightful: 200 },
  'GET /commitments/export': { path: () => '/commitments/export?format=csv', rightful: 200 },
  'PATCH /commitments/:commitment_id': {
    path: ({ commitment }) => `/commitments/${commitment}`,
    json: () => ({ status: 'done' }),
    rightful: 200,
    stranger: 404,
  },
  'GET /moments': { path: () => '/moments', rightful: 200 },
  'GET /lines': { path: () => '/lines?q=price', rightful: 200 },
  'GET /moments/export': { path: () => '/moments/export?format=csv', rightful: 200 },
  'GET /lines/export': { path: () => '/lines/export?q=price&format=csv', rightful: 200 },
  'GET /trends': { path: () => '/trends?measure=pace', rightful: 200 },
  'GET /trends/export': { path: () => '/trends/export?measure=pace&format=csv', rightful: 200 },
  'POST /views': {
    path: () => '/views',
    json: () => ({ name: `Own ${crypto.randomUUID()}`, page: 'patterns', query: '' }),
    rightful: 201,
  },
  'GET /views': { path: () => '/views', rightful: 200 },
  'GET /views/:view_id': { path: ({ view }) => `/views/${view}`, rightful: 200, stranger: 404 },
  'PATCH /views/:view_id': {
    path: ({ view }) => `/views/${view}`,
    json: () => ({ query: 'q=cost' }),
    rightful: 200,
    stranger: 404,
  },
  'DELETE /views/:view_id': { path: ({ view }) => `/views/${view}`, renew: newView, rightful: 204, stranger: 404 },
  'POST /playlists': { path: () => '/playlists', json: () => ({ name: 'Best' }), rightful: 201 },
  'GET /playlists': { path: () => '/playlists', rightful: 200 },
  'GET /playlists/:playlist_id': { path: ({ playlist }) => `/playlists/${playlist}`, rightful: 200, stranger: 404 },
  'PATCH /playlists/:playlist_id': {
    path: ({ playlist }) => `/playlists/${playlist}`,
    json: () => ({ name: 'Other' }),
    rightful: 200,
    stranger: 404,
  },
  'DELETE /playlists/:playlist_id': {
    path: ({ playlist }) => `/playlists/${playlist}`,
    renew: newPlaylist,
    rightful: 204,
    stranger: 404,
  },
  'POST /playlists/:playlist_id/items': {
    path: ({ playlist }) => `/playlists/${playlist}/items`,
    json: ({ conversation }) => ({ conversation_id: conversation, from: 0, to: 1 }),
    renew: newPlaylist,
    rightful: 201,
    stranger: 404,
  },
  'PATCH /playlists/:playlist_id/items/:item_id': {
    path: ({ playlist, item }) => `/playlists/${playlist}/items/${item}`,
    json: () => ({ note: 'here' }),
    renew: newPlaylist,
    rightful: 200,
    stranger: 404,
  },
  'DELETE /playlists/:playlist_id/items/:item_id': {
    path: ({ playlist, item }) => `/playlists/${playlist}/items/${item}`,
    renew: newPlaylist,
    rightful: 204,
    stranger: 404,
  },
  'GET /playlists/:playlist_id/pieces': {
    path: ({ playlist }) => `/playlists/${playlist}/pieces`,
    rightful: 200,
    stranger: 404,
  },
  'GET /playlists/:playlist_id/items/:item_id/media': {
    path: ({ playlist, item }) => `/playlists/${playlist}/items/${item}/media`,
    // The recording is no real one, so it cannot be cut.
    rightful: 404,
    stranger: 404,
  },
  'POST /playlists/:playlist_id/shares': {
    path: ({ playlist }) => `/playlists/${playlist}/shares`,
    json: () => ({ days: 1 }),
    rightful: 201,
    stranger: 404,
  },
  'POST /shares': {
    path: () => '/shares',
    json: ({ conversation }) => ({ conversation_id: conversation }),
    rightful: 201,
    stranger: 404,
  },
  'GET /shares': { path: () => '/shares', rightful: 200 },
  'GET /shares/:share_id/opens': { path: ({ share }) => `/shares/${share}/opens`, rightful: 200, stranger: 404 },
  'DELETE /shares/:share_id': {
    path: ({ share }) => `/shares/${share}`,
    renew: newShare,
    rightful: 200,
    stranger: 404,
  },
  'GET /conversations/:conversation_id/access': ofConversation('/access'),
  'GET /conversations/:conversation_id/hold': ofConversation('/hold'),
  'PUT /conversations/:conversation_id/hold': ofConversation('/hold', {
    json: () => ({ reason: 'Dispute' }),
    renew: newConversation,
  }),
  'DELETE /conversations/:conversation_id/hold': ofConversation('/hold', { renew: newHeld, rightful: 204 }),
  'POST /holds': {
    path: () => '/holds',
    json: () => ({ filter: { label: 'kept' }, reason: 'Dispute' }),
    rightful: 201,
  },
  'GET /holds': { path: () => '/holds', rightful: 200 },
  'GET /receipts': { path: () => '/receipts', rightful: 200 },
  // Nothing of the tenant has this label.
  'POST /conversations/batch': {
    path: () => '/conversations/batch',
    json: ({ conversation }) => ({ ids: [conversation], labels: { add: [`seen ${crypto.randomUUID()}`] } }),
    rightful: 200,
  },
  'POST /redactions': {
    path: () => '/redactions',
    json: () => ({ filter: { label: 'nowhere' }, kinds: ['card'] }),
    rightful: 404,
  },
  'GET /redactions/:redaction_id': { path: () => '/redactions/redaction_0', rightful: 404, stranger: 404 },
  'DELETE /holds/:hold_id': { path: ({ hold }) => `/holds/${hold}`, renew: newHold, rightful: 204, stranger: 404 },
  'POST /people': { path: () => '/people', json: () => ({ name: 'Ann' }), rightful: 201 },
  'GET /people': { path: () => '/people', rightful: 200 },
  'GET /people/:person_id': { path: ({ person }) => `/people/${person}`, rightful: 200, stranger: 404 },
  'GET /people/:person_id/proposals': {
    path: ({ person }) => `/people/${person}/proposals`,
    rightful: 200,
    stranger: 404,
  },
  'PATCH /people/:person_id': {
    path: ({ person }) => `/people/${person}`,
    json: () => ({ name: 'Other' }),
    renew: newPerson,
    rightful: 200,
    stranger: 404,
  },
  'DELETE /people/:person_id': {
    path: ({ person }) => `/people/${person}`,
    renew: newPerson,
    rightful: 200,
    stranger: 404,
  },
  'POST /tokens': { path: () => '/tokens', json: ({ session }) => ({ for: { session } }), rightful: 201 },
  'POST /keys': {
    path: () => '/keys',
    json: ({ tenant }) => ({ label: 'more', tenant }),
    rightful: 201,
    stranger: 403,
  },
  'GET /keys': { path: ({ tenant }) => `/keys?tenant=${tenant}`, rightful: 200, stranger: 403 },
  'GET /keys/current': { path: () => '/keys/current', rightful: 200 },
  'PATCH /keys/:key_id': {
    renew: newSpare,
    path: ({ spare }) => `/keys/${spare.id}`,
    json: () => ({ label: 'other' }),
    rightful: 200,
    stranger: 404,
  },
  'POST /keys/:key_id/rotate': {
    renew: newSpare,
    path: ({ spare }) => `/keys/${spare.id}/rotate`,
    json: () => ({ overlap_seconds: 60 }),
    rightful: 201,
    stranger: 404,
  },
  'GET /keys/:key_id/usage': { path: ({ spare }) => `/keys/${spare.id}/usage`, rightful: 200, stranger: 404 },
  'DELETE /keys/:key_id': { path: ({ spare }) => `/keys/${spare.id}`, renew: newSpare, rightful: 200, stranger: 404 },
  'POST /tenants': { path: () => '/tenants', json: () => ({ name: 'more' }), rightful: 201 },
  'GET /tenants': { path: () => '/tenants', rightful: 200 },
  'GET /tenants/:tenant_id': { path: ({ tenant }) => `/tenants/${tenant}`, rightful: 200, stranger: 404 },
  'PATCH /tenants/:tenant_id': {
    path: ({ tenant }) => `/tenants/${tenant}`,
    json: () => ({ retention_days: 9 }),
    rightful: 200,
  },
  'DELETE /tenants/:tenant_id': { path: ({ tenant }) => `/tenants/${tenant}`, renew: newTenant, rightful: 200 },
  'GET /tenants/:tenant_id/export': { path: ({ tenant }) => `/tenants/${tenant}/export`, rightful: 200 },
  'POST /tenants/:tenant_id/reindex': { path: ({ tenant }) => `/tenants/${tenant}/reindex`, rightful: 200 },
  'POST /tenants/:tenant_id/conversations/:conversation_id/retry': {
    path: ({ tenant, conversation }) => `/tenants/${tenant}/conversations/${conversation}/retry`,
    // Its analysis completed.
    rightful: 404,
  },
  'POST /tenants/:tenant_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': {
    path: ({ tenant }) => `/tenants/${tenant}/webhooks/wh_none/deliveries/msg_none/redeliver`,
    rightful: 404,
  },
  'GET /access-log': { path: ({ tenant }) => `/access-log?tenant=${tenant}`, rightful: 200, stranger: 403 },
  'GET /access-log/export': {
    path: ({ tenant }) => `/access-log/export?tenant=${tenant}`,
    rightful: 200,
    stranger: 403,
  },
  // This deployment has no issuer.
  'GET /sign-in': { path: () => '/sign-in', rightful: 404 },
  'GET /sign-in/callback': { path: () => '/sign-in/callback', rightful: 401 },
  'DELETE /sign-in': { path: () => '/sign-in', rightful: 204 },
  'GET /members': { path: ({ tenant }) => `/members?tenant=${tenant}`, rightful: 200, stranger: 403 },
  'PUT /members/:email': {
    path: ({ tenant }) => `/members/anna%40example.com?tenant=${tenant}`,
    json: () => ({ role: 'viewer' }),
    rightful: 200,
    stranger: 403,
  },
  'DELETE /members/:email': {
    path: ({ tenant }) => `/members/anna%40example.com?tenant=${tenant}`,
    rightful: 204,
    stranger: 403,
  },
  'GET /audit': { path: ({ tenant }) => `/audit?tenant=${tenant}`, rightful: 200, stranger: 403 },
  'GET /operations': { path: () => '/operations', rightful: 200 },
  'POST /backup': { path: () => '/backup', rightful: 200 },
  'POST /restore': { path: () => '/restore', rightful: 200 },
  'POST /pool': {
    path: () => '/pool',
    json: (_, { pipeline }) => ({ url: pipeline.url, status: 'ok' }),
    rightful: 200,
  },
  'POST /session': { path: () => '/session', json: () => ({ token: ADMIN_TOKEN }), rightful: 201 },
  'GET /session': { path: () => '/session', rightful: 200 },
  'DELETE /session': { path: () => '/session', rightful: 204 },
};
