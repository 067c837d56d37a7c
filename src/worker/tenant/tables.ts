import { DUE_TABLES } from '../sqlite/due-times.ts';
import type { Migrations } from '../sqlite/migrations.ts';
import { ACCESS_TABLES } from './access-log.ts';
import { ADMISSION_TABLES } from './admission.ts';
import { AUDIT_TABLES } from './audit.ts';
import { CONVERSATION_MIGRATIONS } from './catalogue/tenant-conversations.ts';
import { COMMITMENT_TABLES } from './commitments/commitment-table.ts';
import { ERASURE_TABLES } from './erasures.ts';
import { HOLD_TABLES } from './holds/tenant-holds.ts';
import { JOB_MIGRATIONS } from './jobs/tenant-jobs.ts';
import { KEY_TABLES } from './keys/key-store.ts';
import { MEMBER_TABLES } from './members.ts';
import { PATTERN_TABLES } from './patterns/pattern-tables.ts';
import { PEOPLE_TABLES } from './people/tenant-people.ts';
import { PLAYLIST_TABLES } from './playlists/tenant-playlists.ts';
import { PROFILE_TABLES } from './profile.ts';
import { RECEIPT_TABLES } from './receipts.ts';
import { REDACTION_TABLES } from './redactions/tenant-redactions.ts';
import { REMOVAL_TABLES } from './removal.ts';
import { RULE_TABLES } from './rules/rule-book.ts';
import { SHARE_TABLES } from './shares/tenant-shares.ts';
import { USAGE_TABLES } from './usage.ts';
import { VIEW_TABLES } from './views/tenant-views.ts';
import { WEBHOOK_TABLES } from './webhooks/webhooks.ts';

/** The migrations of all tables of a tenant. Each group of tables is one line here. */
export const TENANT_TABLES: Migrations = {
  profile: PROFILE_TABLES,
  due: DUE_TABLES,
  keys: KEY_TABLES,
  members: MEMBER_TABLES,
  usage: USAGE_TABLES,
  audit: AUDIT_TABLES,
  access: ACCESS_TABLES,
  admission: ADMISSION_TABLES,
  ...JOB_MIGRATIONS,
  webhooks: WEBHOOK_TABLES,
  ...CONVERSATION_MIGRATIONS,
  holds: HOLD_TABLES,
  rules: RULE_TABLES,
  commitments: COMMITMENT_TABLES,
  patterns: PATTERN_TABLES,
  people: PEOPLE_TABLES,
  shares: SHARE_TABLES,
  playlists: PLAYLIST_TABLES,
  views: VIEW_TABLES,
  removal: REMOVAL_TABLES,
  erasures: ERASURE_TABLES,
  receipts: RECEIPT_TABLES,
  redactions: REDACTION_TABLES,
};
