export { Undertone } from './client.ts';
export type { CallOptions, Retry, UndertoneOptions } from './connection.ts';
export { type ClientErrorCode, UndertoneError } from './error.ts';
export type { StreamEvent } from './events.ts';
export type { Live, LiveCapture, LiveOptions, LiveStartOptions } from './live.ts';
export type { ChunkProgress } from './live-chunks.ts';
export type { LivePosition } from './live-life.ts';
export type { AnalyzeOptions, Media } from './media.ts';
export type * from './wire.ts';
