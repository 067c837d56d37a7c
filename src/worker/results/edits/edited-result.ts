import type { AgentResult, AnalysisResponse } from '../../../contract/analysis.ts';
import type { ServiceEvent } from '../../../contract/events.ts';
import { type Findings, type MomentEvent, momentCategory, type TransitionEvent } from '../../../contract/findings.ts';
import type { SpeakerCount } from '../../../contract/media.ts';
import type { Utterance } from '../../../contract/timeline.ts';
import type { TimelineEntry } from '../../../contract/timeline-entry.ts';
import { recordedAt } from '../../../conversation/commitments/recorded-at.ts';
import { concludeInSteps } from '../../../conversation/conclude.ts';
import type { Language } from '../../../conversation/language.ts';
import { languageOf } from '../../../conversation/languages.ts';
import { asAlone } from '../../../conversation/turn-taking/lone-voice.ts';
import type { SegmentationWeights } from '../../../conversation/weights.ts';
import { correctedEntry, correctedMoment, correctedUtterance } from './corrections.ts';
import { changesConclusions, type Edited, labelOf, mergedLabelOf, nameOf } from './edited.ts';
import { agentResultWithoutAffect, entryWithoutAffect, utteranceWithoutAffect } from './hidden-affect.ts';
import { renameInFindings, renameInMoment } from './naming.ts';

/**
 * The members of a measured result that edits depend on. An utterance has the fields that the conversation analysis
 * reads.
 */
export interface MeasuredResult extends Findings {
  timeline: readonly Utterance[];
  goal: string;
  /** Absent from the results of early versions. */
  options?: Pick<AnalysisResponse['options'], 'language' | 'recorded_at' | 'time_zone'>;
  speakers: SpeakerCount;
}

/** Events of the analysis that edits leave unchanged. */
type Noticed = Pick<MeasuredResult, 'moments' | 'transitions' | 'options'>;

/** The members of a result that edits replace as a whole. The timeline and the agent results change entry by entry. */
export type EditedMembers = Findings & { speakers: SpeakerCount };

/**
 * A measured result with edits applied. Names replace the speaker labels in members and in the service's sentences, but
 * not in quoted words. After a merge or a move, the counts and sentences are computed again for the utterances of the
 * new speakers. Moments and transitions stay with their utterances; those between two speakers who became one are
 * dropped. Hidden affect is left out of the utterances, and the conclusions are drawn again without it.
 */
export class EditedResult {
  readonly #edited: Edited;
  readonly #language: Language;
  /** By id; undefined for a dropped transition. */
  readonly #transitions: ReadonlyMap<string, TransitionEvent | undefined>;
  readonly #moments: ReadonlyMap<string, MomentEvent | undefined>;
  readonly members: EditedMembers;

  private constructor(edited: Edited, measured: Noticed, members: EditedMembers) {
    this.#edited = edited;
    this.#language = languageFor(measured);
    this.members = members;
    this.#transitions = new Map([
      ...measured.transitions.map((t) => [t.transition_id, undefined] as const),
      ...members.transitions.map((t) => [t.transition_id, t] as const),
    ]);
    this.#moments = new Map([
      ...measured.moments.map((m) => [m.moment_id, undefined] as const),
      ...members.moments.map((m) => [m.moment_id, m] as const),
    ]);
  }

  /** Applies edits in steps, so that other work can run in between. The longest conversation takes seconds. */
  static *inSteps(
    edited: Edited,
    measured: MeasuredResult,
    weights: SegmentationWeights,
  ): Generator<void, EditedResult> {
    const { timeline, setting, summary, insights, transitions, moments, segmentation, sentences, speakers } = measured;
    const { commitments, open_questions } = measured;
    const owed = { ...(commitments && { commitments }), ...(open_questions && { open_questions }) };
    const regrouped = changesConclusions(edited)
      ? yield* regroup(edited, measured, weights)
      : { ...(setting && { setting }), summary, insights, transitions, moments, segmentation, ...owed, sentences };
    const remaining = new Set(timeline.map((u) => labelOf(edited, u.utterance_id, u.speaker))).size;
    const count = new Set(timeline.map((u) => u.speaker)).size;
    return new EditedResult(edited, measured, {
      ...renameInFindings(regrouped, (label) => nameOf(edited, label), languageFor(measured)),
      // The number of speakers is taken from the edits.
      speakers: remaining === count ? speakers : { count: remaining, confidence: 1, source: 'given' },
    });
  }

  /** A result whose members are already computed. It provides the entries and the events. */
  static of(edited: Edited, measured: Noticed, members: EditedMembers): EditedResult {
    return new EditedResult(edited, measured, members);
  }

  entry(measured: TimelineEntry): TimelineEntry {
    const text = this.#edited.corrections.get(measured.utterance_id);
    const entry = text === undefined ? measured : correctedEntry(measured, text);
    const label = labelOf(this.#edited, entry.utterance_id, entry.speaker);
    const speaker = nameOf(this.#edited, label);
    // In results of early versions, the speakers are the only labels.
    const isLabelled = entry.speaker_label !== undefined || speaker !== label;
    const named = { ...entry, speaker, ...(isLabelled && { speaker_label: label }) };
    if (this.#hides(entry.utterance_id, entry.speaker)) return entryWithoutAffect(named);
    return { ...named, emotion: entry.emotion && { ...entry.emotion, speaker_id: speaker } };
  }

  agentResult(result: AgentResult): AgentResult {
    const { emotion } = result;
    if (!emotion) return result;
    if (this.#hides(result.utterance_id, emotion.speaker_id)) return agentResultWithoutAffect(result);
    return { ...result, emotion: { ...emotion, speaker_id: this.#speakerOf(result.utterance_id, emotion.speaker_id) } };
  }

  /**
   * An event of the analysis log. Undefined if the edits drop it.
   * @param isFinal whether its utterances are those of the result; during a live session they were provisional
   */
  event(event: ServiceEvent, isFinal: boolean): ServiceEvent | undefined {
    const speakerOf = (id: string, label: string): string =>
      isFinal ? this.#speakerOf(id, label) : this.#nameOf(label);
    // A provisional label may turn out to be anybody. If anyone's affect is hidden, none is shown.
    const hides = (id: string, label: string): boolean =>
      isFinal ? this.#hides(id, label) : this.#edited.hidden.size > 0;
    switch (event.event) {
      case 'final_transcript':
        return {
          ...event,
          data: {
            ...event.data,
            speaker: speakerOf(event.data.utterance_id, event.data.speaker),
            text: this.#edited.corrections.get(event.data.utterance_id) ?? event.data.text,
          },
        };
      case 'emotion':
        if (hides(event.data.utterance_id, event.data.speaker_id)) return undefined;
        return {
          ...event,
          data: { ...event.data, speaker_id: speakerOf(event.data.utterance_id, event.data.speaker_id) },
        };
      case 'cognitive':
        if (hides(event.data.utterance_id, event.data.speaker_id)) return undefined;
        return {
          ...event,
          data: { ...event.data, speaker_id: speakerOf(event.data.utterance_id, event.data.speaker_id) },
        };
      case 'transition':
        if (!isFinal && this.#edited.hidden.size > 0) return undefined;
        return this.#transitionEvent(event.data);
      case 'moment':
        return this.#momentEvent(event.data);
      case 'rule_match':
        // It quotes provisional words, which the edits may have changed. The record has the current matches.
        return undefined;
      case 'summary_update':
        return { ...event, data: this.members.summary };
      default:
        return event;
    }
  }

  #transitionEvent(data: TransitionEvent): ServiceEvent | undefined {
    const now = this.#transitions.get(data.transition_id);
    if (!now && this.#transitions.has(data.transition_id)) return undefined;
    if (data.speaker_id === undefined) return { event: 'transition', data };
    return { event: 'transition', data: { ...data, speaker_id: now?.speaker_id ?? this.#nameOf(data.speaker_id) } };
  }

  #momentEvent(data: MomentEvent): ServiceEvent | undefined {
    const now = this.#moments.get(data.moment_id);
    if (!now && this.#moments.has(data.moment_id)) return undefined;
    return { event: 'moment', data: now ?? renameInMoment(data, (label) => this.#nameOf(label), this.#language) };
  }

  #speakerOf(utteranceId: string, measured: string): string {
    return nameOf(this.#edited, labelOf(this.#edited, utteranceId, measured));
  }

  #hides(utteranceId: string, measured: string): boolean {
    return this.#edited.hidden.has(labelOf(this.#edited, utteranceId, measured));
  }

  #nameOf(label: string): string {
    return nameOf(this.#edited, mergedLabelOf(this.#edited, label));
  }
}

/** Applies edits to a whole result. */
export function applied(result: AnalysisResponse, edited: Edited, weights: SegmentationWeights): AnalysisResponse {
  const steps = EditedResult.inSteps(edited, result, weights);
  for (;;) {
    const { done, value } = steps.next();
    if (!done) continue;
    const timeline = result.timeline.map((entry) => value.entry(entry));
    const agent_results = result.agent_results.map((one) => value.agentResult(one));
    return { ...result, timeline, ...value.members, agent_results };
  }
}

/** The language that a conversation was analysed in. */
const languageFor = ({ options }: Pick<MeasuredResult, 'options'>): Language => languageOf(options?.language);

/** Draws the conclusions again after merges and moves, over the new speakers' utterances and without hidden affect. */
function* regroup(edited: Edited, measured: MeasuredResult, weights: SegmentationWeights): Generator<void, Findings> {
  const owners = new Map<string, string>();
  const texts = new Map<string, { before: string; after: string }>();
  const utterances = measured.timeline.map((u): Utterance => {
    const speaker = labelOf(edited, u.utterance_id, u.speaker);
    owners.set(u.utterance_id, speaker);
    const text = edited.corrections.get(u.utterance_id);
    if (text !== undefined) texts.set(u.utterance_id, { before: u.text, after: text });
    const said = text === undefined ? u : correctedUtterance(u, text);
    const shown = edited.hidden.has(speaker) ? utteranceWithoutAffect(said) : said;
    return speaker === u.speaker ? shown : { ...shown, speaker };
  });
  const language = languageFor(measured);
  const people = new Set(owners.values()).size;
  const reassigned = measured.moments.map((found): MomentEvent => {
    const moment = correctedMoment(found, texts, language);
    const speaker = owners.get(moment.utterance_ids[0]!) ?? mergedLabelOf(edited, moment.speaker_id);
    return renameInMoment(moment, (label) => (label === moment.speaker_id ? speaker : label), language);
  });
  const speakers = new Map(reassigned.map((m) => [m.moment_id, m.speaker_id]));
  // Speakers do not answer their own proposals, nor object to them.
  const moments = reassigned.filter(
    (m) => speakers.get(m.answers ?? '') !== m.speaker_id && (people > 1 || !momentCategory(m.category).needsOthers),
  );
  const transitions = measured.transitions.flatMap((transition): TransitionEvent[] => {
    const speakers = new Set(transition.evidence_utterance_ids.map((id) => owners.get(id)));
    if ([...speakers].some((speaker) => edited.hidden.has(speaker ?? ''))) return [];
    if (transition.speaker_id === undefined) return [transition];
    const [speaker_id] = speakers;
    return speakers.size === 1 && speaker_id !== undefined ? [{ ...transition, speaker_id }] : [];
  });
  // Speakers merged by a user are one person.
  const wasAlone = new Set(measured.timeline.map((u) => u.speaker)).size === 1;
  const alone = wasAlone ? asAlone(measured.setting) : 'single_voice';
  const recorded = recordedAt(measured.options ?? {});
  return yield* concludeInSteps(
    { utterances, transitions, moments, goal: measured.goal, language, alone, ...(recorded && { recorded }) },
    weights,
  );
}
