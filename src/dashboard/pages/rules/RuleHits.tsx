import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { RuleConditionInput, RuleLeftOut, RuleMatch, RuleTryResult } from '../../../sdk/wire.ts';
import { clock, recordedOn, shortened } from '../../lib/format.ts';
import type { PiecePlayer } from '../shelf/piece-player.ts';
import { pieceOfPlace, type ShelfPiece } from '../shelf/pieces.ts';
import { addressOf, Loaded, Tool } from '../shelf/Shelf.tsx';
import { PlayButton, useShelfPlayer } from '../shelf/shelf-player.tsx';
import { hitCount } from './condition-inputs.tsx';
import { type HitThumbs, newestFirst } from './hit-scale.ts';
import { widerIn } from './rule-draft.ts';

/** Hits that are shown at first, and that each click adds. */
const PAGE = 30;

/** A place where a condition holds. */
export interface TrialHit {
  key: string;
  conversation: string;
  /** Empty for silence, which cannot be judged. */
  utterance: string;
  thumb: 'up' | 'down' | undefined;
  isUnsure: boolean;
  /** The phrases that matched, in lower case. */
  matched: string[];
  spans: readonly number[][];
  piece: ShelfPiece;
}

/** The hits of a trial that it shows, newest conversation first. */
export const hitsIn = ({ matches }: { matches: readonly RuleMatch[] }): TrialHit[] =>
  newestFirst(matches).flatMap(({ conversation_id, title, recorded_at, recorded_at_source, hits }) =>
    hits.map(({ utterance_ids, speaker, t_start, t_end, quote, spans, thumb, is_unsure }) => {
      const utterance = utterance_ids[0] ?? '';
      const key = `${conversation_id} ${utterance || t_start}`;
      const said = quote === '' ? `Nobody speaks for ${Math.round(t_end - t_start)} s.` : quote;
      return {
        key,
        conversation: conversation_id,
        utterance,
        thumb,
        isUnsure: is_unsure === true,
        matched: spans.map(([from, to]) => quote.slice(from, to).toLowerCase()),
        spans,
        piece: pieceOfPlace(
          { conversation_id, title, recorded_at, recorded_at_source, quote: said, t_start, t_end },
          key,
          speaker,
        ),
      };
    }),
  );

interface RuleHitsProps {
  result: RuleTryResult;
  thumbs: HitThumbs;
  /** The keys of the only hits to list. Undefined: all. */
  only: ReadonlySet<string> | undefined;
  /** Absent before the rule is stored. */
  judge: ((conversation: string, utterance: string, thumb: 'up' | 'down') => void) | undefined;
  /** Tries a wider rule. Absent while the conditions are others than those that were tried. */
  widen: ((when: RuleConditionInput) => void) | undefined;
}

/** The hits of a trial as quotes, to hear and to judge, and what it just leaves out. */
export function RuleHits({ result, thumbs, only, judge, widen }: RuleHitsProps) {
  const [count, setCount] = useState(PAGE);
  const hits = useMemo(() => hitsIn(result).filter(({ key }) => only?.has(key) ?? true), [result, only]);
  const shown = hits.slice(0, count);
  const beyond = useMemo(() => result.left_out.map((one) => ({ ...one, hits: hitsIn(one) })), [result]);
  const pieces = useMemo(
    () => [...shown, ...beyond.flatMap(({ hits: own }) => own)].map(({ piece }) => piece),
    [hits, beyond, count],
  );
  const near = pieces.length - shown.length;
  const leftOut = beyond.reduce((sum, { hit_count }) => sum + hit_count, 0);
  const give = (at: number, thumb: 'up' | 'down'): void => {
    const hit = shown[at];
    if (hit && hit.utterance !== '') judge?.(hit.conversation, hit.utterance, thumb);
  };
  const { player, audio } = useShelfPlayer(pieces, {
    of: () => ({ y: () => give(player.at, 'up'), n: () => give(player.at, 'down') }),
    ...(judge && { hint: ' · Y N right, wrong' }),
    count: [
      countOf(shown.length, only ? hits.length : result.hit_count, hitCount),
      ...(near > 0 ? [countOf(near, leftOut, (all) => `${all} left out`)] : []),
    ].join(', '),
  });
  const start = (group: number): number =>
    beyond.slice(0, group).reduce((sum, { hits: own }) => sum + own.length, shown.length);
  return (
    <div class="shelf">
      {hits.length === 0 ? (
        <div class="card empty">
          <p>{noHitIn(result)}</p>
        </div>
      ) : (
        <>
          <p class="muted">Newest conversation first.</p>
          <ol aria-label="Hits">
            {shown.map((hit, i) => {
              const quote = shortened(hit.piece.quote, 60);
              const thumb = thumbs.get(hit.utterance);
              return (
                <HitRow key={hit.key} hit={hit} index={i} player={player} thumb={thumb}>
                  {judge && hit.utterance !== '' && (
                    <div class="acts">
                      <Tool icon="thumbUp" label={`Right: ${quote}`} isOn={thumb === 'up'} run={() => give(i, 'up')} />
                      <Tool
                        icon="thumbDown"
                        label={`Wrong: ${quote}`}
                        isOn={thumb === 'down'}
                        run={() => give(i, 'down')}
                      />
                    </div>
                  )}
                </HitRow>
              );
            })}
          </ol>
        </>
      )}
      <Loaded count={shown.length} all={hits.length} what="hits" />
      {count < hits.length && (
        <button type="button" class="btn" onClick={() => setCount(count + PAGE)}>
          Show more
        </button>
      )}
      {!judge && hits.length > 0 && <p class="muted">Save the rule to judge its hits.</p>}
      {beyond.length > 0 && (
        <>
          <h2 class="sec" id="left-out">
            Just left out
          </h2>
          <p class="muted">Newest conversation first, as above. If these are right, go one step wider.</p>
        </>
      )}
      {beyond.map((one, group) => (
        <section key={one.path} class="near1" aria-label={`Left out: ${widerIn(one)}`}>
          <p class="row">
            <span>
              <b class="num">{addedBy(one)}</b> {widerIn(one)}
            </span>
            <span class="sp" />
            {widen && (
              <button
                type="button"
                class="btn sm"
                aria-label={`Include them: ${widerIn(one)}`}
                onClick={() => widen(one.when)}
              >
                Include them
              </button>
            )}
          </p>
          {one.hits.length > 0 && (
            <ol aria-label={`Left out: ${widerIn(one)}`}>
              {one.hits.map((hit, i) => (
                <HitRow key={hit.key} hit={hit} index={start(group) + i} player={player} />
              ))}
            </ol>
          )}
        </section>
      ))}
      {audio}
    </div>
  );
}

/** Why a trial has no hit. What cannot be told is never said to be absent. */
function noHitIn({ matched, unknown, left_out }: RuleTryResult): string {
  if (matched > 0) return 'It matches whole conversations, so there is no place to quote.';
  if (unknown > 0)
    return `Nothing that could be read is like this. Of ${unknown} ${unknown === 1 ? 'conversation' : 'conversations'} it cannot be told.`;
  return left_out.length === 0 ? 'Nothing stored is like this, nor one step wider.' : 'Nothing stored is like this.';
}

/** "29 hits", or "30 of 45 hits" where only a part can be heard here. */
const countOf = (here: number, all: number, words: (count: number) => string): string =>
  here < all ? `${here} of ${words(all)}` : words(here);

/** The hits that a wider rule adds, as a count. */
function addedBy({ hit_count: count, matched, matches }: RuleLeftOut): string {
  const conversations = `${matched} ${matched === 1 ? 'conversation' : 'conversations'}`;
  if (count === 0) return `${conversations} more`;
  const shown = matches.reduce((sum, { hits }) => sum + hits.length, 0);
  const part = shown < count ? ` (${shown} of them below, from those stored last)` : '';
  return `${hitCount(count)} more in ${conversations}${part}`;
}

interface HitRowProps {
  hit: TrialHit;
  index: number;
  player: PiecePlayer;
  thumb?: 'up' | 'down' | null | undefined;
  children?: ComponentChildren;
}

function HitRow({ hit: { piece, spans, isUnsure }, index, player, thumb, children }: HitRowProps) {
  return (
    <li
      class={`${player.at === index ? 'now' : ''} ${thumb === 'down' ? 'wrong' : ''}`}
      aria-current={player.at === index}
    >
      <PlayButton player={player} index={index} name={shortened(piece.quote, 60)} />
      <div class="said">
        <p class="who">
          <b>
            <bdi>{piece.speaker ?? 'Nobody'}</bdi>
          </b>
          <a class="und" href={addressOf(piece)}>
            <bdi>{piece.title}</bdi>, {clock(piece.at)}
          </a>
          <span class="num">{recordedOn(piece.recorded)}</span>
          {isUnsure && <span class="hollow">unsure</span>}
          {thumb && <b>judged {thumb === 'up' ? 'right' : 'wrong'}</b>}
        </p>
        <p class="quote" dir="auto">
          <Marked text={piece.quote} spans={spans} />
        </p>
      </div>
      {children}
    </li>
  );
}

/** A text in which spans are marked. */
function Marked({ text, spans }: { text: string; spans: readonly number[][] }) {
  const parts = [];
  let at = 0;
  for (const [from = 0, to = 0] of [...spans].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))) {
    if (from < at) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
