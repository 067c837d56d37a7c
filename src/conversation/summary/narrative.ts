import { momentCategory } from '../../contract/findings.ts';
import type { Outcomes } from '../outcomes.ts';
import type { PhaseSignal } from '../phases/phase-signals.ts';
import type { Phase } from '../phases/phases.ts';
import { enumerate } from './wording.ts';

/** Change of mean valence over the conversation worth telling. */
const TOLD_VALENCE = 0.08;
/** Phases named one by one in the arc; the middle of longer conversations is cut. */
const NAMED_PHASES = 7;

/** How a phase can show that it begins, in the words of a count. */
const HOW: readonly (readonly [PhaseSignal['by'], string])[] = [
  ['announcement', 'announced by a speaker'],
  ['silence', 'after a silence'],
  ['question', 'opened by a question'],
  ['floor', 'with a change of floor'],
  ['mood', 'with a turn of mood'],
];

/** Why the conversation was cut where it was cut. */
export function rationale(purposes: readonly Phase[]): string {
  if (purposes.length === 1) {
    const topics = purposes[0]!.topics.slice(0, 2).map((t) => t.surface);
    return topics.length > 0
      ? `One phase: the talk stays with ${enumerate(topics)} from beginning to end.`
      : 'One phase: too little was said to tell parts of it apart.';
  }
  const joints = purposes.slice(1).map((after, i) => [purposes[i]!, after] as const);
  const kinds = joints.filter(([before, after]) => before.kind !== after.kind).length;
  const topics = joints.flatMap(([before, after]) => {
    const [old, now] = [before.topics[0], after.topics[0]];
    return before.kind === after.kind && old && now && old.stem !== now.stem
      ? [`${old.surface} to ${now.surface}`]
      : [];
  });
  const counted = HOW.map(([by, words]) => [purposes.filter(({ signal }) => signal?.by === by).length, words] as const);
  const how = counted.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`);
  const why = [
    kinds > 0 ? 'where the talk comes to serve another purpose' : '',
    topics.length > 0 ? `where its topic changes (${topics.slice(0, 4).join('; ')})` : '',
  ].filter(Boolean);
  const count = purposes.length - 1;
  const ways =
    how.length > 0 ? `; of the ${count === 1 ? 'one boundary' : `${count} boundaries`} ${enumerate(how)}` : '';
  return `Cut ${enumerate(why.length > 0 ? why : ['where the wording opens something new'])}${ways}.`;
}

/** The conversation as a story in one or two sentences: where it starts, what it turns on, how it ends. */
export function narrativeArc(purposes: Phase[], names: string[], outcomes: Outcomes): string {
  const first = purposes[0]!;
  const last = purposes.at(-1)!;
  const parts =
    names.length > NAMED_PHASES ? [...names.slice(0, 4), `${names.length - 6} more phases`, ...names.slice(-2)] : names;
  const course =
    names.length === 1
      ? `${names[0]} throughout`
      : names.length === 2
        ? `From ${parts[0]} to ${parts[1]}`
        : `From ${parts[0]} through ${enumerate(parts.slice(1, -1))} to ${parts.at(-1)}`;
  return `${course}. ${[mood(first, last), ...turningPoints(outcomes)].filter(Boolean).join(' ')}`.trim();
}

function mood(first: Phase, last: Phase): string {
  if (first.tone.valence === null || last.tone.valence === null) return '';
  if (first === last) return `The tone is ${first.tone.word}.`;
  if (first.tone.word === last.tone.word) return `The tone stays ${first.tone.word}.`;
  const change = last.tone.valence - first.tone.valence;
  if (Math.abs(change) < TOLD_VALENCE) return `The tone moves little, from ${first.tone.word} to ${last.tone.word}.`;
  return `The tone ${change > 0 ? 'brightens' : 'darkens'} from ${first.tone.word} to ${last.tone.word}.`;
}

/** The first objection, and what became of the proposals. */
function turningPoints({ accepted, rejected, open, overcome, standing }: Outcomes): string[] {
  const out: string[] = [];
  const objection = overcome[0] ?? standing[0];
  if (objection) {
    const about = objection.labels[0];
    out.push(`${objection.speaker_id} objects${about ? ` on ${about}` : ''}.`);
  }
  const settled = [...accepted, ...rejected].sort((a, b) => a.answer.start_ms - b.answer.start_ms).at(-1)?.answer;
  const waiting = open.at(-1);
  if (settled) out.push(`In the end ${settled.speaker_id} ${momentCategory(settled.category).verb} what is proposed.`);
  else if (waiting) out.push(`${waiting.speaker_id}'s proposal stays open.`);
  return out;
}
