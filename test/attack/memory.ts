import { ROLES, type Role } from './started-service.ts';

export type Memory = Record<Role, number>;

const FACTOR = 1.1;
/**
 * The two processes of the local runtime grow with every request by themselves, and do not level off within 9,000: under a
 * bare Worker that stores each body in a Durable Object by so many bytes a request (`npm run bench:runtime-growth`, from
 * 1,500 requests on: 149 to 313 MB, and the proxy 149 to 337).
 */
const RUNTIME_BYTES: Partial<Memory> = { worker: 23_000, proxy: 26_000 };

/** What a process may hold after so many requests that held `before` at the start of them. */
export const mostAfter = (role: Role, before: Memory, requests: number): number =>
  before[role] * FACTOR + (RUNTIME_BYTES[role] ?? 0) * requests;

/** Processes that hold more than they may. */
export const grown = (before: Memory, after: Memory, requests: number): Role[] =>
  ROLES.filter((role) => after[role] > mostAfter(role, before, requests));
