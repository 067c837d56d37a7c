import { clock, day } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import type { PageState } from '../state.ts';

/** Comments by their place in the recording. Each plays from its second. */
export function CommentList({ page }: { page: PageState }) {
  const comments = page.comments.value;
  if (!comments || comments.all.length === 0) return null;
  return (
    <section>
      <h2 class="sec">
        Comments <span class="num muted">{comments.all.length}</span>
      </h2>
      {comments.all.map((comment) => (
        <div class="mrow1" key={comment.comment_id}>
          <button
            type="button"
            class="mrow"
            onClick={(e) => {
              page.tab.value = 'transcript';
              page.hear(comment.at, e);
            }}
          >
            <Icon name="comment" size={15} />
            <span class="muted ell">{day(comment.changed_at ?? comment.created_at)}</span>
            <span class="tt">{clock(comment.at)}</span>
            <span class="q1 said" dir="auto">
              {comment.text}
            </span>
          </button>
          <span class="thumbs">
            <button
              type="button"
              aria-label={`Change the comment at ${clock(comment.at)}`}
              title="Change"
              onClick={() => comments.change(comment)}
            >
              <Icon name="pen" size={15} />
            </button>
          </span>
        </div>
      ))}
    </section>
  );
}
