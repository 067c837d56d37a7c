import { momentCategory } from '../../../contract/findings.ts';
import { clock } from './clock.ts';
import { type Exported, type ExportedUtterance, roleOf } from './exported.ts';

/** A line of a section. */
export interface OutlineLine {
  text: string;
  /** Start in seconds and the first utterance of the evidence, if there is any. */
  at?: number;
  utteranceId?: string;
  /** Text shown before the line. */
  lead?: string;
}

export interface Section {
  heading: string;
  lines: OutlineLine[];
}

/** Consecutive utterances of one speaker. Long paragraphs are split. */
export interface ExportedTurn {
  speaker: string;
  at: number;
  utterances: ExportedUtterance[];
}

/** The contents of a readable export, in order. Each format only adds markup. */
export interface Outline {
  title: string;
  /** Facts about the conversation, each with a name. */
  facts: [name: string, value: string][];
  sections: Section[];
  phases: { name: string; at: number; turns: ExportedTurn[] }[];
}

/** Length of a transcript paragraph that is comfortable to read, characters. */
const TURN_CHARS = 600;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function outlineOf(conversation: Exported): Outline {
  const { title, createdAt, duration, goal, labels, summary, metrics, timeline } = conversation;
  const { speakers } = metrics;
  const roles = new Map(timeline.map((utterance) => [utterance.speaker, roleOf(conversation, utterance)]));
  const withRole = (speaker: string): string => {
    const role = roles.get(speaker);
    return role === undefined ? speaker : `${speaker} (${role})`;
  };
  const facts: Outline['facts'] = [
    ['Date', `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`],
    ['Length', clock(duration)],
    ['People', Object.keys(speakers).map(withRole).join(', ')],
  ];
  if (goal !== '') facts.push(['Question', goal]);
  if (labels.length > 0) facts.push(['Labels', labels.join(', ')]);
  const listed = (heading: string, lines: readonly string[] | null): Section => ({
    heading,
    lines: (lines ?? []).map((text) => ({ text })),
  });
  const sections: Section[] = [
    listed('Overview', summary.overview === '' ? [] : [summary.overview]),
    listed('Key insights', summary.key_insights),
    listed('Next steps', summary.recommendations),
    { heading: 'Moments', lines: momentsOf(conversation) },
    listed('What went well', summary.what_went_well),
    listed('What went wrong', summary.what_went_wrong),
    listed('Patterns', summary.notable_patterns),
    // Without reasons the quality is the middle of the scale, which says nothing.
    listed(
      'Quality',
      summary.quality_reasons.length === 0
        ? []
        : [[summary.conversation_quality, ...summary.quality_reasons].join('; ')],
    ),
    {
      heading: 'Speaking statistics',
      lines: Object.entries(speakers).map(([lead, m]) => ({
        lead,
        text: [
          ...(m.talk_ratio === null ? [] : [`${percent(m.talk_ratio)} of the speech`]),
          `${Math.round(m.words_per_minute)} words a minute`,
          `${m.questions} ${m.questions === 1 ? 'question' : 'questions'}`,
          ...(m.longest_monologue_s === null ? [] : [`longest turn ${clock(m.longest_monologue_s)}`]),
        ].join(', '),
      })),
    },
  ];
  return {
    title: title || 'Conversation',
    facts,
    sections: sections.filter(({ lines }) => lines.length > 0),
    phases: phasesOf(conversation),
  };
}

const momentsOf = ({ moments }: Exported): OutlineLine[] =>
  moments
    .toSorted((a, b) => a.start_ms - b.start_ms)
    .map(({ category, start_ms, utterance_ids, summary }) => ({
      lead: momentCategory(category).label,
      text: summary,
      at: start_ms / 1000,
      utteranceId: utterance_ids[0]!,
    }));

function phasesOf({ timeline, segmentation }: Exported): Outline['phases'] {
  const named = new Map(segmentation.phases.map((phase) => [phase.start_utterance_id, phase.phase_name]));
  const phases: Outline['phases'] = [];
  let chars = 0;
  for (const utterance of timeline) {
    const { utterance_id, speaker, t_start, text } = utterance;
    const name = named.get(utterance_id);
    if (name !== undefined || phases.length === 0) phases.push({ name: name ?? '', at: t_start, turns: [] });
    const { turns } = phases.at(-1)!;
    const turn = turns.at(-1);
    if (turn?.speaker === speaker && chars + text.length <= TURN_CHARS) {
      turn.utterances.push(utterance);
      chars += text.length;
    } else {
      turns.push({ speaker, at: t_start, utterances: [utterance] });
      chars = text.length;
    }
  }
  return phases;
}
