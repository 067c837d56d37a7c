import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Addresses that mean every address of the machine. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Whether a `Host` header names this service. A page of a foreign site can have its own name resolve to this machine (DNS
 * rebinding) and then reads what the service answers; its requests still carry the foreign name.
 *
 * @param header a host with an optional port
 * @param listensOn the address or name that `HOST` gives the service beside those of this machine alone
 */
export function isOwnHost(header: string, listensOn: string | undefined): boolean {
  const host = header.replace(/:\d+$/, '').toLowerCase();
  if (LOOPBACK.includes(host)) return true;
  if (listensOn === undefined) return false;
  const own = EVERY_ADDRESS.includes(listensOn) ? namesOfMachine() : [listensOn];
  return own.some((name) => inHeader(name) === host);
}

function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return [hostname(), ...addresses.map(({ address }) => address)];
}

const inHeader = (name: string): string => (name.includes(':') ? `[${name}]` : name).toLowerCase();
