import { MAX_MEMBERS, type MemberBody, type MemberRole } from '../../contract/members.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Sql, SqlValue } from '../sqlite/migrations.ts';

export const MEMBER_TABLES = [
  `CREATE TABLE members (
    email TEXT PRIMARY KEY, role TEXT NOT NULL, added_at INTEGER NOT NULL, signed_in_at INTEGER
  ) WITHOUT ROWID`,
];

interface Row extends Record<string, SqlValue> {
  email: string;
  role: MemberRole;
  added_at: number;
  signed_in_at: number | null;
}

const LAST: Result<never> = fail('LAST_MANAGER');

/** The people who may sign in to a tenant, by their e-mail addresses. */
export class Members {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  list(): MemberBody[] {
    return this.#sql.exec<Row>('SELECT * FROM members ORDER BY email').toArray().map(bodyOf);
  }

  find(email: string): MemberBody | null {
    const [row] = this.#sql.exec<Row>('SELECT * FROM members WHERE email = ?', email).toArray();
    return row ? bodyOf(row) : null;
  }

  /** Adds a member, or changes the role of one. */
  put(email: string, role: MemberRole, now: number): Result<MemberBody> {
    const before = this.find(email);
    if (!before && this.#count('') >= MAX_MEMBERS)
      return fail('INVALID_REQUEST', `This tenant already has ${MAX_MEMBERS} members, its limit`);
    if (before && role !== 'manager' && this.#isLastManager(before)) return LAST;
    this.#sql.exec(
      `INSERT INTO members (email, role, added_at) VALUES (?1, ?2, ?3) ON CONFLICT (email) DO UPDATE SET role = ?2`,
      email,
      role,
      now,
    );
    return ok(this.find(email)!);
  }

  remove(email: string): Result<null> {
    const member = this.find(email);
    if (!member) return fail('NOT_FOUND', 'Unknown member');
    if (this.#isLastManager(member)) return LAST;
    this.#sql.exec('DELETE FROM members WHERE email = ?', email);
    return ok(null);
  }

  signedIn(email: string, now: number): void {
    this.#sql.exec('UPDATE members SET signed_in_at = ? WHERE email = ?', now, email);
  }

  /** Whether the other members would have no manager. */
  #isLastManager({ role }: MemberBody): boolean {
    return role === 'manager' && this.#count("WHERE role = 'manager'") === 1 && this.#count('') > 1;
  }

  #count(where: string): number {
    return this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM members ${where}`).one().n;
  }
}

const bodyOf = ({ email, role, added_at, signed_in_at }: Row): MemberBody => ({
  email,
  role,
  added_at: new Date(added_at).toISOString(),
  signed_in_at: signed_in_at === null ? null : new Date(signed_in_at).toISOString(),
});
