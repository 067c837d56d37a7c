import { type CallOptions, type Connection, jsonCall } from './connection.ts';
import type { Demo, NewTokenRequest, OperatorSession, Token } from './wire.ts';

/** What opens the service for a while: an operator's session in a browser, tokens for pages, the key to try it with. */
export class Access {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A short-lived token for one thing, to be sent in the place of the key. */
  token(request: NewTokenRequest, { signal }: CallOptions = {}): Promise<Token> {
    return this.#connection.json('tokens', { ...jsonCall('POST', request), repeatable: true, signal });
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

  /** The key that anybody may try the service with; null where there is none. */
  demo({ signal }: CallOptions = {}): Promise<Demo> {
    return this.#connection.json('demo', { repeatable: true, signal });
  }
}
