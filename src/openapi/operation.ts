import type * as z from 'zod';
import type { ErrorCode } from '../contract/errors.ts';

/** Where a route stands in the reference. */
export const TAGS = {
  analyses: 'Analyses: a recording in, what happened in it out.',
  live: 'Live capture: ordered chunks in, events out.',
  conversations: 'Stored conversations: find, read, edit, export, delete.',
  uploads: 'Files in parts: for large files and bad connections.',
  webhooks: 'Webhooks: who is told when an analysis ends.',
  tokens: 'Tokens: short-lived, for web pages.',
  keys: 'Keys: issue, change, rotate, revoke; what they used.',
  tenants: 'Tenants: by the operator, with sessions and the audit.',
  service: 'The service itself: whether it lives, and its description.',
} as const;
export type Tag = keyof typeof TAGS;

/** A JSON Schema (draft 2020-12), or a zod schema that one is made of. */
export type JsonSchema = { [keyword: string]: unknown };
export type Schema = z.ZodType | JsonSchema;

/** What a body or an answer holds, by media type. */
export type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>;

export interface ResponseDescription {
  description: string;
  content?: Content;
  /** Names of `ANSWER_HEADERS`. */
  headers?: readonly string[];
}

/** A route of the service as a person describes it. Who may call it stands in `contract/access.ts`. */
export interface RouteDescription {
  /** `operationId`. */
  id: string;
  tag: Tag;
  summary: string;
  /** Markdown. */
  description?: string;
  query?: z.ZodObject;
  /** Names of `REQUEST_HEADERS`. */
  headers?: readonly string[];
  body?: { content: Content; isOptional?: true };
  answers: Readonly<Record<number, ResponseDescription>>;
  /** Codes it may answer beside those that follow from who may call. */
  errors?: readonly ErrorCode[];
}

/** By `METHOD /path/:name`. */
export type Descriptions = Readonly<Record<string, RouteDescription>>;

export const json = (schema: Schema, example?: unknown): Content => ({ 'application/json': { schema, example } });

/** A body that is not JSON. */
export const bytes = (description: string): JsonSchema => ({ type: 'string', format: 'binary', description });
