import { clockOf, type RecordedEntry, recordedOn } from '../mcp/links.ts';
import {
  type AnalysisResponse,
  type ConversationPhase,
  MOMENT_CATEGORIES,
  type MomentEvent,
  type TimelineEntry,
} from '../sdk/index.ts';
import { clipped, type Output, padded, plain, speakerStyle, table, widthOf, wrapped } from './terminal.ts';

/** The mark and the name of a moment category. A newer service may have categories that this client does not know. */
export function categoryDisplay(category: string): { mark: string; name: string } {
  const row = MOMENT_CATEGORIES.find(({ name }) => name === category);
  return row ? { mark: row.mark, name: row.label.toLowerCase() } : { mark: '·', name: category };
}

/** The indentation of a section's lines. */
const INDENT = '  ';
const PHASE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Width of the bar for a speaker's share, columns. */
const SHARE_BAR = 16;

export interface ResultOptions {
  /** The heading. */
  title: string;
  /** Whether to print every utterance as well. */
  transcript?: boolean;
}

/** Formats an analysis for a terminal. */
export function resultLines(
  analysis: AnalysisResponse,
  { title, transcript = false }: ResultOptions,
  output: Output,
): string[] {
  const format = new ResultFormatter(analysis, output);
  const sections = [
    format.head(title),
    transcript ? format.transcript() : [],
    format.summary(),
    format.phases(),
    format.moments(),
    format.speakers(),
    format.redaction(),
    format.warnings(),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, i) => (i === 0 ? section : ['', ...section]));
}

class ResultFormatter {
  readonly #analysis: AnalysisResponse;
  readonly #output: Output;
  readonly #duration: number;
  readonly #speakers: readonly string[];
  readonly #utterances: ReadonlyMap<string, TimelineEntry>;

  constructor(analysis: AnalysisResponse, output: Output) {
    this.#analysis = analysis;
    this.#output = output;
    this.#duration = analysis.media.duration_s;
    this.#speakers = [...new Set(analysis.timeline.map(({ speaker }) => speaker))];
    this.#utterances = new Map(analysis.timeline.map((entry) => [entry.utterance_id, entry]));
  }

  head(title: string): string[] {
    const { paint, width } = this.#output;
    const { speakers, utterances, summary, conversation_id } = this.#analysis;
    const people = `${speakers.count} ${speakers.count === 1 ? 'speaker' : 'speakers'}`;
    const facts = [
      clockOf(this.#duration),
      people,
      `${utterances} ${utterances === 1 ? 'utterance' : 'utterances'}`,
      // Without reasons it is the middle of the scale, which says nothing.
      ...(summary.quality_reasons.length > 0 ? [summary.conversation_quality] : []),
    ].join(' · ');
    return [
      paint('bold', clipped(plain(title), width)),
      ...wrapped(facts, width).map((line) => paint('dim', line)),
      paint('dim', clipped(conversation_id, width)),
    ];
  }

  /** The number of labels by kind, and whether the redaction is verified. */
  redaction(): string[] {
    const { redaction } = this.#analysis;
    if (!redaction) return [];
    const counts = Object.entries(redaction.counts).map(([kind, count]) => `${kind} ${count}`);
    const found = counts.length > 0 ? counts.join(', ') : 'nothing was found';
    const lines = [`${found}${redaction.verified ? '' : ' (not verified)'}`, ...redaction.notes];
    return [
      this.#heading('Redacted'),
      ...lines.flatMap((line) => wrapped(line, this.#output.width - INDENT.length).map((one) => INDENT + one)),
    ];
  }

  transcript(): string[] {
    return [this.#heading('Transcript'), ...this.#analysis.timeline.flatMap((entry) => this.utterance(entry))];
  }

  utterance({ t_start, speaker, text }: TimelineEntry): string[] {
    return this.#dated(t_start, `${this.#name(speaker)} ${plain(text)}`, (line) => this.#painted(speaker, line));
  }

  summary(): string[] {
    const { summary } = this.#analysis;
    const lists: [string, readonly string[] | null][] = [
      ['What stands out', summary.key_insights],
      ['Patterns', summary.notable_patterns],
      ['Went well', summary.what_went_well],
      ['Went wrong', summary.what_went_wrong],
      ['Next', summary.recommendations],
    ];
    return [
      this.#heading('Summary'),
      ...wrapped(summary.overview, this.#output.width - INDENT.length).map((line) => INDENT + line),
      ...this.#answer(),
      ...lists.flatMap(([name, lines]) =>
        lines && lines.length > 0
          ? ['', INDENT + this.#output.paint('bold', name), ...lines.flatMap((line) => this.#point(line))]
          : [],
      ),
    ];
  }

  /** The answer to the goal, or the best possible one, with the probability that it is an answer. */
  #answer(): string[] {
    const { answer, nearest } = this.#analysis.summary;
    const found = answer ?? nearest;
    if (!found) return [];
    const name = `${answer ? 'Answer' : 'Possible answer, unsure'} (score ${found.score.toFixed(2)})`;
    const own = found.utterance_ids.flatMap((id) => this.#utterances.get(id) ?? []);
    return ['', INDENT + this.#output.paint('bold', name), ...own.flatMap((entry) => this.utterance(entry))];
  }

  /** A line of the summary, with the time of its earliest evidence. */
  #point(line: string): string[] {
    const ids = this.#analysis.summary.evidence.find(({ text }) => text === line)?.utterance_ids ?? [];
    const first = ids
      .map((id) => this.#utterances.get(id)?.t_start ?? Number.POSITIVE_INFINITY)
      .sort((a, b) => a - b)[0];
    const time = first === undefined || first === Number.POSITIVE_INFINITY ? '' : `  ${clockOf(first)}`;
    const columns = this.#output.width - INDENT.length - 2;
    const lines = wrapped(`${line}${time}`, columns);
    return lines.map((part, i) => {
      const isTimed = time !== '' && i === lines.length - 1;
      const painted = isTimed ? part.slice(0, -time.trim().length) + this.#output.paint('dim', time.trim()) : part;
      return `${INDENT}${i === 0 ? '• ' : '  '}${painted}`;
    });
  }

  /** The phases on a time scale, with the moments below it. */
  phases(): string[] {
    const { phases } = this.#analysis.segmentation;
    if (phases.length === 0) return [];
    const { paint } = this.#output;
    const rows = phases.map((phase, i) => {
      const letter = letterOf(i);
      const name = `${plain(phase.phase_name)}${phase.theme === '' ? '' : `: ${plain(phase.theme)}`}`;
      return [letter, clockOf(phase.start_timestamp), name];
    });
    const lines = table(rows, { width: this.#output.width - INDENT.length });
    return [
      this.#heading('Phases'),
      ...[this.#bar(phases), this.#marks()].filter((line) => line.trim() !== '').map((line) => INDENT + line),
      ...lines.map((line, i) => `${INDENT}${paint(phaseStyle(i), line.slice(0, 1))}${line.slice(1)}`),
    ];
  }

  #bar(phases: readonly ConversationPhase[]): string {
    const columns = this.#barWidth;
    const starts = phases.map(({ start_timestamp }) => this.#column(start_timestamp));
    let bar = '';
    for (let i = 0; i < phases.length; i++) {
      const from = starts[i] ?? 0;
      const length = Math.max(0, (starts[i + 1] ?? columns) - (i === 0 ? 0 : from));
      bar += this.#output.paint(phaseStyle(i), `${letterOf(i)}${'━'.repeat(columns)}`.slice(0, length));
    }
    return bar;
  }

  #marks(): string {
    const cells = Array.from({ length: this.#barWidth }, () => ' ');
    for (const { start_ms, category } of this.#analysis.moments)
      cells[this.#column(start_ms / 1000)] = categoryDisplay(category).mark;
    return cells.join('').trimEnd();
  }

  get #barWidth(): number {
    return this.#output.width - 2 * INDENT.length;
  }

  #column(seconds: number): number {
    const share = this.#duration > 0 ? seconds / this.#duration : 0;
    return Math.min(this.#barWidth - 1, Math.max(0, Math.floor(share * this.#barWidth)));
  }

  moments(): string[] {
    const { moments } = this.#analysis;
    if (moments.length === 0) return [];
    return [this.#heading('Moments'), ...moments.flatMap((moment) => this.moment(moment))];
  }

  moment({ start_ms, category, speaker_id, summary }: MomentEvent): string[] {
    const { mark, name } = categoryDisplay(category);
    const text = `${mark} ${name} · ${plain(summary)}`;
    return this.#dated(start_ms / 1000, text, (line) => this.#painted(speaker_id, line));
  }

  speakers(): string[] {
    const { metrics, speaker_profiles: profiles } = this.#analysis.insights;
    const rows = Object.entries(metrics.speakers).map(([speaker, { talk_ratio, words_per_minute, questions }]) => {
      const full = Math.round((talk_ratio ?? 0) * SHARE_BAR);
      const mood = profiles[speaker]?.dominant_emotion ?? '';
      const facts = [`${Math.round(words_per_minute)} words/min`, counted(questions, 'question'), mood].filter(Boolean);
      const share = talk_ratio === null ? '' : `${String(Math.round(talk_ratio * 100)).padStart(3)} %`;
      return [plain(speaker), '█'.repeat(full) + '░'.repeat(SHARE_BAR - full), share, facts.join(' · ')];
    });
    if (rows.length === 0) return [];
    const isNarrow = this.#output.width < 64;
    const shown = isNarrow ? rows.map(([name = '', , share = '', facts = '']) => [name, share, facts]) : rows;
    const lines = table(shown, { width: this.#output.width - INDENT.length });
    return [this.#heading('Speakers'), ...lines.map((line, i) => INDENT + this.#painted(rows[i]?.[0] ?? '', line))];
  }

  warnings(): string[] {
    const { warnings, speakers } = this.#analysis;
    const all = [...warnings, ...(speakers.note === undefined ? [] : [speakers.note])];
    return all.flatMap((line) =>
      wrapped(line, this.#output.width - 2).map((part, i) =>
        this.#output.paint('yellow', `${i === 0 ? '▲ ' : '  '}${part}`),
      ),
    );
  }

  #heading(name: string): string {
    return this.#output.paint('bold', name);
  }

  #name(speaker: string): string {
    return `${plain(speaker)}:`;
  }

  /** A text with its time. @param paint styles the speaker's name */
  #dated(seconds: number, text: string, paint: (line: string) => string): string[] {
    const column = clockOf(this.#duration).length;
    const lines = wrapped(text, this.#output.width - INDENT.length - column - 2);
    return lines.map((line, i) => {
      const time = i === 0 ? clockOf(seconds).padStart(column) : ' '.repeat(column);
      return `${INDENT}${this.#output.paint('dim', time)}  ${i === 0 ? paint(line) : line}`;
    });
  }

  /** Styles a speaker's name if the line contains it. */
  #painted(speaker: string, line: string): string {
    const name = plain(speaker);
    const at = line.indexOf(name);
    if (at < 0 || name === '') return line;
    const style = speakerStyle(Math.max(0, this.#speakers.indexOf(speaker)));
    return line.slice(0, at) + this.#output.paint(style, name) + line.slice(at + name.length);
  }
}

const letterOf = (phase: number): string => PHASE_LETTERS[phase % PHASE_LETTERS.length] ?? 'A';
const phaseStyle = (phase: number) => speakerStyle((phase * 2 + 1) % 6);
const counted = (n: number, name: string): string => (n === 0 ? '' : `${n} ${name}${n === 1 ? '' : 's'}`);

/** Width from which a conversation's id, date, length and title fit on one line, columns. */
const TABLE_WIDTH = 96;

/** Formats conversations, one per line where they fit. */
export function listLines(
  conversations: readonly (RecordedEntry & {
    conversation_id: string;
    title: string;
    status: string;
    result: { duration_s: number } | null;
  })[],
  output: Output,
): string[] {
  const rows = conversations.map(({ conversation_id, title, status, result, ...entry }) => [
    conversation_id,
    recordedOn(entry),
    result ? clockOf(result.duration_s) : status,
    plain(title) || 'untitled',
  ]);
  if (output.width >= TABLE_WIDTH) return table(rows, { width: output.width });
  return rows.flatMap(([id = '', at = '', length = '', title = '']) => [
    output.paint('bold', clipped(title, output.width)),
    `${INDENT}${at}  ${length}`,
    `${INDENT}${output.paint('dim', clipped(id, output.width - INDENT.length))}`,
  ]);
}

/** Aligns one text left and another right. */
export const spread = (left: string, right: string, width: number): string =>
  padded(left, Math.max(widthOf(left) + 1, width - widthOf(right))) + right;
