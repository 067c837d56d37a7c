import { RpcTarget } from 'cloudflare:workers';
import type { KeyBody } from '../../contract/keys.ts';
import { type MemberBody, type MemberRole, ROLE_SCOPES } from '../../contract/members.ts';
import { fail, type Result } from '../../contract/result.ts';
import type { Actor } from '../identity/caller.ts';
import type { Sql } from '../sqlite/migrations.ts';
import type { Audit } from './audit.ts';
import type { KeyStore } from './keys/key-store.ts';
import type { NewStoredKey, TenantKeys } from './keys/tenant-keys.ts';
import { Members } from './members.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown tenant');

/** The parts of the tenant's object that members use. */
export interface MembersHost {
  sql: Sql;
  tenant: string;
  exists: () => boolean;
  store: KeyStore;
  keys: TenantKeys;
  audit: Audit;
}

/** The people who may sign in to one tenant, and their sessions, which are keys. Each change is audited. */
export class TenantMembers extends RpcTarget {
  readonly #host: MembersHost;
  readonly #members: Members;

  constructor(host: MembersHost) {
    super();
    this.#host = host;
    this.#members = new Members(host.sql);
  }

  /** By address. */
  list(): MemberBody[] {
    return this.#host.exists() ? this.#members.list() : [];
  }

  /** Adds a member, or changes the role of one, whose sessions then end. */
  put(email: string, role: MemberRole, actor: Actor): Result<MemberBody> {
    if (!this.#host.exists()) return UNKNOWN;
    const now = Date.now();
    const before = this.#members.find(email);
    const put = this.#members.put(email, role, now);
    if (!put.ok) return put;
    if (before?.role !== role) {
      this.#host.store.revokeOf(email, now);
      this.#host.audit.record(actor, before ? 'member.changed' : 'member.added', email, { role }, now);
    }
    return put;
  }

  /** Removes a member, whose sessions end. */
  remove(email: string, actor: Actor): Result<null> {
    if (!this.#host.exists()) return UNKNOWN;
    const removed = this.#members.remove(email);
    if (!removed.ok) return removed;
    this.#host.store.revokeOf(email, Date.now());
    this.#host.audit.record(actor, 'member.removed', email, {}, Date.now());
    return removed;
  }

  /** Opens the session of a member: a key with the scopes of the role. FORBIDDEN for a person who is not a member. */
  signIn(email: string, key: Pick<NewStoredKey, 'id' | 'digest' | 'expiresAt'>, actor: Actor): Result<KeyBody> {
    const member = this.#host.exists() ? this.#members.find(email) : null;
    if (!member) return fail('FORBIDDEN', 'You are not a member of this tenant: ask one of its managers');
    this.#members.signedIn(email, Date.now());
    const scopes = [...ROLE_SCOPES[member.role]];
    return this.#host.keys.issue({ ...key, label: email, scopes, limits: {}, member: email }, actor, Date.now());
  }

  /** Ends the session of a person. What it began goes on. */
  signOut(id: string, actor: Actor): void {
    if (!this.#host.exists()) return;
    this.#host.store.expire(id, Date.now());
    this.#host.audit.record(actor, 'session.closed', `${this.#host.tenant}_${id}`, {}, Date.now());
  }
}
