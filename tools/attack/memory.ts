import { ROLES, type Role } from './started-service.ts';

export type Memory = Record<Role, number>;

/**
 * To what share of it the memory of a process has to come back. Under any Worker the local runtime grows with every
 * request until some ten thousand have been answered, and keeps that level (`npm run bench -- runtime-growth`): what is
 * compared is beyond that.
 */
const FACTOR = 1.1;

/** Processes that hold more than they may, which held `before` at the start of the load. */
export const grown = (before: Memory, after: Memory): Role[] =>
  ROLES.filter((role) => after[role] > before[role] * FACTOR);
