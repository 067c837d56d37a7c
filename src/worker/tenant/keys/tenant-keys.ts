import { type KeyBody, type KeyPatch, MAX_KEYS } from '../../../contract/keys.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Actor } from '../../identity/caller.ts';
import { isoOf } from '../../sqlite/values.ts';
import type { Audit } from '../audit.ts';
import type { Usage } from '../usage.ts';
import { isValidAt, type KeyStore, keyBody, type StoredKey } from './key-store.ts';

/** A key about to be issued: its digest, never the key itself. */
export type NewStoredKey = Pick<StoredKey, 'id' | 'digest' | 'label' | 'scopes' | 'limits' | 'expiresAt'> & {
  member?: string;
};

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown key');
const OF_PERSON: Result<never> = fail(
  'INVALID_REQUEST',
  'This key is the session of a person: change the role of the member, or revoke it',
);

/** Administration of one tenant's keys. Each action is audited in the same turn. */
export class TenantKeys {
  readonly #tenant: () => string;
  readonly #store: KeyStore;
  readonly #usage: Usage;
  readonly #audit: Audit;

  /** @param tenant returns its id, once that is known */
  constructor(tenant: () => string, store: KeyStore, usage: Usage, audit: Audit) {
    this.#tenant = tenant;
    this.#store = store;
    this.#usage = usage;
    this.#audit = audit;
  }

  list(now: number): KeyBody[] {
    const uses = this.#usage.lastUses();
    return this.#store.list().map((key) => keyBody(this.#tenant(), key, uses.get(key.id) ?? null, now));
  }

  issue(key: NewStoredKey, actor: Actor, now: number): Result<KeyBody> {
    if (this.#store.count(now) >= MAX_KEYS)
      return fail('INVALID_REQUEST', `This tenant already has ${MAX_KEYS} keys, its limit`);
    this.#store.add({ ...key, createdAt: now });
    const { label, scopes, limits, expiresAt } = key;
    this.#record(actor, 'key.issued', key.id, { label, scopes, limits, expires_at: isoOf(expiresAt) }, now);
    return this.#answer(key.id, now);
  }

  patch(id: string, patch: KeyPatch, actor: Actor, now: number): Result<KeyBody> {
    const key = this.#store.find(id);
    if (!key) return UNKNOWN;
    if (key.member !== null) return OF_PERSON;
    this.#store.patch(id, patch);
    this.#record(actor, 'key.changed', id, patch, now);
    return this.#answer(id, now);
  }

  /** Issues a key with the same rights to replace another key, which stays valid for a while. */
  rotate(
    id: string,
    next: Pick<StoredKey, 'id' | 'digest'>,
    overlapSeconds: number,
    actor: Actor,
    now: number,
  ): Result<{ issued: KeyBody; replaces: KeyBody }> {
    const old = this.#store.find(id);
    if (!old) return UNKNOWN;
    if (old.member !== null) return OF_PERSON;
    if (!isValidAt(old, now)) return fail('INVALID_REQUEST', 'This key is no longer valid; issue another');
    if (old.replacedBy !== null)
      return fail(
        'INVALID_REQUEST',
        `This key was already rotated; rotate ${this.#tenant()}_${old.replacedBy} instead`,
      );
    const { label, scopes, limits, expiresAt } = old;
    this.#store.add({ ...next, label, scopes, limits, createdAt: now, expiresAt });
    this.#store.replace(id, next.id, now + overlapSeconds * 1000);
    const changes = { overlap_seconds: overlapSeconds, replaced_by: `${this.#tenant()}_${next.id}` };
    this.#record(actor, 'key.rotated', id, changes, now);
    const [issued, replaces] = [this.#answer(next.id, now), this.#answer(id, now)];
    return issued.ok && replaces.ok ? ok({ issued: issued.value, replaces: replaces.value }) : UNKNOWN;
  }

  revoke(id: string, actor: Actor, now: number): Result<KeyBody> {
    const key = this.#store.find(id);
    if (!key) return UNKNOWN;
    if (key.revokedAt === null) {
      this.#store.revoke(id, now);
      this.#record(actor, 'key.revoked', id, {}, now);
    }
    return this.#answer(id, now);
  }

  #answer(id: string, now: number): Result<KeyBody> {
    const key = this.#store.find(id);
    return key ? ok(keyBody(this.#tenant(), key, this.#usage.lastUses().get(id) ?? null, now)) : UNKNOWN;
  }

  #record(actor: Actor, act: string, id: string, changes: object, now: number): void {
    this.#audit.record(actor, act, `${this.#tenant()}_${id}`, changes, now);
  }
}
