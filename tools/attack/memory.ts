import { ROLES, type Role } from './started-service.ts';

export type Memory = Record<Role, number>;

/**
 * The allowed ratio of a process's memory to its reference, which is measured after the warm-up (`runtime-level.ts`).
 */
const FACTOR = 1.1;

/** Processes whose memory exceeds the allowed ratio to `before`, measured at the start of the load. */
export const grown = (before: Memory, after: Memory): Role[] =>
  ROLES.filter((role) => after[role] > before[role] * FACTOR);
