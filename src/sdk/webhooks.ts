import { UndertoneError } from './error.ts';
import type { WebhookMessage } from './wire.ts';

export type { WebhookEvent, WebhookMessage } from './wire.ts';

/** A message as it came in: a `Request`, or its headers and its body to the byte, where a framework has read it. */
export type IncomingMessage =
  | Request
  | { headers: Headers | Record<string, string | string[] | undefined>; body: string | BufferSource };

export interface VerifyOptions {
  /** How far the sender's clock may be from this one, seconds; 300 unless told otherwise. */
  toleranceSeconds?: number;
}

/** A message that is the service's own. */
export interface VerifiedMessage extends WebhookMessage {
  /** The same whenever the message is sent again: keep it to do a thing once. */
  id: string;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
/** Signatures of one message that are looked at: those of keys that are being replaced. */
const MOST_SIGNATURES = 8;

/**
 * Checks that a webhook's message is the service's, and new (Standard Webhooks).
 * @param secret of the webhook (`whsec_…`), or several while one replaces another
 * @throws UndertoneError INVALID_SIGNATURE; answer 400 to it
 */
export async function verify(
  message: IncomingMessage,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<VerifiedMessage> {
  const id = headerOf(message, 'webhook-id');
  const timestamp = headerOf(message, 'webhook-timestamp');
  const signatures = headerOf(message, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw refused('It was signed at another time, or a clock is wrong');
  const body = await bytesOf(message);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = signatures.split(' ').slice(0, MOST_SIGNATURES).map(signatureOf);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one);
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return { ...JSON.parse(new TextDecoder().decode(body)), id };
  }
  throw refused('It is not signed with this secret');
}

const refused = (why: string): UndertoneError =>
  new UndertoneError('INVALID_SIGNATURE', `Not a message of this webhook: ${why}`);

function headerOf({ headers }: IncomingMessage, name: string): string {
  const said = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof said !== 'string' || said === '') throw refused(`It has no ${name}`);
  return said;
}

async function bytesOf(message: IncomingMessage): Promise<Uint8Array> {
  if (message instanceof Request) return new Uint8Array(await message.arrayBuffer());
  const { body } = message;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Of `v1,<base64>`; undefined for what is none. */
function signatureOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  return text.startsWith('v1,') ? fromBase64(text.slice('v1,'.length)) : undefined;
}

/** @throws TypeError for what is no secret */
function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (!bytes) throw new TypeError(`The secret of a webhook is ${SECRET_PREFIX}<base64>`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
