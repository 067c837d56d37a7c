import { type ConversationSetting, momentCategory } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import type { Outcomes } from '../outcomes.ts';
import type { PhaseSignal } from '../phases/phase-signals.ts';
import type { Phase } from '../phases/phases.ts';
import type { NarrativeSentences } from '../sentences/sentences.ts';
import { joined, type Spans, textOf } from '../sentences/spans.ts';

/** Minimum change of mean valence over the conversation for it to count as a change of tone. */
const NOTABLE_VALENCE = 0.08;
/** Number of phases that the arc names one by one. The middle of longer conversations is left out. */
const NAMED_PHASES = 7;
const FIRST_PHASES = 4;
const LAST_PHASES = 2;

/** Signals that the rationale counts, in the order in which it lists them. */
const COUNTED = ['announcement', 'silence', 'question', 'floor', 'mood'] as const satisfies PhaseSignal['by'][];

/** The reason why the conversation was divided at these places. */
export function rationale(phases: readonly Phase[], language: Language): Spans {
  const { narrative: say } = language.sentences;
  if (phases.length === 1) return say.singlePhase(phases[0]!.topics.slice(0, 2).map((t) => t.surface));
  const neighbours = phases.slice(1).map((after, i) => [phases[i]!, after] as const);
  const topicChanges = neighbours.flatMap(([before, after]): [string, string][] => {
    const [old, now] = [before.topics[0], after.topics[0]];
    return before.kind === after.kind && old && now && old.stem !== now.stem ? [[old.surface, now.surface]] : [];
  });
  const counts = COUNTED.map((by) => ({ by, count: phases.filter(({ signal }) => signal?.by === by).length }));
  return say.division({
    purposeChanges: neighbours.some(([before, after]) => before.kind !== after.kind),
    topicChanges: topicChanges.slice(0, 4),
    boundaries: phases.length - 1,
    signals: counts.filter(({ count }) => count > 0),
  });
}

/** The conversation as a story in a few sentences: how it starts, its turning points, and how it ends. */
export function narrativeArc(
  {
    setting,
    phases,
    names,
    outcomes,
  }: { setting: ConversationSetting; phases: readonly Phase[]; names: readonly string[]; outcomes: Outcomes },
  language: Language,
): Spans {
  const { narrative: say, overview } = language.sentences;
  const course = courseOf(phases, names, language);
  const who = setting === 'conversation' || setting === 'single_voice' ? [] : [overview.setting(setting)];
  return joined([...who, course, ...tone(phases[0]!, phases.at(-1)!, say), ...turningPoints(outcomes, say)], ' ');
}

/** Whether two phases have the same purpose, or the same topic if neither has a purpose. */
const isSame = (a: Pick<Phase, 'kind' | 'topic'>, b: Pick<Phase, 'kind' | 'topic'>): boolean =>
  a.kind === b.kind && (a.kind !== undefined || a.topic === b.topic);

/** The phases that have a purpose or a topic, in order. Neighbours among them with the same purpose count once. */
function courseOf(phases: readonly Phase[], names: readonly string[], { sentences }: Language): Spans {
  const { narrative: say } = sentences;
  const named = phases.flatMap(({ kind, topic }, i) =>
    kind === undefined && topic === undefined ? [] : [{ kind, topic, name: names[i]! }],
  );
  const [first] = named;
  if (first && named.length > 1 && named.every((one) => isSame(first, one))) {
    const topics = [...new Set(named.flatMap(({ topic }) => topic ?? []))].slice(0, NAMED_PHASES);
    return say.stays({ kind: first.kind, topics, named: named.length, phases: phases.length });
  }
  const stations: string[] = [];
  named.forEach(({ kind, name }, i) => {
    if (kind === undefined || kind !== named[i - 1]?.kind) stations.push(name);
    else stations[stations.length - 1] = textOf(sentences.phases.name({ kind, topic: undefined }));
  });
  const isLong = stations.length > NAMED_PHASES;
  return say.course({
    names: isLong ? stations.slice(0, FIRST_PHASES) : stations,
    omitted: isLong ? stations.length - FIRST_PHASES - LAST_PHASES : 0,
    last: isLong ? stations.slice(-LAST_PHASES) : [],
    phases: phases.length,
  });
}

function tone({ tone: first }: Phase, { tone: last }: Phase, say: NarrativeSentences): Spans[] {
  if (first.valence === null || last.valence === null) return [];
  if (first === last) return [say.tone({ change: 'single', tone: first.word })];
  if (first.word === last.word) return [say.tone({ change: 'none', tone: first.word })];
  const change = last.valence - first.valence;
  const [from, to] = [first.word, last.word];
  if (Math.abs(change) < NOTABLE_VALENCE) return [say.tone({ change: 'little', from, to })];
  return [say.tone({ change: change > 0 ? 'brighter' : 'darker', from, to })];
}

/** The first objection, and the outcome of the proposals. */
function turningPoints({ accepted, rejected, overcome, unresolved }: Outcomes, say: NarrativeSentences): Spans[] {
  const objection = overcome[0] ?? unresolved[0];
  const answer = [...accepted, ...rejected].sort((a, b) => a.answer.start_ms - b.answer.start_ms).at(-1)?.answer;
  return [
    ...(objection ? [say.objection(objection.speaker_id, objection.labels[0])] : []),
    ...(answer
      ? [say.ending({ speaker: answer.speaker_id, isAccepted: momentCategory(answer.category).agrees === true })]
      : []),
  ];
}
