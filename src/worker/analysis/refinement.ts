import type { ServiceEvent } from '../../contract/events.ts';
import type { EventLine, LanguageModelMaterial } from '../../contract/pipeline.ts';
import type { RefinedSlots as Documents } from '../pipeline/reader.ts';
import type { RefinedFindings } from './language-model.ts';

/** The findings as the operator's language model rewrote them, for the events and the documents of one analysis. */
export class Refinement {
  readonly #refine: ((material: LanguageModelMaterial) => Promise<RefinedFindings>) | undefined;
  #refined: RefinedFindings | undefined;

  /** @param refine undefined when no language model is enabled. It never rejects. */
  constructor(refine: ((material: LanguageModelMaterial) => Promise<RefinedFindings>) | undefined) {
    this.#refine = refine;
  }

  /** Whether the pipeline has to send the material for a language model. */
  get isWanted(): boolean {
    return this.#refine !== undefined;
  }

  async refine(material: LanguageModelMaterial): Promise<void> {
    this.#refined = await this.#refine?.(material);
  }

  /** The event in a pipeline line, with the refined summary. */
  eventOf({ event, data }: EventLine): ServiceEvent {
    return { event, data: event === 'summary_update' && this.#refined ? this.#refined.summary : data } as ServiceEvent;
  }

  /** The parts of the documents that replace the built-in texts. */
  get documents(): Documents {
    if (!this.#refined) return {};
    const { summary, segmentation, moments, key_moments, sentences } = this.#refined;
    return {
      summary: JSON.stringify(summary),
      segmentation: JSON.stringify(segmentation),
      moments: JSON.stringify(moments),
      key_moments: JSON.stringify(key_moments),
      sentences: JSON.stringify(sentences),
    };
  }
}
