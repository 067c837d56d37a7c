import { ROLES, type Role } from './started-service.ts';

export type Memory = Record<Role, number>;

/**
 * The allowed ratio of a process's memory to its reference. Under any Worker, the local runtime grows with every
 * request until some ten thousand have been answered, and then stays at that level (`npm run bench -- runtime-growth`).
 * The comparison starts after that.
 */
const FACTOR = 1.1;

/** Processes whose memory exceeds the allowed ratio to `before`, measured at the start of the load. */
export const grown = (before: Memory, after: Memory): Role[] =>
  ROLES.filter((role) => after[role] > before[role] * FACTOR);
