import { useState } from 'preact/hooks';
import { clock, shortened } from '../../lib/format.ts';
import { Confidence } from '../../lib/speaker-marks.tsx';
import { isUnsurePin, promiseOf, QUOTE_CHARS, SignGlyph } from '../signs.tsx';
import type { PageState } from '../state.ts';
import { highlightEvidence } from './Prose.tsx';
import { ShowAll } from './ShowAll.tsx';

/** Number of promises that are listed at first. */
const FIRST = 12;

/** The promises in order of time: who owes whom what, and by when. */
export function Promises({ page }: { page: PageState }) {
  const { conversation } = page;
  const [isWhole, showAll] = useState(false);
  const promises = conversation.promises.toSorted((a, b) => a.at - b.at);
  if (promises.length === 0) return null;
  const shown = isWhole ? promises : promises.slice(0, FIRST);
  return (
    <section>
      <h2 class="sec">
        Promises <span class="num muted">{promises.length}</span>
      </h2>
      {shown.map((pin) => {
        const { owner, to, deed, when } = promiseOf(pin, conversation);
        return (
          <div class="mrow1" key={pin.id}>
            <button
              type="button"
              class="mrow"
              onClick={(e) => {
                page.tab.value = 'transcript';
                page.hearSign(pin, e);
              }}
              {...highlightEvidence(page, [pin.request ?? pin.line, pin.line])}
            >
              <SignGlyph kind="promise" size={15} isUnsure={isUnsurePin(pin)} />
              <span class="ell">
                <span class="tp1">{owner}</span>
                {to !== undefined && (
                  <span class="muted">
                    {' '}
                    to <bdi>{to}</bdi>
                  </span>
                )}
              </span>
              <span class="tt">{clock(pin.at)}</span>
              <span class="q1" dir="auto">
                {shortened([deed, when].filter(Boolean).join(', '), QUOTE_CHARS)} <Confidence value={pin.confidence} />
              </span>
            </button>
          </div>
        );
      })}
      {shown.length < promises.length && (
        <ShowAll count={promises.length} shown={shown.length} show={() => showAll(true)} />
      )}
    </section>
  );
}
