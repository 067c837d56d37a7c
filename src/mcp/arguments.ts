import * as z from 'zod';
import { unknownMembers } from '../contract/unknown-names.ts';

/** The arguments of a tool. An unknown argument is refused, and the error suggests the most similar known one. */
export const argumentsOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, { error: unknownMembers('argument') });
