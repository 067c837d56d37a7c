import * as z from 'zod';
import { unknownMembers } from '../contract/unknown-names.ts';

/** The arguments of a tool; one that the tool does not have is refused with the nearest that it has. */
export const argumentsOf = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, { error: unknownMembers('argument') });
