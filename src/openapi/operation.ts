import type * as z from 'zod';
import type { ErrorCode } from '../contract/errors.ts';

/** The chapters of the API reference. */
export const TAGS = {
  analyses: 'Analyses: send a recording and learn what happened in it.',
  live: 'Live capture: send ordered chunks, receive events.',
  conversations: 'Stored conversations: search, read, edit, export, delete.',
  uploads: 'Uploads in parts, for large files and bad connections.',
  webhooks: 'Webhooks: notifications when an analysis ends or a rule matches.',
  rules: 'Rules: find what is said and what happens in every conversation, stored, new and live.',
  commitments: 'Commitments: who owes whom what in all conversations, and until when.',
  patterns: 'Patterns: what happens in all conversations, and where it can be heard.',
  people: 'People: who the speakers of conversations are.',
  playlists: 'Playlists: named lists of pieces of conversations, to hear one after another.',
  views: 'Views: filters of the dashboard pages under names, for everybody with a key of the tenant.',
  shares: 'Shares: links to a conversation that work for days without a key, until they are taken back.',
  holds: 'Holds: keep conversations from being deleted, one by one or by a filter, until they are lifted.',
  redactions: 'Redactions: remove personal data from what is stored, and receipts of everything that was removed.',
  tokens: 'Tokens: short-lived credentials for web pages.',
  keys: 'Keys: issue, change, rotate and revoke them; their usage.',
  members: 'Members: people who sign in with OpenID Connect, with a role.',
  tenants: 'Tenants, operator sessions and the audit log.',
  service: 'The service itself: health, metrics, pages and documentation.',
} as const;
export type Tag = keyof typeof TAGS;

/** A JSON Schema (draft 2020-12), or the zod schema to generate one from. */
export type JsonSchema = { [keyword: string]: unknown };
export type Schema = z.ZodType | JsonSchema;

/** The content of a request or response body, by media type. */
export type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>;

export interface ResponseDescription {
  description: string;
  content?: Content;
  /** Names of `ANSWER_HEADERS`. */
  headers?: readonly string[];
}

/** The hand-written description of a route. `contract/access.ts` determines who may call it. */
export interface RouteDescription {
  /** `operationId`. */
  id: string;
  tag: Tag;
  summary: string;
  /** Markdown. */
  description?: string;
  /** Names of `REQUEST_HEADERS`. */
  headers?: readonly string[];
  body?: { content: Content; isOptional?: true };
  answers: Readonly<Record<number, ResponseDescription>>;
  /** Error codes of the route, in addition to those that follow from its access. */
  errors?: readonly ErrorCode[];
}

/** Operations by `METHOD /path/:name`. */
export type Descriptions = Readonly<Record<string, RouteDescription>>;

export const json = (schema: Schema, example?: unknown): Content => ({ 'application/json': { schema, example } });

/** A body that is not JSON. */
export const bytes = (description: string): JsonSchema => ({ type: 'string', format: 'binary', description });
