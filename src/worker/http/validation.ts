import type { z } from 'zod';
import { quoted, ServiceError } from '../../contract/errors.ts';
import { unknownMembers } from '../../contract/unknown-names.ts';

interface Issue {
  code?: string | undefined;
  path: PropertyKey[];
  message: string;
}

/**
 * The path of the first bad field and what is wrong with it: `timeline.3.t_end: must not be before t_start`. An unknown
 * field is reported first, because it is often a misspelt name of a missing one.
 */
export function firstFault(issues: readonly Issue[]): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) return 'Malformed request';
  return issue.path.length === 0
    ? issue.message
    : `${issue.path.map((key) => quoted(String(key))).join('.')}: ${issue.message}`;
}

/** @throws ServiceError INVALID_REQUEST with the path of the first bad field */
export function validated<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, { error: unknownMembers('field') });
  if (!parsed.success) throw new ServiceError('INVALID_REQUEST', firstFault(parsed.error.issues));
  return parsed.data;
}

/** For @hono/zod-validator: responds to an invalid query or body with 400 and the path of its first bad field. */
export function rejectInvalid(
  result: { success: true } | { success: false; error: { issues: readonly Issue[] } },
): void {
  if (!result.success) throw new ServiceError('INVALID_REQUEST', firstFault(result.error.issues));
}
