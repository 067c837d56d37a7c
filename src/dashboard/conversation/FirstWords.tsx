import type { TimelineEntry } from '../../sdk/wire.ts';
import { clock } from '../lib/format.ts';
import { Badge, speakerClass } from '../lib/speaker-marks.tsx';
import { speakerName } from '../lib/speaker-names.ts';
import { ToList } from './ToList.tsx';
import { rowsOf } from './timeline/geometry.ts';
import { isPhone } from './timeline/Timeline.tsx';

/** Number of lines shown: more than fit into a window. */
const MOST = 12;
const LINES = [60, 92, 84, 96, 70, 88, 64, 90];

/** The frame of a conversation with the utterances that have arrived, while the rest loads. */
export function FirstWords({ entries, home }: { entries: readonly TimelineEntry[]; home?: string }) {
  const labels = [...new Set(entries.map(({ speaker }) => speaker))];
  const hasTone = entries.length === 0 || entries.some((entry) => entry.pad_scores);
  // Two people are the commonest case.
  const { height } = rowsOf(labels.length || 2, isPhone.value, hasTone);
  return (
    <main class="conv" aria-busy="true" data-tab="summary">
      <header class="bar">
        <ToList home={home} />
        <p class="ttl to-come muted" role="status">
          Loading conversation …
        </p>
      </header>
      <section class="timeline">
        <div class="gut" style={{ height: `${height + 1}px` }} />
        <div class="plot" style={{ height: `${height}px` }} />
        <div class="below">
          <p class="signkey">&nbsp;</p>
        </div>
        {isPhone.value && hasTone && <p class="toneline">&nbsp;</p>}
      </section>
      <div class="tabs" />
      <div class="cols">
        <section class="col summary to-come" aria-hidden="true">
          <GreyLines />
        </section>
        <section class="col transcript">
          <div class="shd to-come" />
          <div class="tx-scroll">
            <div class="phh">&nbsp;</div>
            {entries.length === 0 && (
              <div class="summary to-come" aria-hidden="true">
                <GreyLines />
              </div>
            )}
            {entries.slice(0, MOST).map(({ utterance_id: id, speaker: label, t_start, text }, i) => {
              const speaker = labels.indexOf(label);
              const isFirst = i === 0 || entries[i - 1]!.speaker !== label;
              return (
                <div key={id} class={`u ${speakerClass(speaker)} ${isFirst ? 'first' : ''}`}>
                  <span class="ts">{clock(t_start)}</span>
                  {isFirst && <Badge speaker={speaker} />}
                  <div class="bdy">
                    {isFirst && <span class="nm1">{speakerName(label, speaker)}</span>}
                    <div class="txt" dir="auto">
                      {text}
                    </div>
                  </div>
                </div>
              );
            })}
          </div>
        </section>
        <aside class="col people" />
      </div>
    </main>
  );
}

function GreyLines() {
  return (
    <>
      {LINES.map((width) => (
        <div key={width} class="sk" style={{ width: `${width}%`, height: '16px' }} />
      ))}
    </>
  );
}
