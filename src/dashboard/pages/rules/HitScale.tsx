import type { RuleTryResult } from '../../../sdk/wire.ts';
import { type Dot, type HitThumbs, type ScaleHit, type ScaleStep, scaleOf } from './hit-scale.ts';

/** Dots of one step that are drawn. The others are counted. */
const DRAWN = 80;
const SIGNS: Readonly<Record<Dot, string>> = { right: 'right', wrong: 'wrong', open: 'not judged' };

interface HitScaleProps {
  /** The hits that the trial shows. */
  hits: readonly ScaleHit[];
  result: RuleTryResult;
  thumbs: HitThumbs;
}

/** A dot for each hit, from the words of the rule to what it just leaves out, with the line where the rule ends. */
export function HitScale({ hits, result, thumbs }: HitScaleProps) {
  const steps = scaleOf(hits, result, thumbs);
  if (steps.length === 0) return null;
  const inside = steps.filter(({ isIn }) => isIn);
  const outside = steps.filter(({ isIn }) => !isIn);
  return (
    <section class="scale1" aria-label="From the words of the rule to what it leaves out">
      <p class="axis1 muted">
        <span>← closest to the words of the rule</span>
        <span>furthest from them →</span>
      </p>
      <div class="ends">
        {inside.length > 0 && <Steps steps={inside} name="Found" />}
        {outside.length > 0 && <Steps steps={outside} name="Just left out" isOut />}
      </div>
      <p class="muted num">
        One dot is one hit: <i class="dot right" /> judged right · <i class="dot wrong" /> judged wrong ·{' '}
        <i class="dot open" /> not judged
        {outside.length > 0 && (
          <>
            {' '}
            ·{' '}
            <span class="out">
              <i class="dot open" />
            </span>{' '}
            left out
          </>
        )}
        .
        {hits.length < result.hit_count &&
          ` ${hits.length} of ${result.hit_count} hits are drawn: those of the conversations stored last.`}
      </p>
    </section>
  );
}

function Steps({ steps, name, isOut = false }: { steps: readonly ScaleStep[]; name: string; isOut?: boolean }) {
  return (
    <div class={isOut ? 'out' : ''}>
      <p>
        <b>{name}</b> {isOut && <span class="muted">what each wider rule would add</span>}
      </p>
      <ol aria-label={name}>
        {steps.map(({ label, count, dots }, i) => (
          <li key={`${i} ${label}`}>
            <span class="dots" aria-hidden="true">
              {dots.slice(0, DRAWN).map((dot, n) => (
                <i key={n} class={`dot ${dot}`} />
              ))}
            </span>
            <small class="num">
              <b>
                {isOut && '+'}
                {count}
              </b>{' '}
              {label}
              {count > DRAWN && <span aria-hidden="true"> ({DRAWN} drawn)</span>}
              {!isOut && <span class="vh">: {judgedIn(dots)}</span>}
            </small>
          </li>
        ))}
      </ol>
    </div>
  );
}

const judgedIn = (dots: readonly Dot[]): string =>
  (Object.keys(SIGNS) as Dot[]).map((sign) => `${dots.filter((dot) => dot === sign).length} ${SIGNS[sign]}`).join(', ');
