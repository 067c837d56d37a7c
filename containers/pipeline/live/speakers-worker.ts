import { parentPort } from 'node:worker_threads';
import { ProvisionalSpeakers } from '../diarization/provisional.ts';
import { SpeakerFeatures } from '../diarization/speaker-features.ts';
import type { SpeakersReply, SpeakersRequest } from './speakers.ts';

/** Entry point of the worker thread that labels the speakers of all live sessions. */
const port = parentPort!;
const sessions = new Map<number, { features: SpeakerFeatures; speakers: ProvisionalSpeakers }>();

function answer(request: SpeakersRequest): void {
  if (request.type === 'open') {
    const features = new SpeakerFeatures();
    const options = request.speakers === undefined ? {} : { speakers: request.speakers };
    sessions.set(request.session, { features, speakers: new ProvisionalSpeakers(features, options) });
  } else if (request.type === 'push') sessions.get(request.session)?.features.push(request.samples);
  else if (request.type === 'recall') sessions.get(request.session)?.speakers.recall(request.regions, request);
  else if (request.type === 'close') sessions.delete(request.session);
  else {
    const speakers = sessions.get(request.session)?.speakers;
    const labelled = request.regions.length > 0 ? speakers?.label(...request.regions) : undefined;
    const turns = speakers?.since(request.since) ?? [];
    port.postMessage({ id: request.id, turns, renumbered: labelled?.renumbered } satisfies SpeakersReply);
  }
}

port.on('message', answer);
