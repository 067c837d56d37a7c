import type { ConversationSummary } from '../../sdk/wire.ts';

type Quality = ConversationSummary['conversation_quality'];
const QUALITIES: readonly Quality[] = ['poor', 'fair', 'good', 'excellent'];

/** Whether a quality is informative. A conversation counts as fair unless several measures support another rating. */
export const isMarked = (quality: Quality): boolean => quality !== 'fair';

/** The quality of a conversation as four dots. */
export function Dots({ quality }: { quality: Quality }) {
  const of4 = QUALITIES.indexOf(quality) + 1;
  return (
    <span class="dots" role="img" aria-label={`${of4} of 4`}>
      {QUALITIES.map((name, i) => (
        <i key={name} class={i < of4 ? 'f' : ''} />
      ))}
    </span>
  );
}
