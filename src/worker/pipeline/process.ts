import type { Env } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';

/** A request to a pipeline that runs as a plain process, with the token that it may demand. @param url of the process */
export function fetchProcess(env: Env, url: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { pipelineToken } = settingsOf(env);
  const headers = new Headers(init.headers);
  if (pipelineToken !== '') headers.set('Authorization', `Bearer ${pipelineToken}`);
  // A pipeline does not redirect, and the token is for it alone.
  return fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
}
