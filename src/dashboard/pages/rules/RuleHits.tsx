import { useMemo, useState } from 'preact/hooks';
import type { RuleTryResult } from '../../../sdk/wire.ts';
import { clock, shortDay, shortened } from '../../lib/format.ts';
import { pieceOfPlace, type ShelfPiece } from '../shelf/pieces.ts';
import { addressOf, Tool } from '../shelf/Shelf.tsx';
import { PlayButton, useShelfPlayer } from '../shelf/shelf-player.tsx';

/** Hits that are shown at first, and that each click adds. */
const PAGE = 30;

/** Judgements by utterance. Null: one that was taken back. */
export type HitThumbs = ReadonlyMap<string, 'up' | 'down' | null>;

/** A place where a condition holds. */
interface Hit {
  key: string;
  conversation: string;
  /** Empty for silence, which cannot be judged. */
  utterance: string;
  thumb: 'up' | 'down' | undefined;
  /** The phrases that matched, in lower case. */
  matched: string[];
  spans: readonly number[][];
  piece: ShelfPiece;
}

/** The hits of a trial that it shows, newest conversation first. */
export const hitsIn = (result: RuleTryResult): Hit[] =>
  result.matches.flatMap(({ conversation_id, title, created_at, hits }) =>
    hits.map(({ utterance_ids, speaker, t_start, t_end, quote, spans, thumb }) => {
      const utterance = utterance_ids[0] ?? '';
      const key = `${conversation_id} ${utterance || t_start}`;
      const said = quote === '' ? `Nobody speaks for ${Math.round(t_end - t_start)} s.` : quote;
      return {
        key,
        conversation: conversation_id,
        utterance,
        thumb,
        matched: spans.map(([from, to]) => quote.slice(from, to).toLowerCase()),
        spans,
        piece: pieceOfPlace({ conversation_id, title, created_at, quote: said, t_start, t_end }, key, speaker),
      };
    }),
  );

interface RuleHitsProps {
  result: RuleTryResult;
  thumbs: HitThumbs;
  /** Absent before the rule is stored. */
  judge: ((conversation: string, utterance: string, thumb: 'up' | 'down') => void) | undefined;
}

/** The hits of a trial as quotes, to hear and to judge. */
export function RuleHits({ result, thumbs, judge }: RuleHitsProps) {
  const [count, setCount] = useState(PAGE);
  const hits = useMemo(() => hitsIn(result), [result]);
  const shown = hits.slice(0, count);
  const pieces = useMemo(() => shown.map(({ piece }) => piece), [hits, count]);
  const give = (at: number, thumb: 'up' | 'down'): void => {
    const hit = shown[at];
    if (hit && hit.utterance !== '') judge?.(hit.conversation, hit.utterance, thumb);
  };
  const { player, audio } = useShelfPlayer(pieces, {
    of: () => ({ y: () => give(player.at, 'up'), n: () => give(player.at, 'down') }),
    ...(judge && { hint: ' · Y N right, wrong' }),
  });
  if (hits.length === 0)
    return (
      <div class="card empty">
        <p>Nothing stored is like this.</p>
      </div>
    );
  return (
    <div class="shelf">
      <ol aria-label="Hits">
        {shown.map(({ key, utterance, spans, piece }, i) => {
          const quote = shortened(piece.quote, 60);
          const thumb = thumbs.get(utterance);
          return (
            <li
              key={key}
              class={`${player.at === i ? 'now' : ''} ${thumb === 'down' ? 'wrong' : ''}`}
              aria-current={player.at === i}
            >
              <PlayButton player={player} index={i} name={quote} />
              <div class="said">
                <p class="who">
                  <b>
                    <bdi>{piece.speaker ?? 'Nobody'}</bdi>
                  </b>
                  <a class="und" href={addressOf(piece)}>
                    <bdi>{piece.title}</bdi>, {clock(piece.at)}
                  </a>
                  <span class="num">{shortDay(piece.recordedAt)}</span>
                </p>
                <p class="quote" dir="auto">
                  <Marked text={piece.quote} spans={spans} />
                </p>
              </div>
              {judge && utterance !== '' && (
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
            </li>
          );
        })}
      </ol>
      {count < hits.length && (
        <button type="button" class="btn" onClick={() => setCount(count + PAGE)}>
          Show more
        </button>
      )}
      {!judge && <p class="muted">Save the rule to judge its hits.</p>}
      {audio}
    </div>
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
