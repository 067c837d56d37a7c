import type { ComponentChildren } from 'preact';
import type { Pad, SpeakerMetrics } from '../../sdk/wire.ts';
import { capital, clamp, clock, percents, plus, two } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Badge, Confidence, speakerClass, toneColour } from '../lib/signs.tsx';
import { type Felt, isHard, type Line } from './model.ts';
import { Prose } from './Prose.tsx';
import type { Page } from './state.ts';
import { ThumbButtons } from './ThumbButtons.tsx';

const EMOTIONS = ['joy', 'sadness', 'anger', 'fear', 'surprise', 'disgust', 'neutral'] as const;
const COGNITIVE_SIGNALS = ['focused', 'confused', 'engaged', 'disengaged', 'thoughtful', 'uncertain'] as const;

/** How it sounded: the people, or one utterance. */
type Rename = ((speaker: number) => void) | undefined;
type OpenMenu = ((line: number, at: DOMRect) => void) | undefined;

export function Sounded({ page, rename, openMenu }: { page: Page; rename: Rename; openMenu: OpenMenu }) {
  const line = page.selected.value === undefined ? undefined : page.conversation.lines[page.selected.value];
  return (
    <aside class={`col how ${page.tab.value === 'how' || line ? 'open' : ''}`} aria-label="How it sounded">
      {line ? (
        <UtteranceMeasures page={page} line={line} openMenu={openMenu} />
      ) : (
        <People page={page} rename={rename} />
      )}
    </aside>
  );
}

const DEFINITIONS = {
  'Talk share': 'Own speech as a share of all speech.',
  'Longest turn': 'The longest stretch held without the other side speaking.',
  Pace: 'Words a minute of own speech. 140 to 190 is usual in talk.',
  Questions: 'Turns read as a question.',
  Interruptions: 'Times this person cut another off.',
  Patience: 'Median silence left after the other side before speaking.',
} as const;
const SIDE_BY_SIDE = 3;

function People({ page, rename }: { page: Page; rename: Rename }) {
  const { conversation } = page;
  const { metrics, overall_sentiment: mood, engagement_pattern: engagement } = conversation.result.insights;
  const people = conversation.labels.flatMap((label, speaker) => {
    const own = metrics.speakers[label];
    return own ? [{ speaker, name: conversation.names[speaker]!, own }] : [];
  });
  const shares = percents(people.map(({ own }) => own.talk_ratio));
  const isAlone = people.length < 2;
  /** Of one utterance there is neither spread nor trend. */
  const hasCourse = conversation.lines.length > 1;
  const hasTone = conversation.lines.some((line) => line.tone);
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
        <CloseButton page={page} />
      </div>
      <div class="ib">
        <section>
          <div
            class="share"
            role="img"
            aria-label={`Talk share: ${people.map(({ name }, i) => `${name} ${shares[i]} %`).join(', ')}`}
          >
            {people.map(({ speaker, own }) => (
              <i key={speaker} class={speakerClass(speaker)} style={{ flex: Math.max(0.008, own.talk_ratio) }} />
            ))}
          </div>
          {people.length <= SIDE_BY_SIDE ? (
            <SideBySide people={people} shares={shares} />
          ) : (
            <ByShare people={people} shares={shares} />
          )}
        </section>
        <section>
          <h3 class="sec">The conversation</h3>
          <dl class="kv">
            <Fact name="Silence">{Math.round(metrics.silence_share * 100)} % of the time</Fact>
            {isAlone ? (
              <Fact name="Turn-taking">one voice: nothing to measure</Fact>
            ) : (
              <>
                <Fact name="Changes of speaker">{metrics.speaker_switches}</Fact>
                <Fact name="Interactivity">{metrics.interactivity.toFixed(1)} of 10</Fact>
                <Fact name="Spoken at once">
                  {metrics.overlaps === 0
                    ? 'never'
                    : `${metrics.overlaps === 1 ? 'once' : `${metrics.overlaps} times`}, ${metrics.overlap_time_s < 60 ? `${metrics.overlap_time_s.toFixed(1)} s` : clock(metrics.overlap_time_s)}`}
                </Fact>
              </>
            )}
            {mood && (
              <Fact name="Mean sentiment of the words">
                {plus(mood.mean)}
                {hasCourse &&
                  ` ± ${mood.std.toFixed(2)}, ${{ stable: 'steady', positive: 'rising', negative: 'falling' }[mood.trend]}`}
              </Fact>
            )}
            {engagement && hasCourse && <Fact name="Engagement">{engagement}</Fact>}
          </dl>
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
                ? 'Tone, load and conviction are read against each person’s own usual voice: compare a speaker only with themselves.'
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
      <span class="ell" title={name}>
        {name}
      </span>
    </span>
  );
}

function SideBySide({ people, shares }: { people: readonly Person[]; shares: readonly number[] }) {
  const longest = Math.max(...people.map(({ own }) => own.longest_monologue_s), 0.1);
  const rows: [keyof typeof DEFINITIONS, (p: Person, i: number) => ComponentChildren, ((p: Person) => number)?][] = [
    [
      'Talk share',
      ({ own }, i) => (
        <>
          <b>{shares[i]} %</b> <small>{clock(own.talk_time_s)}</small>
        </>
      ),
      ({ own }) => own.talk_ratio,
    ],
    [
      'Longest turn',
      ({ own }) => <b>{own.longest_monologue_s.toFixed(0)} s</b>,
      ({ own }) => own.longest_monologue_s / longest,
    ],
    [
      'Pace',
      ({ own }) => (
        <>
          <b>{Math.round(own.words_per_minute)}</b> <small>{people.length > 2 ? 'wpm' : 'words/min'}</small>
        </>
      ),
    ],
    ['Questions', ({ own }) => <b>{own.questions}</b>],
  ];
  if (people.length > 1)
    rows.push(
      ['Interruptions', ({ own }) => <b>{own.interruptions}</b>],
      ['Patience', ({ own }) => (own.patience_s === null ? <small>none</small> : <b>{own.patience_s.toFixed(1)} s</b>)],
    );
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
        {rows.map(([name, value, share]) => (
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
        ))}
      </tbody>
    </table>
  );
}

function ByShare({ people, shares }: { people: readonly Person[]; shares: readonly number[] }) {
  const rows = people.map((person, i) => ({ ...person, share: shares[i]! }));
  rows.sort((a, b) => b.own.talk_ratio - a.own.talk_ratio);
  return (
    <table class="ppl">
      <thead>
        <tr>
          <th>Name</th>
          {['Share', 'Quest.', 'Interr.', 'Pace', 'Patience'].map((head) => (
            <th key={head} class="r" scope="col">
              {head}
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

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function CloseButton({ page }: { page: Page }) {
  return (
    <button
      type="button"
      class="btn sm icon ghost"
      aria-label="Close"
      onClick={() => {
        page.select(undefined);
        if (page.tab.peek() === 'how') page.tab.value = 'said';
      }}
    >
      <Icon name="close" size={16} />
    </button>
  );
}

function UtteranceMeasures({ page, line, openMenu }: { page: Page; line: Line; openMenu: OpenMenu }) {
  const { conversation } = page;
  const { lines, names } = conversation;
  const name = names[line.speaker]!;
  const isHidden = page.hidden.value.has(line.speaker);
  const go = (by: number) => () => page.select(clamp(line.index + by, 0, lines.length - 1));
  return (
    <>
      <div class="ih">
        <button type="button" class="btn sm ghost" onClick={() => page.select(undefined)}>
          <Icon name="left" size={14} /> People
        </button>
        <span class="sp" />
        <span class="t-lab muted num">
          {line.index + 1} of {lines.length}
        </span>
        <button type="button" class="btn sm icon ghost" aria-label="Previous" onClick={go(-1)}>
          <Icon name="upward" size={16} />
        </button>
        <button type="button" class="btn sm icon ghost" aria-label="Next" onClick={go(1)}>
          <Icon name="down" size={16} />
        </button>
        <CloseButton page={page} />
      </div>
      <div class={`ib ${speakerClass(line.speaker)}`}>
        <section>
          <div class="who">
            <Badge speaker={line.speaker} />
            <b class="ell">{name}</b>
            <span class="muted num t-lab">
              {clock(line.start)} to {clock(line.end)}, {(line.end - line.start).toFixed(1)} s
            </span>
            <span class="sp" />
            {openMenu && (
              <button
                type="button"
                class="btn sm icon ghost"
                aria-label="Somebody else said this"
                title="Somebody else said this"
                aria-haspopup="menu"
                onClick={(e) => openMenu(line.index, e.currentTarget.getBoundingClientRect())}
              >
                <Icon name="pen" size={14} />
              </button>
            )}
            <button type="button" class="btn sm" onClick={() => page.goTo(line.start)}>
              <Icon name="play" size={13} /> Play
            </button>
          </div>
          <p class="quote" dir="auto">
            “{line.text}” <ThumbButtons page={page} kind="utterance" on={line.entry.utterance_id} what={line.text} />
          </p>
          {isHard(line) && (
            <Notice kind="warn">
              These words were hard to hear ({two(line.heard)}). What follows from them is weak.
            </Notice>
          )}
        </section>
        <Voice line={line} name={name} isHidden={isHidden || !line.tone} />
        {isHidden ? (
          <section>
            <h3 class="sec">Tone and emotion</h3>
            <Notice kind="shield">
              Hidden for {name}: marked as employee or student (EU AI Act, Article 5(1)(f)).
            </Notice>
          </section>
        ) : line.tone && line.felt ? (
          <Affect tone={line.tone} felt={line.felt} name={name} />
        ) : (
          <section>
            <h3 class="sec">Tone and emotion</h3>
            <Notice kind="shield">
              They were not computed for {name}, as this analysis was asked to leave them out.
            </Notice>
          </section>
        )}
        <Words line={line} isHidden={isHidden} />
        <section>
          <h3 class="sec">How far to trust this</h3>
          <dl class="kv">
            <Fact name="Words heard">
              <Confidence value={line.heard} />
            </Fact>
            <Fact name="Who spoke">
              <Confidence value={line.entry.speaker_confidence} />
            </Fact>
            {line.voice && (
              <Fact name="Voice measured">
                <Confidence value={line.voice.confidence} />
              </Fact>
            )}
            {line.felt && !isHidden && (
              <Fact name="Emotion named">
                <Confidence value={line.felt.emotion.confidence} />
              </Fact>
            )}
          </dl>
        </section>
      </div>
    </>
  );
}

function Notice({ kind, children }: { kind: 'warn' | 'info' | 'shield'; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind === 'warn' ? 'warn' : ''}`}>
      <Icon name={kind === 'warn' ? 'warning' : kind} size={16} />
      <span>{children}</span>
    </div>
  );
}

const semitones = (value: number): string => `${plus(value, 1)} semitones`;

function Voice({ line, name, isHidden }: { line: Line; name: string; isHidden: boolean }) {
  const { voice, entry } = line;
  if (!voice)
    return (
      <section>
        <h3 class="sec">How it sounded</h3>
        <Notice kind="info">
          The audio of this utterance could not be measured. Everything below is read from the words alone.
        </Notice>
      </section>
    );
  const stressed = entry.acoustic?.emphasis_points ?? [];
  return (
    <section>
      <h3 class="sec">
        How it sounded
        <span class="rt">
          <Confidence value={voice.confidence} />
        </span>
      </h3>
      {voice.confidence < 0.5 && (
        <Notice kind="info">{voice.confidence_reason ?? 'Too little voice to measure'}: not judged.</Notice>
      )}
      <p class="says">{entry.prosody_desc}</p>
      {!isHidden && entry.acoustic_reasoning && <p class="says">{entry.acoustic_reasoning}</p>}
      <div class="zrs">
        <Deviation name="Pitch" z={voice.pitch_z} value={`${Math.round(voice.pitch_hz)} Hz`} />
        <Deviation name="Loudness" z={voice.energy_z} value={`${plus(voice.intensity_db, 0)} dB`} />
        <Deviation name="Pace" z={voice.rate_z} value={`${voice.speech_rate.toFixed(1)} syl/s`} />
      </div>
      <p class="t-cap muted">Shaded: {name}’s usual range in this recording (±1 σ).</p>
      <dl class="kv">
        <Fact name="Ending">
          {voice.final_contour === 'unknown'
            ? 'not measured'
            : `${voice.final_contour} ${semitones(voice.final_slope_st)}`}
        </Fact>
        <Fact name="Silence before">{(voice.pause_before_ms / 1000).toFixed(1)} s</Fact>
        <Fact name="Pauses inside">
          {voice.pause_count === 0
            ? 'none'
            : `${voice.pause_count}, ${Math.round(voice.pause_mean_ms)} ms each, ${Math.round(voice.pause_ratio * 100)} %`}
        </Fact>
        {stressed.length > 0 && <Fact name="Stressed">{stressed.join(', ')}</Fact>}
      </dl>
      <details>
        <summary>All voice measures</summary>
        <dl class="kv">
          <Fact name="Pitch spread / range">
            {Math.round(voice.pitch_std)} / {Math.round(voice.pitch_range)} Hz
          </Fact>
          <Fact name="Energy (RMS, full scale 1)">{voice.energy_rms.toFixed(3)}</Fact>
          <Fact name="Articulation">{voice.articulation_rate.toFixed(1)} syl/s</Fact>
          <Fact name="Voiced">{Math.round(voice.voiced_ratio * 100)} %</Fact>
          <Fact name="Harmonics to noise">{voice.hnr_db.toFixed(1)} dB</Fact>
          <Fact name="Jitter / shimmer">
            {(voice.jitter * 100).toFixed(1)} / {(voice.shimmer * 100).toFixed(1)} %
          </Fact>
          <Fact name="Alpha ratio">{voice.alpha_ratio_db.toFixed(1)} dB</Fact>
          <Fact name="Spectral centroid">{Math.round(voice.spectral_centroid)} Hz</Fact>
        </dl>
      </details>
    </section>
  );
}

const TRACK = { width: 140, middle: 70, sigma: 62 / 3 };

/** A measure against the speaker's own usual range, in standard deviations. */
function Deviation({ name, z, value }: { name: string; z: number; value: string }) {
  const x = TRACK.middle + clamp(z, -3, 3) * TRACK.sigma;
  const isMarked = Math.abs(z) >= 1;
  return (
    <div class="zr">
      <span>{name}</span>
      <svg
        width="100%"
        height="20"
        viewBox={`0 0 ${TRACK.width} 20`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${plus(z, 1)} standard deviations`}
      >
        <rect x={TRACK.middle - TRACK.sigma} y="4" width={TRACK.sigma * 2} height="12" rx="3" fill="var(--sunken)" />
        <path d={`M6 10H${TRACK.width - 6}`} stroke="var(--line-2)" />
        <path d={`M${TRACK.middle} 5v10`} stroke="var(--ink-4)" />
        <path d={`M${TRACK.middle} 10H${x}`} stroke="var(--ink)" stroke-width={isMarked ? 2.5 : 1.5} />
        <circle cx={x} cy="10" r={isMarked ? 4.5 : 3.5} fill="var(--ink)" />
      </svg>
      <span class="v">
        {value} <small>{plus(z, 1)} σ</small>
      </span>
    </div>
  );
}

/** Valence, arousal, dominance: 0..1 with .5 the middle. */
function Scale({ name, value, word, colour }: { name: string; value: number; word: string; colour: string }) {
  const x = 8 + value * (TRACK.width - 16);
  return (
    <div class="zr">
      <span>{name}</span>
      <svg width="100%" height="20" viewBox={`0 0 ${TRACK.width} 20`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M8 10H${TRACK.width - 8}`} stroke="var(--line-2)" />
        <path d={`M${TRACK.middle} 5v10`} stroke="var(--ink-4)" />
        <path d={`M${TRACK.middle} 10H${x}`} stroke={colour} stroke-width="4" />
        <circle cx={x} cy="10" r="4" fill={colour} />
      </svg>
      <span class="v">
        {two(value)} <small>{word}</small>
      </span>
    </div>
  );
}

function Bars({ rows, top }: { rows: readonly [string, number, string][]; top?: string }) {
  return (
    <div class="bars">
      {rows.map(([name, share, told]) => (
        <>
          <span class={name === top ? 'top' : ''}>{name}</span>
          <span class="t">
            <i class={name === 'neutral' ? 'quiet' : ''} style={{ width: `${share * 100}%` }} />
          </span>
          <span class="n">{told}</span>
        </>
      ))}
    </div>
  );
}

const wordOf = (value: number, low: number, high: number, words: readonly [string, string, string]): string =>
  words[value < low ? 0 : value > high ? 2 : 1];

function Affect({ tone, felt, name }: { tone: Pad; felt: Felt; name: string }) {
  const { valence, arousal, dominance } = tone;
  const top = felt.dominant_emotion;
  const strongest = Math.max(...EMOTIONS.map((emotion) => felt.emotions[emotion]));
  const said = strongest < 0.4 ? 'No emotion stands out.' : top === 'neutral' ? 'Mostly neutral.' : `Most like ${top}.`;
  return (
    <>
      <section>
        <h3 class="sec">
          Tone<span class="rt t-cap muted">words and voice together</span>
        </h3>
        <Scale
          name="Valence"
          value={valence}
          word={wordOf(valence, 0.47, 0.53, ['negative', 'neutral', 'positive'])}
          colour={`var(--${toneColour(valence)})`}
        />
        <Scale
          name="Arousal"
          value={arousal}
          word={wordOf(arousal, 0.42, 0.55, ['calm', 'usual', 'lively'])}
          colour="var(--ink)"
        />
        <Scale name="Dominance" value={dominance} word="tendency" colour="var(--ink)" />
      </section>
      <section>
        <h3 class="sec">
          Emotion
          <span class="rt">
            <Confidence value={felt.emotion.confidence} />
          </span>
        </h3>
        <Bars
          top={top}
          rows={EMOTIONS.map((emotion) => [
            emotion,
            felt.emotions[emotion],
            `${Math.round(felt.emotions[emotion] * 100)} %`,
          ])}
        />
        <p class="t-cap muted">
          {said} {felt.emotion.confidence < 0.5 ? 'Too unsure to name one in the transcript. ' : ''}Irony is read as
          said.
        </p>
      </section>
      <section>
        <h3 class="sec">Delivery</h3>
        <div class="trio">
          {(
            [
              ['Commitment', felt.commitment_score, felt.commitment_level],
              ['Passion', felt.passion_score, felt.passion_level.replace(/ly_passionate/, '')],
              ['Conviction', felt.conviction_score, felt.conviction_level],
            ] as const
          ).map(([title, score, level]) => (
            <div key={title}>
              <span>{title}</span>
              <b>{two(score)}</b> <small>{level}</small>
            </div>
          ))}
        </div>
        <p class="t-cap muted">Indices of delivery with no labels behind them. Not sincerity.</p>
      </section>
      <section>
        <h3 class="sec">
          Attention<span class="rt t-cap muted">amount of evidence {two(felt.cognitive.confidence)}</span>
        </h3>
        <Bars rows={COGNITIVE_SIGNALS.map((s) => [s, felt.cognitive_signals[s], two(felt.cognitive_signals[s])])} />
        <p class="t-cap muted">
          Load {felt.load_level}. Fitted to no labels: compare {name} only with {name}.
        </p>
      </section>
    </>
  );
}

function Words({ line, isHidden }: { line: Line; isHidden: boolean }) {
  const { sentiment, lexical_markers: words } = line.entry;
  return (
    <section>
      <h3 class="sec">Words</h3>
      <dl class="kv">
        {sentiment && !isHidden && (
          <Fact name="Sentiment">
            {Math.round(sentiment.positive * 100)} % positive, {Math.round(sentiment.negative * 100)} % negative
          </Fact>
        )}
        <Fact name="Hedges">{Math.round(words.hedge_density * 100)} % of words</Fact>
        <Fact name="Fillers and repeats">{Math.round(words.disfluency_rate * 100)} % of words</Fact>
        <Fact name="Question">{words.is_question ? 'yes' : 'no'}</Fact>
      </dl>
      {words.reasoning && <p class="says t-lab">{capital(words.reasoning)}</p>}
    </section>
  );
}
