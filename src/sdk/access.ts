import { type CallOptions, type Connection, jsonCall } from './connection.ts';
import type { OperatorSession, Welcome } from './wire.ts';

/** Access to the service's own pages: the operator's browser session, and the demo key. */
export class PageAccess {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Signs the operator in with a cookie that scripts cannot read. This works only on the service's own pages. */
  signIn(token: string, { signal }: CallOptions = {}): Promise<OperatorSession> {
    return this.#connection.json('session', { ...jsonCall('POST', { token }), repeatable: false, signal });
  }

  /** The operator who is signed in. @throws UndertoneError INVALID_KEY if nobody is */
  session({ signal }: CallOptions = {}): Promise<OperatorSession> {
    return this.#connection.json('session', { repeatable: true, signal });
  }

  signOut({ signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json('session', { method: 'DELETE', repeatable: true, signal });
  }

  /** Signs the person out who signed in with OpenID Connect, on the service's own pages. */
  signOutPerson({ signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json('sign-in', { method: 'DELETE', repeatable: true, signal });
  }

  /** The facts that a page needs before anyone signs in. The call needs no key. */
  welcome({ signal }: CallOptions = {}): Promise<Welcome> {
    return this.#connection.json('welcome', { repeatable: true, signal });
  }
}
