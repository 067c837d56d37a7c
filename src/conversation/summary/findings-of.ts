import type { ConversationPhase, ConversationSegmentation, ConversationSummary } from '../../contract/findings.ts';
import type { Insights, KeyMoment } from '../../contract/insights.ts';
import type { LineEvidence } from './evidence.ts';

/**
 * Findings whose sentences are of type `S`, which is spans while conclusions are drawn, and strings when they are sent.
 */
export type SummaryOf<S> = Omit<
  ConversationSummary,
  | 'overview'
  | 'key_insights'
  | 'notable_patterns'
  | 'recommendations'
  | 'what_went_well'
  | 'what_went_wrong'
  | 'evidence'
  | 'quality_reasons'
> & {
  overview: S;
  key_insights: S[];
  notable_patterns: S[];
  recommendations: S[];
  what_went_well: S[] | null;
  what_went_wrong: S[] | null;
  evidence: LineEvidence<S>[];
  quality_reasons: S[];
};

export type KeyMomentOf<S> = Omit<KeyMoment, 'description'> & { description: S };
type HotspotOf<S> = Omit<Insights['cognitive_profile']['hotspots'][number], 'description'> & { description: S };
export type InsightsOf<S> = Omit<Insights, 'key_moments' | 'cognitive_profile'> & {
  key_moments: KeyMomentOf<S>[];
  cognitive_profile: Omit<Insights['cognitive_profile'], 'hotspots' | 'tips'> & {
    hotspots: HotspotOf<S>[];
    tips: S[];
  };
};

export type PhaseOf<S> = Omit<
  ConversationPhase,
  'phase_name' | 'theme' | 'summary' | 'key_moments' | 'transition_signal'
> & { phase_name: S; theme: S; summary: S; key_moments: S[]; transition_signal: S | null };
type KeyTransition = ConversationSegmentation['key_transitions'][number];
export type SegmentationOf<S> = Omit<
  ConversationSegmentation,
  'phases' | 'segmentation_rationale' | 'narrative_arc' | 'key_transitions'
> & {
  phases: PhaseOf<S>[];
  segmentation_rationale: S;
  narrative_arc: S;
  key_transitions: (Omit<KeyTransition, 'from_phase' | 'to_phase' | 'trigger'> & {
    from_phase: S;
    to_phase: S;
    trigger: S;
  })[];
};

/** Replaces the sentences of a summary, and nothing else. */
export const mapSummary = <A, B>(summary: SummaryOf<A>, of: (sentence: A) => B): SummaryOf<B> => ({
  ...summary,
  overview: of(summary.overview),
  key_insights: summary.key_insights.map(of),
  notable_patterns: summary.notable_patterns.map(of),
  recommendations: summary.recommendations.map(of),
  what_went_well: summary.what_went_well?.map(of) ?? null,
  what_went_wrong: summary.what_went_wrong?.map(of) ?? null,
  evidence: summary.evidence.map((line) => ({ ...line, text: of(line.text) })),
  quality_reasons: summary.quality_reasons.map(of),
});

/** Replaces the sentences of insights, and nothing else. */
export const mapInsights = <A, B>(insights: InsightsOf<A>, of: (sentence: A) => B): InsightsOf<B> => ({
  ...insights,
  key_moments: insights.key_moments.map((moment) => ({ ...moment, description: of(moment.description) })),
  cognitive_profile: {
    ...insights.cognitive_profile,
    hotspots: insights.cognitive_profile.hotspots.map((spot) => ({ ...spot, description: of(spot.description) })),
    tips: insights.cognitive_profile.tips.map(of),
  },
});

/** Replaces the sentences of a segmentation, including the names and themes of its phases, and nothing else. */
export const mapSegmentation = <A, B>(segmentation: SegmentationOf<A>, of: (sentence: A) => B): SegmentationOf<B> => ({
  ...segmentation,
  phases: segmentation.phases.map((phase) => ({
    ...phase,
    phase_name: of(phase.phase_name),
    theme: of(phase.theme),
    summary: of(phase.summary),
    key_moments: phase.key_moments.map(of),
    transition_signal: phase.transition_signal === null ? null : of(phase.transition_signal),
  })),
  segmentation_rationale: of(segmentation.segmentation_rationale),
  narrative_arc: of(segmentation.narrative_arc),
  key_transitions: segmentation.key_transitions.map((transition) => ({
    ...transition,
    from_phase: of(transition.from_phase),
    to_phase: of(transition.to_phase),
    trigger: of(transition.trigger),
  })),
});
