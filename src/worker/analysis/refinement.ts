import type { ServiceEvent } from '../../contract/events.ts';
import type { EventLine, LanguageModelMaterial } from '../../contract/pipeline.ts';
import type { RefinedSlots as Documents } from '../pipeline/reader.ts';
import type { RefinedFindings } from './language-model.ts';

/** What the operator's language model says better of one analysis, wherever it stands: in the events and the documents. */
export class Refinement {
  readonly #refine: ((material: LanguageModelMaterial) => Promise<RefinedFindings>) | undefined;
  #told: RefinedFindings | undefined;

  /** @param refine undefined when no language model is switched on. Never rejects. */
  constructor(refine: ((material: LanguageModelMaterial) => Promise<RefinedFindings>) | undefined) {
    this.#refine = refine;
  }

  /** Whether the pipeline is to tell the material. */
  get isWanted(): boolean {
    return this.#refine !== undefined;
  }

  async take(material: LanguageModelMaterial): Promise<void> {
    this.#told = await this.#refine?.(material);
  }

  /** The event of a line, as it is told. */
  event({ event, data }: EventLine): ServiceEvent {
    return { event, data: event === 'summary_update' && this.#told ? this.#told.summary : data } as ServiceEvent;
  }

  /** What stands in the documents in the place of the built-in texts. */
  get documents(): Documents {
    if (!this.#told) return {};
    const { summary, segmentation, moments, key_moments, sentences } = this.#told;
    return {
      summary: JSON.stringify(summary),
      segmentation: JSON.stringify(segmentation),
      moments: JSON.stringify(moments),
      key_moments: JSON.stringify(key_moments),
      sentences: JSON.stringify(sentences),
    };
  }
}
