import { UndertoneError } from './error.ts';
import type { WebhookMessage } from './wire.ts';

export type { WebhookEvent, WebhookMessage } from './wire.ts';

/** A received message: a `Request`, or its headers and its unchanged body if a framework has read it. */
export type IncomingMessage =
  | Request
  | { headers: Headers | Record<string, string | string[] | undefined>; body: string | BufferSource };

export interface VerifyOptions {
  /** Accepted difference from the sender's clock, seconds. The default is 300. */
  toleranceSeconds?: number;
}

/** A message with a valid signature. */
export type VerifiedMessage = WebhookMessage & {
  /** Stays the same when the message is sent again. Store it to process each message only once. */
  id: string;
};

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
/** Limit on the signatures that are checked. A message has several while secrets are being replaced. */
const MAX_SIGNATURES = 8;

/**
 * Verifies that a webhook message is from the service and recent (Standard Webhooks).
 * @param secret the webhook's secret (`whsec_...`), or several while one replaces another
 * @throws UndertoneError INVALID_SIGNATURE; respond with 400
 *
 * @example
 * const { id, type, data } = await verify(request, process.env.WEBHOOK_SECRET);
 * if (type === 'analysis.completed') console.log(data.conversation_id);
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
    throw refused('its timestamp is too old or too far ahead; check the clocks');
  const body = await bytesOf(message);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = signatures.split(' ').slice(0, MAX_SIGNATURES).map(signatureOf);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one);
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return { ...JSON.parse(new TextDecoder().decode(body)), id };
  }
  throw refused('it is not signed with this secret');
}

const refused = (why: string): UndertoneError =>
  new UndertoneError('INVALID_SIGNATURE', `The message is not from this webhook: ${why}`);

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw refused(`it has no ${name} header`);
  return value;
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

/** The bytes of `v1,<base64>`; undefined for anything else. */
function signatureOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  return text.startsWith('v1,') ? fromBase64(text.slice('v1,'.length)) : undefined;
}

/** @throws TypeError for an invalid secret */
function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (!bytes) throw new TypeError(`A webhook secret has the form ${SECRET_PREFIX}<base64>`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
