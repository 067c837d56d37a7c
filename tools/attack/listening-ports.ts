import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Linux's state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

/** The TCP ports at which any of these processes listens. */
export function listeningPorts(pids: readonly number[]): number[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  const ports = ['tcp', 'tcp6']
    .flatMap((table) => rowsOf(`/proc/net/${table}`))
    .flatMap((row) => {
      const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
      return state === LISTEN && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
    });
  return [...new Set(ports)];
}

/** Inodes of a process's sockets. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(pid, fd))?.[1] ?? []);
  } catch {
    // It ended in the meantime.
    return [];
  }
}

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}

function rowsOf(table: string): string[] {
  try {
    return readFileSync(table, 'utf8').split('\n').slice(1);
  } catch {
    // A machine without IPv6.
    return [];
  }
}

/** Whether a debugger answers at a port, as Node's, workerd's and wrangler's do (Chrome DevTools Protocol over HTTP). */
export async function isDebugPort(port: number): Promise<boolean> {
  for (const path of ['/json', '/json/list', '/json/version']) {
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => undefined);
    const text = await answer?.text().catch(() => '');
    if (/webSocketDebuggerUrl|Protocol-Version/.test(text ?? '')) return true;
  }
  return false;
}
