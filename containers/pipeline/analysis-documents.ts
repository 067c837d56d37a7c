import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import type {
  DocumentSlot,
  LanguageModelMaterial,
  PipelineLine,
  ResultLine,
  SentDocumentName,
} from '../../src/contract/pipeline.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';

/**
 * Longest transcript that a language model receives, characters. A longer one is thinned out evenly by whole
 * utterances.
 */
const MATERIAL_CHARS = 240_000;

/** A part of a finished document. A slot is a text that a language model may improve. */
export interface DocumentPart {
  bytes: Buffer;
  slot?: DocumentSlot;
}

/** The documents that follow the `result` line, in this order. */
export type Documents = { name: SentDocumentName; parts: DocumentPart[] }[];

/** Members of the response that are separate parts, and members within those parts. */
const SLOT_NAMES: readonly string[] = ['summary', 'segmentation', 'moments', 'sentences'] satisfies DocumentSlot[];
const SLOTS_OF: Readonly<Record<string, readonly string[]>> = { insights: ['key_moments'] satisfies DocumentSlot[] };

/** The response as `JSON.stringify` would write it, split where a language model can improve a text. */
export function resultParts(analysis: AnalysisResponse): DocumentPart[] {
  const parts: DocumentPart[] = [];
  let text = '';
  const cut = () => {
    parts.push({ bytes: Buffer.from(text) });
    text = '';
  };
  const write = (members: object, slots: readonly string[]) => {
    const present = Object.entries(members).filter(([, value]) => value !== undefined);
    for (const [i, [name, value]] of present.entries()) {
      text += `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      const own = SLOTS_OF[name];
      if (slots.includes(name)) {
        cut();
        parts.push({ bytes: Buffer.from(JSON.stringify(value)), slot: name as DocumentSlot });
      } else if (own) write(value as object, own);
      else text += JSON.stringify(value);
    }
    text += '}';
  };
  write(analysis, SLOT_NAMES);
  cut();
  return parts;
}

/** The line that announces the documents, which follow it. @param seconds length of the recording */
export const resultLine = (documents: Documents, seconds: number): ResultLine & PipelineLine => ({
  type: 'result',
  audio_seconds: seconds,
  documents: documents.map(({ name, parts }) => ({
    name,
    parts: parts.map(({ bytes, slot }) => ({ bytes: bytes.length, ...(slot && { slot }) })),
  })),
});

/** The part of the transcript that a language model receives, in time order. */
export function materialOf(timeline: TimelineEntry[]): Pick<LanguageModelMaterial, 'transcript'> {
  const size = timeline.reduce(
    (sum, { utterance_id, speaker, text }) => sum + utterance_id.length + speaker.length + text.length,
    0,
  );
  const share = Math.min(1, MATERIAL_CHARS / size);
  const transcript: LanguageModelMaterial['transcript'] = [];
  let left = MATERIAL_CHARS;
  for (const [i, { utterance_id, speaker, text, t_start, t_end }] of timeline.entries()) {
    if (Math.floor((i + 1) * share) === Math.floor(i * share)) continue;
    left -= utterance_id.length + speaker.length + text.length;
    if (left < 0) break;
    transcript.push({ utterance_id, speaker, text, t_start, t_end });
  }
  return { transcript };
}
