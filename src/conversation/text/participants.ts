import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';

/** A recorded voice. */
export type Machine = 'answering_machine' | 'announcement';

/** Consecutive utterances of one speaker. The run belongs to a machine if it contains a recorded phrase. */
export interface Run {
  readonly speaker: string;
  machine: Machine | undefined;
}

/** How many characters before the newest utterance a recorded text can begin. */
const CARRIED_CHARS = 120;

/** The participants in a conversation: people, and recorded voices. */
export class Participants {
  readonly #language: Language;
  #run: Run | undefined;
  #tail = '';
  /** Runs of people, by speaker. */
  readonly #personal = new Map<string, number>();
  #machine: Machine | undefined;

  constructor(language: Language) {
    this.#language = language;
  }

  /**
   * Adds the next utterance.
   * @returns its run; later utterances may show that it is a machine's
   */
  add({ speaker, text }: Pick<Utterance, 'speaker' | 'text'>): Run {
    if (this.#run?.speaker !== speaker) {
      this.#run = { speaker, machine: undefined };
      this.#tail = '';
      this.#personal.set(speaker, (this.#personal.get(speaker) ?? 0) + 1);
    }
    const words = `${this.#tail} ${text.replaceAll('’', "'")}`;
    this.#tail = words.slice(-CARRIED_CHARS);
    const { answeringMachine, announcement } = this.#language.participants;
    if (answeringMachine.test(words)) this.#isMachine(this.#run, 'answering_machine');
    else if (announcement.test(words)) this.#isMachine(this.#run, 'announcement');
    return this.#run;
  }

  #isMachine(run: Run, machine: Machine): void {
    if (!run.machine) this.#personal.set(run.speaker, this.#personal.get(run.speaker)! - 1);
    run.machine ??= machine;
    if (this.#machine !== 'answering_machine') this.#machine = machine;
  }

  /** The number of speakers who are people. */
  get people(): number {
    return [...this.#personal.values()].filter((runs) => runs > 0).length;
  }

  /** The recorded voice of the conversation. An answering machine's takes precedence over an announcement's. */
  get machine(): Machine | undefined {
    return this.#machine;
  }
}
