import type { Scope } from './keys.ts';
import type { TokenKind } from './tokens.ts';

/**
 * The access to a route: anybody (`open`), any key, a key with a given scope, a browser token that is bound to the
 * object in the path, or the operator. `admin` is the operator, or a key with that scope in its own tenant.
 */
export type Access = 'open' | 'key' | 'admin' | 'operator' | KeyAccess;

export interface KeyAccess {
  scope: Scope;
  /** The kind of browser token that is accepted instead of the key. It must be bound to the object in the path. */
  token?: TokenKind;
  /** Also accepts the token whose session or upload created the conversation in the path. */
  ofMaker?: true;
  /** The path has no id yet, because the request creates the object that the token is for. */
  makes?: true;
}

/** Every route of the service, by `METHOD /path/:name`. A route that is not listed refuses every caller. */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /health': 'open',
  'GET /ready': 'open',
  // The pages contain no data. They request it from the API like any client.
  'GET /': 'open',
  'GET /app': 'open',
  'GET /app/:page': 'open',
  'GET /app/:page/:id': 'open',
  'GET /welcome': 'open',
  'GET /docs': 'open',
  'GET /docs/:page': 'open',
  'GET /openapi.json': 'open',
  'GET /schemas/:name': 'open',
  'GET /llms.txt': 'open',
  'GET /metrics': { scope: 'read' },
  'POST /analyze': { scope: 'analyze', token: 'upload', makes: true },
  'POST /analyze/stream': { scope: 'analyze', token: 'upload', makes: true },
  // A page's token permits sending a file, but not a URL.
  'POST /analyze/url': { scope: 'analyze' },
  'POST /analyze/stream/url': { scope: 'analyze' },
  'POST /analyze/kept': { scope: 'analyze', token: 'upload', makes: true },
  'POST /analyze/stream/kept': { scope: 'analyze', token: 'upload', makes: true },
  'POST /segment/conversation': { scope: 'analyze' },
  'GET /conversations': { scope: 'read' },
  'GET /conversations/export': { scope: 'read' },
  'GET /conversations/:conversation_id': { scope: 'read', token: 'conversation', ofMaker: true },
  'GET /conversations/:conversation_id/record': { scope: 'read', token: 'conversation' },
  'GET /conversations/:conversation_id/media': { scope: 'read', token: 'conversation', ofMaker: true },
  'GET /conversations/:conversation_id/levels': { scope: 'read', token: 'conversation', ofMaker: true },
  'GET /conversations/:conversation_id/course': { scope: 'read', token: 'conversation', ofMaker: true },
  'GET /conversations/:conversation_id/events': { scope: 'read', token: 'conversation', ofMaker: true },
  'GET /conversations/:conversation_id/export': { scope: 'read', token: 'conversation' },
  'PATCH /conversations/:conversation_id': { scope: 'analyze' },
  'POST /conversations/:conversation_id/undo': { scope: 'analyze' },
  'POST /conversations/:conversation_id/feedback': { scope: 'analyze' },
  'GET /conversations/:conversation_id/comments': { scope: 'read' },
  'POST /conversations/:conversation_id/comments': { scope: 'analyze' },
  'PATCH /conversations/:conversation_id/comments/:comment_id': { scope: 'analyze' },
  'DELETE /conversations/:conversation_id/comments/:comment_id': { scope: 'analyze' },
  'GET /conversations/:conversation_id/proposals': { scope: 'read' },
  'POST /conversations/:conversation_id/reanalyze': { scope: 'analyze' },
  'DELETE /conversations/:conversation_id': { scope: 'delete' },
  'POST /conversations/:conversation_id/cancel': { scope: 'analyze' },
  'POST /uploads': { scope: 'analyze', token: 'upload', makes: true },
  'GET /uploads/:upload_id': { scope: 'analyze', token: 'upload' },
  'DELETE /uploads/:upload_id': { scope: 'analyze', token: 'upload' },
  'PUT /uploads/:upload_id/parts/:number': { scope: 'analyze', token: 'upload' },
  'POST /uploads/:upload_id/parts/:number': { scope: 'analyze', token: 'upload' },
  'POST /uploads/:upload_id/complete': { scope: 'analyze', token: 'upload' },
  'GET /commitments': { scope: 'read' },
  'GET /commitments/export': { scope: 'read' },
  'PATCH /commitments/:commitment_id': { scope: 'analyze' },
  'GET /moments': { scope: 'read' },
  'GET /lines': { scope: 'read' },
  'GET /trends': { scope: 'read' },
  'GET /trends/export': { scope: 'read' },
  'POST /playlists': { scope: 'analyze' },
  'GET /playlists': { scope: 'read' },
  'GET /playlists/:playlist_id': { scope: 'read' },
  'PATCH /playlists/:playlist_id': { scope: 'analyze' },
  'DELETE /playlists/:playlist_id': { scope: 'analyze' },
  'POST /playlists/:playlist_id/items': { scope: 'analyze' },
  'PATCH /playlists/:playlist_id/items/:item_id': { scope: 'analyze' },
  'DELETE /playlists/:playlist_id/items/:item_id': { scope: 'analyze' },
  'POST /shares': { scope: 'read' },
  'GET /shares': { scope: 'read' },
  'DELETE /shares/:share_id': { scope: 'read' },
  'GET /shares/:share_id/opens': { scope: 'read' },
  'POST /people': { scope: 'analyze' },
  'GET /people': { scope: 'read' },
  'GET /people/:person_id': { scope: 'read' },
  'PATCH /people/:person_id': { scope: 'analyze' },
  'DELETE /people/:person_id': { scope: 'delete' },
  'POST /rules': { scope: 'analyze' },
  'GET /rules': { scope: 'read' },
  'POST /rules/try': { scope: 'read' },
  'GET /rules/:rule_id': { scope: 'read' },
  'PATCH /rules/:rule_id': { scope: 'analyze' },
  'DELETE /rules/:rule_id': { scope: 'analyze' },
  'POST /rules/:rule_id/try': { scope: 'read' },
  'GET /rules/:rule_id/matches': { scope: 'read' },
  'POST /rules/:rule_id/feedback': { scope: 'analyze' },
  'POST /webhooks': { scope: 'analyze' },
  'GET /webhooks': { scope: 'read' },
  'DELETE /webhooks/:webhook_id': { scope: 'analyze' },
  'GET /webhooks/:webhook_id/deliveries': { scope: 'read' },
  'POST /webhooks/:webhook_id/deliveries/:delivery_id/redeliver': { scope: 'analyze' },
  'POST /analyze/live/start': { scope: 'live', token: 'session', makes: true },
  'POST /analyze/live/:session_id/chunk': { scope: 'live', token: 'session' },
  'GET /analyze/live/:session_id/events': { scope: 'live', token: 'session' },
  'POST /analyze/live/:session_id/control': { scope: 'live', token: 'session' },
  // Each tool needs access to the routes that it calls.
  'POST /mcp': 'key',
  // The scope that the key needs depends on what the token is for.
  'POST /tokens': 'key',
  'POST /keys': 'admin',
  'GET /keys': 'admin',
  'GET /keys/current': 'key',
  'PATCH /keys/:key_id': 'admin',
  'DELETE /keys/:key_id': 'admin',
  'POST /keys/:key_id/rotate': 'admin',
  'GET /keys/:key_id/usage': 'admin',
  'POST /tenants': 'operator',
  'GET /tenants': 'operator',
  'GET /tenants/:tenant_id': 'admin',
  'PATCH /tenants/:tenant_id': 'operator',
  'DELETE /tenants/:tenant_id': 'operator',
  'GET /tenants/:tenant_id/export': 'operator',
  'POST /tenants/:tenant_id/reindex': 'operator',
  'POST /tenants/:tenant_id/conversations/:conversation_id/retry': 'operator',
  'POST /tenants/:tenant_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': 'operator',
  'GET /audit': 'admin',
  'GET /access-log': 'admin',
  'GET /operations': 'operator',
  // Signing in. The admin token is in the body.
  'POST /session': 'open',
  'GET /session': 'operator',
  'DELETE /session': 'operator',
};
