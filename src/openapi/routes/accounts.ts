import { AuditListSchema } from '../../contract/audit.ts';
import {
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
import {
  AuditQuerySchema,
  KeysQuerySchema,
  ReindexQuerySchema,
  SignInSchema,
  TenantExportQuerySchema,
  TenantsQuerySchema,
  UsageQuerySchema,
} from '../../contract/queries.ts';
import {
  NewTenantSchema,
  ReindexAnswerSchema,
  TenantListSchema,
  TenantPatchSchema,
  TenantReceiptSchema,
  TenantSchema,
} from '../../contract/tenants.ts';
import { NewTokenSchema, TokenSchema } from '../../contract/tokens.ts';
import { AT, AUDIT, ISSUED, KEY, SESSION, TENANT } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';
import { NDJSON } from './conversations.ts';

const key = { 200: { description: 'The key as it stands now.', content: json(KeySchema, KEY) } };
const tenant = { 200: { description: 'The tenant.', content: json(TenantSchema, TENANT) } };

export const accounts: Descriptions = {
  'POST /tokens': {
    id: 'mintToken',
    tag: 'tokens',
    summary: 'Mint a token for a web page',
    description:
      'It allows one thing for an hour at most, and dies with its key. The key needs the scope `live`, `analyze` or `read`, by what the token is for.',
    body: { content: json(NewTokenSchema, { for: { session: 'new' }, ttl_seconds: 900 }) },
    answers: {
      201: {
        description: 'The token; `for` names what it is bound to.',
        content: json(TokenSchema, { token: 'eyJhbGciOiJIUzI1NiJ9…', expires_at: AT, for: { session: SESSION } }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'UNKNOWN_SESSION', 'KEYS_DISABLED'],
  },
  'POST /keys': {
    id: 'issueKey',
    tag: 'keys',
    summary: 'Issue a key',
    body: { content: json(NewKeySchema, { label: 'call centre', scopes: ['analyze', 'read'] }) },
    answers: { 201: { description: 'The key, with `key`: shown this once.', content: json(IssuedKeySchema, ISSUED) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
  'GET /keys': {
    id: 'listKeys',
    tag: 'keys',
    summary: 'List keys',
    query: KeysQuerySchema,
    answers: {
      200: {
        description: 'Keys, never their secrets.',
        content: json(KeyListSchema, { keys: [KEY], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
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
    description: 'It stops within 60 s everywhere, and what goes on under it ends.',
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
        description: 'The new key, shown this once, and what it replaces.',
        content: json(RotatedKeySchema, { ...ISSUED, replaces: { ...KEY, replaced_by: ISSUED.id } }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'KEYS_DISABLED'],
  },
  'GET /keys/:key_id/usage': {
    id: 'keyUsage',
    tag: 'keys',
    summary: 'See what a key used',
    query: UsageQuerySchema,
    answers: {
      200: {
        description: 'Days of UTC, the newest first.',
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
    summary: 'Make a tenant',
    body: { content: json(NewTenantSchema, { name: 'Acme' }) },
    answers: { 201: { description: 'The tenant.', content: json(TenantSchema, TENANT), headers: ['Location'] } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /tenants': {
    id: 'listTenants',
    tag: 'tenants',
    summary: 'List tenants',
    query: TenantsQuerySchema,
    answers: {
      200: {
        description: 'By id.',
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
    description: 'Limits that are named take the place of all that were set before.',
    body: { isOptional: true, content: json(TenantPatchSchema, { retention_days: 30, affect: 'words' }) },
    answers: tenant,
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'DELETE /tenants/:tenant_id': {
    id: 'removeTenant',
    tag: 'tenants',
    summary: 'Remove a tenant and all that it has',
    answers: {
      200: {
        description: 'What there was, and is no more.',
        content: json(TenantReceiptSchema, { id: TENANT.id, deleted_at: AT, objects: 412, bytes: 52_428_800 }),
      },
    },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
  'GET /tenants/:tenant_id/export': {
    id: 'exportTenant',
    tag: 'tenants',
    summary: 'Export all that a tenant has',
    query: TenantExportQuerySchema,
    answers: { 200: { description: 'In order of ids.', content: NDJSON } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /tenants/:tenant_id/reindex': {
    id: 'reindexTenant',
    tag: 'tenants',
    summary: 'Make the catalogue of a tenant anew',
    description: 'A page at a time: ask again with the cursor until there is none.',
    query: ReindexQuerySchema,
    answers: {
      200: {
        description: 'How many were taken up.',
        content: json(ReindexAnswerSchema, { conversations: 100, next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OVERLOADED'],
  },
  'GET /audit': {
    id: 'audit',
    tag: 'tenants',
    summary: 'Read what administrators did',
    query: AuditQuerySchema,
    answers: {
      200: {
        description: 'The newest first.',
        content: json(AuditListSchema, { entries: [AUDIT], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /session': {
    id: 'signIn',
    tag: 'tenants',
    summary: 'Sign the operator in',
    description: 'For the service’s own pages: a cookie for twelve hours.',
    body: { content: json(SignInSchema, { token: 'the admin token' }) },
    answers: {
      201: {
        description: 'Who is signed in.',
        content: json(OperatorSessionSchema, { operator: 'operator', expires_at: AT }),
        headers: ['Set-Cookie'],
      },
    },
    errors: ['INVALID_REQUEST', 'INVALID_KEY', 'FORBIDDEN', 'RATE_LIMITED', 'UPLOAD_STALLED'],
  },
  'GET /session': {
    id: 'getSession',
    tag: 'tenants',
    summary: 'See who is signed in',
    answers: {
      200: {
        description: 'Who it is.',
        content: json(OperatorSessionSchema, { operator: 'operator', expires_at: AT }),
      },
    },
  },
  'DELETE /session': {
    id: 'signOut',
    tag: 'tenants',
    summary: 'Sign out',
    answers: { 204: { description: 'The session is over, for copies of its cookie too.', headers: ['Set-Cookie'] } },
  },
};
