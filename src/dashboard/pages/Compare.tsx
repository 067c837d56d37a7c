import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import '../style/compare.css';
import type { MomentCategory } from '../../sdk/wire.ts';
import { type ConversationView, conversationOf, type MomentPin, NAMELESS, phaseWords } from '../conversation/model.ts';
import { DEFINITIONS, type MeasureName } from '../conversation/people/definitions.ts';
import { openStored } from '../conversation/stored.ts';
import { ticks } from '../conversation/timeline/geometry.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { capital, clamp, clock, isUnsure, percents, recordedOnDay } from '../lib/format.ts';
import { LineSample } from '../lib/LineSample.tsx';
import { useLoaded } from '../lib/load.ts';
import { Nth } from '../lib/Nth.tsx';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { Dots, isMarked } from '../lib/quality.tsx';
import { service } from '../lib/session.ts';
import { Badge, Glyph, MOMENT_NAMES, MomentKey, speakerClass } from '../lib/speaker-marks.tsx';
import { titleOf } from '../lib/title.ts';
import { TONE_REACH } from '../lib/tone-mark.tsx';
import { type ComparedFigure, differenceOf, FIGURES, mostDifferent } from './compare/figures.ts';

const W = 1000;
const LANE = 22;
const PINS = 24;
const TONE = 60;
/** Width of a pin, and of the strips beside a timeline with the names of its lanes, px. */
const PIN = 25;
const MARGINS = 100;
const WIDEST = 1_080;
/** Additional people share the last lane. */
const LANES = 8;
/** Part of a timeline in which a time can begin without being cut at its end. */
const LAST_LABEL = 0.95;
/** Characters of an id that are shown. */
const ID_CHARS = 8;

/** Measures in a few words, where the name says too little. */
const NOTES: Readonly<Partial<Record<string, string>>> = {
  'Talk share': 'of all speech',
  'Longest turn': 'until somebody else speaks',
  Patience: 'median silence before a turn',
};

/** Figures of a conversation in a few words, where the name could mean something else. */
const MEANINGS: Readonly<Record<string, string>> = {
  Phases: 'The numbered parts above the timeline.',
  [MOMENT_NAMES.topic_shift]: 'Moments in which a speaker opens a new topic. A phase can also begin without one.',
};

/** Words of a person below which no pace is shown. */
const PACE_FROM_WORDS = 50;

const COLUMNS = ['Talk share', 'Pace', 'Questions', 'Longest turn', 'Patience'] as const;

interface Side {
  title: string;
  /** When it began and the start of its id, which tell two of the same title apart. */
  when: string;
  id: string;
  conversation: ConversationView;
}

/** Two conversations as timelines on one time scale. */
export function Compare() {
  const { a = '', b = '' } = useLocation().query;
  return a === '' || b === '' ? <Unchosen /> : <Compared a={a} b={b} />;
}

function Unchosen() {
  return (
    <Page title="Compare" lead="Choose two conversations in the list, and press “Compare two” below it.">
      <a class="btn pri" href="/app">
        Go to conversations
      </a>
    </Page>
  );
}

function Compared({ a, b }: { a: string; b: string }) {
  const [isFilled, fill] = useState(false);
  const { value, error, again } = useLoaded(
    async (signal) => Promise.all([a, b].map((id) => openStored(service(), id, signal))),
    [a, b],
  );
  const sides = useMemo(
    () =>
      value?.flatMap(({ record, result }): Side[] =>
        result
          ? [
              {
                title: titleOf(record),
                when: recordedOnDay(record),
                id: record.conversation_id.slice(0, ID_CHARS),
                conversation: conversationOf(result),
              },
            ]
          : [],
      ),
    [value],
  );
  if (error !== undefined)
    return (
      <Page title="Compare">
        <ErrorMessage error={error} retry={again} />
      </Page>
    );
  if (!sides) return <Opening title="Compare" loads="both conversations" />;
  const [one, other] = sides;
  if (!one || !other)
    return (
      <Page title="Compare" lead="Both conversations need a finished analysis.">
        <a class="btn" href="/app">
          Go to conversations
        </a>
      </Page>
    );
  const longest = Math.max(...sides.map(({ conversation }) => conversation.duration));
  return (
    <Page
      title="Compare"
      lead="Compare timing between people, but tone only within one person: it is measured against each person’s own voice."
      tools={
        <div class="row">
          {(
            [
              ['One time scale', false],
              ['Full width each', true],
            ] as const
          ).map(([name, is]) => (
            <button
              type="button"
              key={name}
              class={`btn sm ${is === isFilled ? 'pri' : 'ghost'}`}
              aria-pressed={is === isFilled}
              onClick={() => fill(is)}
            >
              {name}
            </button>
          ))}
        </div>
      }
    >
      <p class="most1">{mostDifferent(one.conversation, other.conversation)}</p>
      <MomentKey kinds={kindsIn(sides)}>
        <span>
          <b class="many1 num">2</b> that many moments close together
        </span>
        <span>
          <Nth of={1} /> phase, listed below the timeline
        </span>
        <span>row of blocks: when the person at its left speaks</span>
        <span>
          lowest row: the tone of each utterance, above the dashes more positive, below them more negative; thicker is
          livelier
        </span>
        <span class="forced1">dashes of the lowest row: those beside the name of the speaker</span>
      </MomentKey>
      {sides.map((side) => (
        <section key={side.conversation.id} class="card cmp" aria-label={`${side.title}, ${side.when}`}>
          <h2>
            <a href={`/app/conversations/${side.conversation.id}`}>
              <bdi>{side.title}</bdi>
            </a>
            <span class="muted num">
              {side.when} · {clock(side.conversation.duration)} · <span class="mono">{side.id}</span>
            </span>
          </h2>
          <div class="laned">
            <LaneNames conversation={side.conversation} />
            <SmallScore conversation={side.conversation} longest={isFilled ? side.conversation.duration : longest} />
          </div>
          <People conversation={side.conversation} />
        </section>
      ))}
      <Figures one={one} other={other} />
    </Page>
  );
}

/** The kinds of moments that occur, in their usual order. */
const kindsIn = (sides: readonly Side[]): MomentCategory[] =>
  (Object.keys(MOMENT_NAMES) as MomentCategory[]).filter((kind) =>
    sides.some(({ conversation: { pins } }) => pins.some(({ category }) => category === kind)),
  );

const lanesOf = ({ labels }: ConversationView): number => Math.min(labels.length, LANES);

/** The letters of the people and "Tone", left of their lanes. */
function LaneNames({ conversation }: { conversation: ConversationView }) {
  return (
    <div class="lanes1" aria-hidden="true">
      {Array.from({ length: lanesOf(conversation) }, (_, lane) => (
        <span key={lane} style={{ height: `${LANE}px` }}>
          <Badge speaker={lane} />
        </span>
      ))}
      {conversation.lines.some((line) => line.tone) && <span style={{ height: `${TONE}px` }}>Tone</span>}
    </div>
  );
}

function SmallScore({ conversation, longest }: { conversation: ConversationView; longest: number }) {
  const { lines, pins, phases, duration } = conversation;
  const lanes = lanesOf(conversation);
  const height = PINS + lanes * LANE + TONE;
  const middle = PINS + lanes * LANE + TONE / 2;
  const x = (t: number): number => (t / longest) * W;
  const share = (t: number): string => `${(t / longest) * 100}%`;
  return (
    <div class="small">
      <div class="phases" aria-hidden="true">
        {phases.map((phase, i) => (
          <span
            key={phase.start}
            title={phaseWords(phase)}
            style={{ left: share(phase.start), width: share(phase.end - phase.start) }}
          >
            <Nth of={i + 1} />
            <bdi>{phase.name}</bdi>
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${W} ${height}`} height={height} preserveAspectRatio="none" aria-hidden="true">
        <rect y={PINS + lanes * LANE} width={x(duration)} height={TONE / 2} fill="var(--wash-pos)" />
        <rect y={middle} width={x(duration)} height={TONE / 2} fill="var(--wash-neg)" />
        <path d={`M0 ${middle}H${x(duration)}`} class="mid1" />
        {lines.map((line) => (
          <g key={line.index} class={speakerClass(line.speaker)}>
            <rect
              x={x(line.start)}
              y={PINS + Math.min(line.speaker, lanes - 1) * LANE + 4}
              width={Math.max(1, x(line.end) - x(line.start))}
              height={LANE - 8}
              fill="var(--sp)"
            />
            {line.tone && (
              <path
                class="line2"
                d={`M${x(line.start)} ${middle - clamp((line.tone.valence - 0.5) / TONE_REACH, -1, 1) * (TONE / 2 - 4)}H${Math.max(x(line.start) + 1, x(line.end))}`}
                stroke="var(--sp)"
                stroke-width={clamp(1.6 + ((line.tone.arousal - 0.35) / 0.3) * 4.2, 1.6, 6)}
                vector-effect="non-scaling-stroke"
              />
            )}
          </g>
        ))}
      </svg>
      <Axis longest={longest} />
      <ol class="named1" aria-label="Phases">
        {phases.map((phase, i) => (
          <li key={phase.start}>
            <Nth of={i + 1} />
            <a href={`/app/conversations/${conversation.id}?t=${Math.floor(phase.start)}`}>
              {phase.name === '' ? <span class="muted">{NAMELESS}</span> : <bdi>{phase.name}</bdi>},{' '}
              <span class="num">{clock(phase.start)}</span>
            </a>
          </li>
        ))}
      </ol>
      {joined(pins, longest).map(([pin, ...others]) => (
        <a
          key={pin.moment.moment_id}
          class="pin1"
          style={{ left: share(pin.at) }}
          href={`/app/conversations/${conversation.id}?t=${Math.floor(pin.at)}`}
          aria-label={
            others.length > 0
              ? `${others.length + 1} moments from ${clock(pin.at)}`
              : `${MOMENT_NAMES[pin.category]} at ${clock(pin.at)}${isUnsure(pin.moment.confidence) ? ', unsure' : ''}`
          }
        >
          {others.length > 0 ? (
            <span class="num">{others.length + 1}</span>
          ) : (
            <Glyph kind={pin.category} size={14} isUnsure={isUnsure(pin.moment.confidence)} />
          )}
        </a>
      ))}
    </div>
  );
}

/** Width of a timeline, px. */
const widthOf = (): number => Math.min(WIDEST, innerWidth - MARGINS);

/** The times below a timeline. */
function Axis({ longest }: { longest: number }) {
  const { times } = ticks({ from: 0, to: longest }, widthOf());
  return (
    <div class="axis1 num" aria-hidden="true">
      {times
        .filter((t) => t < longest * LAST_LABEL)
        .map((t) => (
          <span key={t} style={{ left: `${(t / longest) * 100}%` }}>
            {clock(t)}
          </span>
        ))}
    </div>
  );
}

/** Groups pins that are too close together to be touched separately. */
function joined(pins: readonly MomentPin[], longest: number): [MomentPin, ...MomentPin[]][] {
  const seconds = (PIN / widthOf()) * longest;
  const groups: [MomentPin, ...MomentPin[]][] = [];
  for (const pin of pins) {
    const last = groups.at(-1);
    if (last && pin.at - last[0].at < seconds) last.push(pin);
    else groups.push([pin]);
  }
  return groups;
}

/** The speaking statistics of each person. A name leads to the person's first utterance. */
function People({ conversation }: { conversation: ConversationView }) {
  const { id, labels, names, lines, result } = conversation;
  const people = labels.map((label) => result.insights.metrics.speakers[label]);
  const shares = percents(people.map((own) => own?.talk_ratio ?? 0));
  const seconds = (value: number | null | undefined, digits: number): string =>
    value == null ? '–' : `${value.toFixed(digits)} s`;
  return (
    <table class="cmpp">
      <thead>
        <tr>
          <th scope="col">Person</th>
          {COLUMNS.map((name) => (
            <th key={name} scope="col" class="r" title={DEFINITIONS[name]}>
              {name}
              {NOTES[name] && <small>{NOTES[name]}</small>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((own, i) => {
          const first = lines.find(({ speaker }) => speaker === i);
          const values: Record<(typeof COLUMNS)[number], string> = {
            'Talk share': own?.talk_ratio == null ? '–' : `${shares[i]} %`,
            Pace:
              own && own.words >= PACE_FROM_WORDS ? `${Math.round(own.words_per_minute)} words/min` : 'too few words',
            Questions: String(own?.questions ?? '–'),
            'Longest turn': seconds(own?.longest_monologue_s, 0),
            Patience: seconds(own?.patience_s, 1),
          };
          return (
            <tr key={labels[i]}>
              <th scope="row">
                <a class="ell" href={`/app/conversations/${id}?t=${Math.floor(first?.start ?? 0)}`} title={names[i]}>
                  <Badge speaker={i} /> <LineSample speaker={i} /> <bdi>{names[i]}</bdi>
                </a>
              </th>
              {COLUMNS.map((name) => (
                <td key={name} class="r num" data-name={name}>
                  {values[name]}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The meaning of a figure, where it has one. */
const definitionOf = (name: string): string | undefined =>
  Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name as MeasureName] : MEANINGS[name];

function Figures({ one, other }: { one: Side; other: Side }) {
  return (
    <div class="card cmpt">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="vh">What</span>
            </th>
            {[one, other].map(({ title, when, id, conversation }) => (
              <th scope="col" key={conversation.id}>
                <small class="num">{when}</small>
                <bdi title={title}>{title}</bdi>
                <small class="mono">{id}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">How it went</th>
            {[one, other].map(({ conversation: { id, result } }) => (
              <td key={id}>
                {isMarked(result.summary.conversation_quality) ? (
                  <>
                    {capital(result.summary.conversation_quality)}{' '}
                    <Dots quality={result.summary.conversation_quality} />
                  </>
                ) : (
                  <span class="muted">Not judged</span>
                )}
              </td>
            ))}
          </tr>
          {FIGURES.map((figure) => (
            <FigureRow key={figure.name} figure={figure} sides={[one.conversation, other.conversation]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A figure of both. Where they differ noticeably, the larger one is bold and says by how much. */
function FigureRow({
  figure,
  sides,
}: {
  figure: ComparedFigure;
  sides: readonly [ConversationView, ConversationView];
}) {
  const { name, told } = figure;
  const difference = differenceOf(figure, ...sides);
  return (
    <tr>
      <th scope="row">
        {name}
        {definitionOf(name) && <small>{definitionOf(name)}</small>}
      </th>
      {sides.map((of, i) => (
        <td key={i} class="num">
          {difference?.larger === i ? (
            <>
              <b>{told(of)}</b> <span class="by1">{difference.words}</span>
            </>
          ) : (
            told(of)
          )}
        </td>
      ))}
    </tr>
  );
}
