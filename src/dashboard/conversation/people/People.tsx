import type { ComponentChildren } from 'preact';
import type { SpeakerMetrics } from '../../../sdk/wire.ts';
import { clock, percents, plus } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { Badge, speakerClass } from '../../lib/speaker-marks.tsx';
import { letter } from '../../lib/speaker-names.ts';
import { isMeasured } from '../model.ts';
import type { PageState } from '../state.ts';
import { Prose } from '../summary/Prose.tsx';
import { DEFINITIONS, type MeasureName, personMeasures } from './definitions.ts';
import { CloseButton, Fact } from './parts.tsx';

const SIDE_BY_SIDE = 3;
const TRENDS = {
  ...{ stable: 'steady', positive: 'rising', negative: 'falling' },
  ...{ increasing: 'rising', decreasing: 'falling' },
} as const;
/** The columns of the table of many people, and the heads that a narrow column may hyphenate. */
const TABLE = ['Talk share', 'Questions', 'Interruptions', 'Pace', 'Patience'] as const satisfies MeasureName[];
const HEADS: Partial<Record<MeasureName, ComponentChildren>> = {
  Questions: 'Ques\u00adtions',
  Interruptions: 'Interrup\u00adtions',
  Pace: (
    <>
      Pace <small>wpm</small>
    </>
  ),
};

/** The speaking statistics of each person, side by side. */
export function People({ page, rename }: { page: PageState; rename: ((speaker: number) => void) | undefined }) {
  const { conversation } = page;
  const { metrics, overall_sentiment: mood, engagement_pattern: engagement } = conversation.result.insights;
  const people = conversation.labels.flatMap((label, speaker) => {
    const own = metrics.speakers[label];
    return own ? [{ speaker, name: conversation.names[speaker]!, own }] : [];
  });
  const shares = percents(people.map(({ own }) => own.talk_ratio ?? 0));
  const isAlone = people.length < 2;
  /** A single utterance has no spread and no trend. */
  const hasCourse = conversation.lines.length > 1;
  const hasTone = conversation.lines.some((line) => line.tone);
  const hasVoice = isMeasured(conversation);
  const isCompared = conversation.lines.some((line) => line.isComparable);
  const isTable = people.length > SIDE_BY_SIDE;
  const explained = [
    ...personMeasures(people.length).filter((name) => !isTable || name !== 'Longest turn'),
    ...(hasCourse ? (['Silence'] as const) : []),
    ...(isAlone ? [] : (['Interactivity', 'Overlapping speech'] as const)),
    ...(mood ? (['Mean sentiment of the words'] as const) : []),
    ...(engagement && hasCourse ? (['Engagement'] as const) : []),
  ];
  return (
    <>
      <div class="ih">
        <h2 class="hd">People</h2>
        <span class="sp" />
        {rename && (
          <button type="button" class="btn sm ghost" onClick={() => rename(0)}>
            <Icon name="pen" size={14} /> Rename
          </button>
        )}
        <CloseButton page={page} kind="slid" />
      </div>
      <div class="ib">
        <section>
          {!isAlone && (
            <div
              class="share"
              role="img"
              aria-label={`Talk share: ${people.map(({ name }, i) => `${name} ${shares[i]} %`).join(', ')}`}
            >
              {people.map(({ speaker, own }) => (
                <i
                  key={speaker}
                  class={speakerClass(speaker)}
                  data-letter={letter(speaker)}
                  style={{ flex: Math.max(0.008, own.talk_ratio ?? 1) }}
                />
              ))}
            </div>
          )}
          {isTable ? <ByShare people={people} shares={shares} /> : <SideBySide people={people} shares={shares} />}
        </section>
        <section>
          <h3 class="sec">The conversation</h3>
          <dl class="kv">
            {hasCourse && <Fact name="Silence">{Math.round(metrics.silence_share * 100)} % of the time</Fact>}
            {isAlone ? (
              <Fact name="Turn-taking">only one voice, nothing to measure</Fact>
            ) : (
              <>
                <Fact name="Changes of speaker">{metrics.speaker_switches}</Fact>
                <Fact name="Interactivity">{metrics.interactivity.toFixed(1)} of 10</Fact>
                <Fact name="Overlapping speech" title={DEFINITIONS['Overlapping speech']}>
                  {metrics.overlaps === 0
                    ? 'never'
                    : `${metrics.overlaps === 1 ? 'once' : `${metrics.overlaps} times`}, ${metrics.overlap_time_s < 60 ? `${metrics.overlap_time_s.toFixed(1)} s` : clock(metrics.overlap_time_s)}`}
                </Fact>
              </>
            )}
            {mood && (
              <Fact name="Mean sentiment of the words">
                {plus(mood.mean)}
                {hasCourse && ` ± ${mood.std.toFixed(2)}, ${TRENDS[mood.trend]}`} <small>(−1 to +1)</small>
              </Fact>
            )}
            {engagement && hasCourse && <Fact name="Engagement">{TRENDS[engagement]}</Fact>}
          </dl>
          <details>
            <summary>What these measures mean</summary>
            <dl class="defs">
              {explained.map((name) => (
                <>
                  <dt>{name}</dt>
                  <dd>{DEFINITIONS[name]}</dd>
                </>
              ))}
            </dl>
          </details>
        </section>
        <section>
          <h3 class="sec">Course</h3>
          <p class="says">
            <Prose page={page} text={conversation.result.segmentation.narrative_arc} />
          </p>
        </section>
        <section>
          <div class="notice">
            <Icon name="info" size={16} />
            <span>
              {isAlone ? '' : 'Timing measures compare people. '}
              {hasTone
                ? `Tone comes from ${hasVoice ? `the words and from each person’s ${isCompared ? 'usual ' : ''}voice` : 'the words alone'}, so compare a speaker only with themselves.`
                : 'Tone and emotion were left out of this analysis.'}
            </span>
          </div>
        </section>
      </div>
    </>
  );
}

interface Person {
  speaker: number;
  name: string;
  own: SpeakerMetrics;
}

function Who({ speaker, name }: { speaker: number; name: string }) {
  return (
    <span class="who">
      <Badge speaker={speaker} />
      <span class="ell" dir="auto" title={name}>
        {name}
      </span>
    </span>
  );
}

function SideBySide({ people, shares }: { people: readonly Person[]; shares: readonly number[] }) {
  const longest = Math.max(...people.map(({ own }) => own.longest_monologue_s ?? 0), 0.1);
  const cells: Partial<Record<MeasureName, [(p: Person, i: number) => ComponentChildren, ((p: Person) => number)?]>> = {
    'Talk time': [({ own }) => <b>{clock(own.talk_time_s)}</b>],
    'Talk share': [
      ({ own }, i) => (
        <>
          {own.talk_ratio !== null && <b>{shares[i]} %</b>} <small>{clock(own.talk_time_s)}</small>
        </>
      ),
      ({ own }) => own.talk_ratio ?? 0,
    ],
    'Longest turn': [
      ({ own }) =>
        own.longest_monologue_s === null ? <small>not known</small> : <b>{own.longest_monologue_s.toFixed(0)} s</b>,
      ({ own }) => (own.longest_monologue_s ?? 0) / longest,
    ],
    Pace: [
      ({ own }) => (
        <>
          <b>{Math.round(own.words_per_minute)}</b> <small>{people.length > 2 ? 'wpm' : 'words/min'}</small>
        </>
      ),
    ],
    Questions: [({ own }) => <b>{own.questions}</b>],
    Interruptions: [({ own }) => <b>{own.interruptions}</b>],
    Patience: [({ own }) => (own.patience_s === null ? <small>none</small> : <b>{own.patience_s.toFixed(1)} s</b>)],
  };
  return (
    <table class="ppl">
      <thead>
        <tr>
          <th>
            <span class="vh">Measure</span>
          </th>
          {people.map(({ speaker, name }) => (
            <th key={speaker} scope="col">
              <Who speaker={speaker} name={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {personMeasures(people.length).map((name) => {
          const [value, share] = cells[name]!;
          return (
            <tr key={name}>
              <td>
                <span class="defn" title={DEFINITIONS[name]}>
                  {name}
                </span>
              </td>
              {people.map((person, i) => (
                <td key={person.speaker} class={speakerClass(person.speaker)}>
                  {value(person, i)}
                  {share && (
                    <div class="pb">
                      <i style={{ width: `${Math.round(share(person) * 100)}%` }} />
                    </div>
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function ByShare({ people, shares }: { people: readonly Person[]; shares: readonly number[] }) {
  const rows = people.map((person, i) => ({ ...person, share: shares[i]! }));
  rows.sort((a, b) => (b.own.talk_ratio ?? 0) - (a.own.talk_ratio ?? 0));
  return (
    <table class="ppl">
      <thead>
        <tr>
          <th>Name</th>
          {TABLE.map((name) => (
            <th key={name} class="r" scope="col" title={DEFINITIONS[name]}>
              {HEADS[name] ?? name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ speaker, name, own, share }) => (
          <tr key={speaker}>
            <td class="narrow">
              <Who speaker={speaker} name={name} />
            </td>
            <td class="r num">{share} %</td>
            <td class="r num">{own.questions}</td>
            <td class="r num">{own.interruptions}</td>
            <td class="r num">{Math.round(own.words_per_minute)}</td>
            <td class="r num">{own.patience_s === null ? '' : `${own.patience_s.toFixed(1)} s`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
