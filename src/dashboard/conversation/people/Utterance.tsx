import { capital, clamp, fineClock, two } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { Badge, Confidence, speakerClass } from '../../lib/speaker-marks.tsx';
import { isHard, measuredOf, type UtteranceLine } from '../model.ts';
import { NOT_PLAYABLE } from '../recording.ts';
import type { PageState } from '../state.ts';
import { ThumbButtons } from '../ThumbButtons.tsx';
import { Affect } from './Affect.tsx';
import { CloseButton, Fact, Notice } from './parts.tsx';
import { Voice } from './Voice.tsx';

type OpenMenu = ((line: number, at: DOMRect) => void) | undefined;

/** All measures of one utterance. */
export function UtteranceMeasures({
  page,
  line,
  openMenu,
}: {
  page: PageState;
  line: UtteranceLine;
  openMenu: OpenMenu;
}) {
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
          Utterance {line.index + 1} of {lines.length}
        </span>
        <button
          type="button"
          class="btn sm icon ghost"
          aria-label="Previous"
          disabled={line.index === 0}
          onClick={go(-1)}
        >
          <Icon name="upward" size={16} />
        </button>
        <button
          type="button"
          class="btn sm icon ghost"
          aria-label="Next"
          disabled={line.index === lines.length - 1}
          onClick={go(1)}
        >
          <Icon name="down" size={16} />
        </button>
        <CloseButton page={page} />
      </div>
      <div class={`ib ${speakerClass(line.speaker)}`}>
        <section>
          <div class="who">
            <Badge speaker={line.speaker} />
            <div class="who2">
              <b class="ell" dir="auto" title={name}>
                {name}
              </b>
              <span class="muted num t-lab">
                {fineClock(line.start)} to {fineClock(line.end)}, {(line.end - line.start).toFixed(1)} s
              </span>
            </div>
            {openMenu && (
              <button
                type="button"
                class="btn sm icon ghost"
                aria-label="Comment or correct"
                title="Comment or correct"
                aria-haspopup="menu"
                onClick={(e) => openMenu(line.index, e.currentTarget.getBoundingClientRect())}
              >
                <Icon name="pen" size={14} />
              </button>
            )}
            {page.player.problem.value ? (
              <span class="silent1">{NOT_PLAYABLE[page.player.problem.value]}</span>
            ) : (
              <button
                type="button"
                class="btn sm"
                onClick={() => {
                  page.goTo(line.start);
                  page.player.play();
                }}
              >
                <Icon name="play" size={13} /> Play
              </button>
            )}
          </div>
          <p class="quote" dir="auto">
            “{line.text}”
          </p>
          {page.thumbs.value && (
            <p class="rate t-cap muted">
              Are these words and measures right?
              <ThumbButtons page={page} kind="utterance" on={line.entry.utterance_id} what={line.text} />
            </p>
          )}
          {isHard(line) && (
            <Notice kind="warn">
              These words were hard to hear ({two(line.heard)}), so the findings below are uncertain.
            </Notice>
          )}
        </section>
        <Voice
          conversation={conversation}
          line={line}
          name={name}
          measured={measuredOf(conversation, line.speaker)}
          isHidden={isHidden || !line.tone}
        />
        {isHidden ? (
          <section>
            <h3 class="sec">Tone and emotion</h3>
            <Notice kind="shield">Hidden for {name}, here and in every file.</Notice>
          </section>
        ) : line.tone && line.felt ? (
          <Affect tone={line.tone} felt={line.felt} name={name} />
        ) : (
          <section>
            <h3 class="sec">Tone and emotion</h3>
            <Notice kind="shield">
              They were not computed for {name} because this analysis was requested without them.
            </Notice>
          </section>
        )}
        <Words line={line} isHidden={isHidden} />
        <section>
          <h3 class="sec">How reliable this is</h3>
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

function Words({ line, isHidden }: { line: UtteranceLine; isHidden: boolean }) {
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
        <Fact name="Hedges (“maybe”, “I think”)">{Math.round(words.hedge_density * 100)} % of words</Fact>
        <Fact name="Fillers (“um”) and repeats">{Math.round(words.disfluency_rate * 100)} % of words</Fact>
        <Fact name="Question">{words.is_question ? 'yes' : 'no'}</Fact>
      </dl>
      {words.reasoning && <p class="says t-lab">{capital(words.reasoning)}</p>}
    </section>
  );
}
