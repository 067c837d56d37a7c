import { type CallOptions, type Connection, jsonCall } from './connection.ts';
import type { OperatorSession, Welcome } from './wire.ts';

/** What opens the service's own pages: an operator's session in a browser, and the key to try it with. */
export class PageAccess {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Signs the operator in: the browser keeps a cookie that no script can read. Of the service's own pages alone. */
  signIn(token: string, { signal }: CallOptions = {}): Promise<OperatorSession> {
    return this.#connection.json('session', { ...jsonCall('POST', { token }), repeatable: false, signal });
  }

  /** Who is signed in. @throws UndertoneError INVALID_KEY when nobody is */
  session({ signal }: CallOptions = {}): Promise<OperatorSession> {
    return this.#connection.json('session', { repeatable: true, signal });
  }

  signOut({ signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json('session', { method: 'DELETE', repeatable: true, signal });
  }

  /** What a page has to know before anybody signs in; needs no key. */
  welcome({ signal }: CallOptions = {}): Promise<Welcome> {
    return this.#connection.json('welcome', { repeatable: true, signal });
  }
}
