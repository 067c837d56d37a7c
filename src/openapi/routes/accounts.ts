import { AccessLogSchema } from '../../contract/access-log.ts';
import { AuditListSchema } from '../../contract/audit.ts';
import { JobSchema } from '../../contract/jobs.ts';
import {
  CurrentKeySchema,
  IssuedKeySchema,
  KeyListSchema,
  KeyPatchSchema,
  KeySchema,
  KeyUsageSchema,
  NewKeySchema,
  OperatorSessionSchema,
  RotatedKeySchema,
  RotationSchema,
} from '../../contract/keys.ts';
import { SignInSchema } from '../../contract/queries.ts';
import {
  NewTenantSchema,
  ReindexAnswerSchema,
  TenantListSchema,
  TenantPatchSchema,
  TenantReceiptSchema,
  TenantSchema,
} from '../../contract/tenants.ts';
import { NewTokenSchema, TokenSchema } from '../../contract/tokens.ts';
import { DeliverySchema } from '../../contract/webhooks.ts';
import { ACCESS, AT, AUDIT, DELIVERY, ID, ISSUED, JOB, KEY, SESSION, SIGNED, TENANT } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';
import { NDJSON } from './conversations.ts';

const key = { 200: { description: 'The key after the change.', content: json(KeySchema, KEY) } };
const tenant = { 200: { description: 'The tenant.', content: json(TenantSchema, TENANT) } };

export const accounts: Descriptions = {
  'POST /tokens': {
    id: 'mintToken',
    tag: 'tokens',
    summary: 'Create a token for a web page',
    description:
      'The token must be used before it expires, within an hour at most, and opens one object. It then remains valid for that object until the session, upload or analysis ends. Revoking the key also revokes the token. A `new` token can also read the conversation that it creates. The key needs the scope `live`, `analyze` or `read`, depending on what the token is for.',
    body: { content: json(NewTokenSchema, { for: { session: 'new' }, ttl_seconds: 900 }) },
    answers: {
      201: {
        description: 'The token; `for` names the object it is bound to.',
        content: json(TokenSchema, {
          token: 'eyJhbGciOiJIUzI1NiJ9...',
          expires_at: AT,
          for: { session: SESSION },
          conversation_id: ID,
        }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'UNKNOWN_SESSION', 'KEYS_DISABLED'],
  },
  'POST /keys': {
    id: 'issueKey',
    tag: 'keys',
    summary: 'Issue a key',
    body: { content: json(NewKeySchema, { label: 'call centre', scopes: ['analyze', 'read'] }) },
    answers: {
      201: {
        description: 'The key; its secret `key` is shown only once.',
        content: json(IssuedKeySchema, ISSUED),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
  'GET /keys': {
    id: 'listKeys',
    tag: 'keys',
    summary: 'List keys',
    answers: {
      200: {
        description: 'The keys, without their secrets.',
        content: json(KeyListSchema, { keys: [KEY], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'GET /keys/current': {
    id: 'getCurrentKey',
    tag: 'keys',
    summary: 'Get the key of the request',
    answers: {
      200: {
        description: 'The key that the request was sent with, and what it permits.',
        content: json(CurrentKeySchema, {
          id: KEY.id,
          tenant: KEY.tenant,
          label: KEY.label,
          scopes: KEY.scopes,
          source: KEY.source,
          created_at: KEY.created_at,
          expires_at: KEY.expires_at,
        }),
      },
    },
    errors: [],
  },
  'PATCH /keys/:key_id': {
    id: 'changeKey',
    tag: 'keys',
    summary: 'Change a key',
    body: { isOptional: true, content: json(KeyPatchSchema, { label: 'call centre, night' }) },
    answers: key,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'DELETE /keys/:key_id': {
    id: 'revokeKey',
    tag: 'keys',
    summary: 'Revoke a key',
    description: 'The key stops working everywhere within 60 s, and its running work ends.',
    answers: key,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /keys/:key_id/rotate': {
    id: 'rotateKey',
    tag: 'keys',
    summary: 'Rotate a key',
    body: { isOptional: true, content: json(RotationSchema, { overlap_seconds: 86_400 }) },
    answers: {
      201: {
        description: 'The new key, whose secret is shown only once, and the key it replaces.',
        content: json(RotatedKeySchema, { ...ISSUED, replaces: { ...KEY, replaced_by: ISSUED.id } }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
  'GET /keys/:key_id/usage': {
    id: 'keyUsage',
    tag: 'keys',
    summary: 'Read the usage of a key',
    answers: {
      200: {
        description: 'Usage by day (UTC), newest first.',
        content: json(KeyUsageSchema, {
          id: KEY.id,
          days: [{ day: '2026-11-22', requests: 1204, audio_minutes: 310.5, refusals: 2 }],
        }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /tenants': {
    id: 'addTenant',
    tag: 'tenants',
    summary: 'Create a tenant',
    body: { content: json(NewTenantSchema, { name: 'Acme' }) },
    answers: { 201: { description: 'The tenant.', content: json(TenantSchema, TENANT), headers: ['Location'] } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /tenants': {
    id: 'listTenants',
    tag: 'tenants',
    summary: 'List tenants',
    answers: {
      200: {
        description: 'Tenants, ordered by id.',
        content: json(TenantListSchema, {
          tenants: [{ id: TENANT.id, name: TENANT.name, created_at: TENANT.created_at }],
          next_cursor: null,
        }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'GET /tenants/:tenant_id': {
    id: 'getTenant',
    tag: 'tenants',
    summary: 'Read a tenant',
    answers: tenant,
    errors: ['NOT_FOUND'],
  },
  'PATCH /tenants/:tenant_id': {
    id: 'changeTenant',
    tag: 'tenants',
    summary: 'Change a tenant',
    description: '`limits` replaces all previous limits.',
    body: { isOptional: true, content: json(TenantPatchSchema, { retention_days: 30, affect: 'words' }) },
    answers: tenant,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'DELETE /tenants/:tenant_id': {
    id: 'removeTenant',
    tag: 'tenants',
    summary: 'Remove a tenant and everything it owns',
    description: 'A tenant with holds is not removed: lift them first. The error names them.',
    answers: {
      200: {
        description: 'What was deleted.',
        content: json(TenantReceiptSchema, {
          id: TENANT.id,
          deleted_at: AT,
          objects: 412,
          bytes: 52_428_800,
          signed: SIGNED,
        }),
      },
    },
    errors: ['NOT_FOUND', 'ON_HOLD', 'OVERLOADED'],
  },
  'GET /tenants/:tenant_id/export': {
    id: 'exportTenant',
    tag: 'tenants',
    summary: 'Export everything a tenant owns',
    answers: { 200: { description: 'Conversations, ordered by id.', content: NDJSON } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /tenants/:tenant_id/reindex': {
    id: 'reindexTenant',
    tag: 'tenants',
    summary: 'Rebuild the catalogue of a tenant',
    description:
      'Works on one page at a time: repeat the request with the cursor until it is null. Objects of erased conversations are removed.',
    answers: {
      200: {
        description: 'The number of conversations on this page that are now in the catalogue.',
        content: json(ReindexAnswerSchema, { conversations: 100, next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OVERLOADED'],
  },
  'POST /tenants/:tenant_id/conversations/:conversation_id/retry': {
    id: 'retryConversation',
    tag: 'tenants',
    summary: 'Analyse a failed conversation again',
    description:
      'For an analysis that failed because of the service, as long as its recording is kept: `can_retry` in `GET /operations`.',
    answers: { 202: { description: 'The job, which waits for a slot.', content: json(JobSchema, JOB) } },
    errors: ['NOT_FOUND', 'ON_HOLD'],
  },
  'POST /tenants/:tenant_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': {
    id: 'redeliverForTenant',
    tag: 'tenants',
    summary: "Send a tenant's webhook message again",
    description: 'For a message whose attempts are used up: `undelivered` in `GET /operations`.',
    answers: {
      202: {
        description: 'The delivery, which has a full set of attempts again.',
        content: json(DeliverySchema, DELIVERY),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'GET /access-log': {
    id: 'accessLog',
    tag: 'tenants',
    summary: 'Read who accessed which conversation',
    description:
      'Every request that showed, listed, exported, edited, analysed or deleted a stored conversation, that requested its recording, or that was refused. An entry appears within seconds and is kept for the `access_log_days` of the tenant.',
    answers: {
      200: {
        description: 'Entries, newest first.',
        content: json(AccessLogSchema, { entries: [ACCESS], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'GET /access-log/export': {
    id: 'exportAccessLog',
    tag: 'tenants',
    summary: 'Export the access log',
    description: 'All entries that match, newest first, as a table.',
    answers: {
      200: {
        description: 'The table (RFC 4180).',
        content: { 'text/csv': { schema: { type: 'string' } } },
        headers: ['Content-Disposition'],
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'GET /audit': {
    id: 'audit',
    tag: 'tenants',
    summary: 'Read the audit log',
    answers: {
      200: {
        description: 'Actions of administrators, newest first.',
        content: json(AuditListSchema, { entries: [AUDIT], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /session': {
    id: 'signIn',
    tag: 'tenants',
    summary: 'Sign the operator in',
    description: "For the service's own pages: sets a cookie that lasts twelve hours.",
    body: { content: json(SignInSchema, { token: 'the admin token' }) },
    answers: {
      201: {
        description: 'The operator who is signed in.',
        content: json(OperatorSessionSchema, { operator: 'operator', expires_at: AT }),
        headers: ['Set-Cookie'],
      },
    },
    errors: ['INVALID_REQUEST', 'INVALID_KEY', 'FORBIDDEN', 'RATE_LIMITED', 'UPLOAD_STALLED'],
  },
  'GET /session': {
    id: 'getSession',
    tag: 'tenants',
    summary: 'Read who is signed in',
    answers: {
      200: {
        description: 'The operator who is signed in.',
        content: json(OperatorSessionSchema, { operator: 'operator', expires_at: AT }),
      },
    },
  },
  'DELETE /session': {
    id: 'signOut',
    tag: 'tenants',
    summary: 'Sign out',
    answers: { 204: { description: 'The session has ended, also for copies of its cookie.', headers: ['Set-Cookie'] } },
  },
};
