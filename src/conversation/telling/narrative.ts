import type { MomentEvent } from '../../contract/findings.ts';
import { isTold } from '../outcomes.ts';
import type { Purpose } from '../purposes/purposes.ts';

/** Change of mean valence over the conversation worth telling. */
const TOLD_VALENCE = 0.08;
/** Phases named one by one in the arc; the middle of longer conversations is cut. */
const NAMED_PHASES = 7;

const list = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Why the conversation was cut where it was cut. */
export function rationale(drafts: Purpose[], signals: (string | null)[]): string {
  if (drafts.length === 1) {
    const topics = drafts[0]!.topics.slice(0, 2).map((t) => t.surface);
    return topics.length > 0
      ? `One phase: the talk stays with ${list(topics)} from beginning to end.`
      : 'One phase: too little was said to tell parts of it apart.';
  }
  const joints = drafts.slice(1).map((draft, i) => [drafts[i]!, draft] as const);
  const purposes = joints.filter(([before, after]) => before.kind !== after.kind).length;
  const topics = joints.flatMap(([before, after]) => {
    const [old, now] = [before.topics[0], after.topics[0]];
    return before.kind === after.kind && old && now && old.stem !== now.stem
      ? [`${old.surface} to ${now.surface}`]
      : [];
  });
  const told = signals.filter((s) => s !== null);
  const counted = [
    [told.filter((s) => s.includes('announces')).length, 'announced by a speaker'],
    [told.filter((s) => s.includes('silence')).length, 'after a silence'],
    [told.filter((s) => s.includes(' asks: ')).length, 'opened by a question'],
    [told.filter((s) => s.includes('takes the floor')).length, 'with a change of floor'],
    [told.filter((s) => s.includes('mood')).length, 'with a turn of mood'],
  ] as const;
  const how = counted.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`);
  const why = [
    purposes > 0 ? 'where the talk comes to serve another purpose' : '',
    topics.length > 0 ? `where its topic changes (${topics.slice(0, 4).join('; ')})` : '',
  ].filter(Boolean);
  const count = drafts.length - 1;
  const ways = how.length > 0 ? `; of the ${count === 1 ? 'one boundary' : `${count} boundaries`} ${list(how)}` : '';
  return `Cut ${list(why.length > 0 ? why : ['where the wording opens something new'])}${ways}.`;
}

/** The conversation as a story in one or two sentences: where it starts, what it turns on, how it ends. */
export function narrativeArc(drafts: Purpose[], names: string[], moments: MomentEvent[]): string {
  const first = drafts[0]!;
  const last = drafts.at(-1)!;
  const parts =
    names.length > NAMED_PHASES ? [...names.slice(0, 4), `${names.length - 6} more phases`, ...names.slice(-2)] : names;
  const course =
    names.length === 1
      ? `${names[0]} throughout`
      : names.length === 2
        ? `From ${parts[0]} to ${parts[1]}`
        : `From ${parts[0]} through ${list(parts.slice(1, -1))} to ${parts.at(-1)}`;
  return `${course}. ${[mood(first, last), ...turningPoints(moments, new Set(drafts.flatMap((d) => [...d.floor.keys()])).size)].filter(Boolean).join(' ')}`.trim();
}

function mood(first: Purpose, last: Purpose): string {
  if (first.tone.valence === null || last.tone.valence === null) return '';
  if (first === last) return `The tone is ${first.tone.word}.`;
  if (first.tone.word === last.tone.word) return `The tone stays ${first.tone.word}.`;
  const change = last.tone.valence - first.tone.valence;
  if (Math.abs(change) < TOLD_VALENCE) return `The tone moves little, from ${first.tone.word} to ${last.tone.word}.`;
  return `The tone ${change > 0 ? 'brightens' : 'darkens'} from ${first.tone.word} to ${last.tone.word}.`;
}

/** Objections raised, and how offers ended. */
function turningPoints(moments: MomentEvent[], speakers: number): string[] {
  const of = (category: MomentEvent['category']) => moments.filter((m) => m.category === category && isTold(m));
  const out: string[] = [];
  const objection = of('objection')[0];
  if (objection) {
    const about = objection.labels[0];
    out.push(`${objection.speaker_id} objects${about ? ` on ${about}` : ''}.`);
  }
  const settled = [...of('cta_accepted'), ...of('cta_rejected')].sort((a, b) => a.start_ms - b.start_ms).at(-1);
  if (settled)
    out.push(
      `In the end ${settled.speaker_id} ${settled.category === 'cta_accepted' ? 'accepts' : 'declines'} what is proposed.`,
    );
  else if (of('cta_offered').length > 0 && moments.every((m) => m.answers === undefined) && speakers > 1)
    out.push(`${of('cta_offered').at(-1)!.speaker_id}'s proposal stays open.`);
  return out;
}
