import type { AnalysisResponse } from '../../contract/analysis.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { ndjsonLine } from '../../contract/ndjson.ts';
import type { Analysis } from './run.ts';

/** R2 keys of one conversation, all under its tenant. */
export interface ArtifactKeys {
  /** Ends with a slash. */
  directory: string;
  upload: string;
  result: string;
  agentOutputs: string;
  events: string;
}

/** `<tenant>/<conversation_id>/…` (decisions: artifact_dir). */
export function artifactKeys(tenant: string, conversationId: string, suffix: MediaExtension): ArtifactKeys {
  const directory = `${tenant}/${conversationId}/`;
  return {
    directory,
    upload: `${directory}upload${suffix}`,
    result: `${directory}result.json`,
    agentOutputs: `${directory}agent_outputs.json`,
    events: `${directory}events.ndjson`,
  };
}

/** The body of a successful batch analysis, and what `result.json` holds. */
export const analysisResponse = (analysis: Analysis, keys: ArtifactKeys): AnalysisResponse => ({
  conversation_id: analysis.conversationId,
  utterances: analysis.timeline.length,
  timeline: analysis.timeline,
  ...analysis.findings,
  agent_results: analysis.agentResults,
  artifact_dir: keys.directory,
  upload_path: keys.upload,
  agent_outputs_path: keys.agentOutputs,
  goal: analysis.goal,
  media: analysis.media,
  speakers: analysis.speakers,
  warnings: analysis.warnings,
});

/** Writes what came out beside the upload. `events` are all events of the conversation, in order, numbered from 0. */
export async function storeArtifacts(
  bucket: R2Bucket,
  keys: ArtifactKeys,
  result: AnalysisResponse,
  events: readonly ServiceEvent[],
): Promise<void> {
  const numbered = events.map(({ event, data }, id) => ndjsonLine({ id, event, data })).join('');
  await Promise.all([
    put(bucket, keys.result, JSON.stringify(result), 'application/json'),
    put(bucket, keys.agentOutputs, JSON.stringify(result.agent_results), 'application/json'),
    put(bucket, keys.events, numbered, 'application/x-ndjson'),
  ]);
}

const put = (bucket: R2Bucket, key: string, text: string, contentType: string) =>
  bucket.put(key, text, { httpMetadata: { contentType } });

/** Leaves nothing of a conversation that failed. */
export const removeArtifacts = (bucket: R2Bucket, keys: ArtifactKeys): Promise<void> =>
  bucket.delete([keys.upload, keys.result, keys.agentOutputs, keys.events]);
