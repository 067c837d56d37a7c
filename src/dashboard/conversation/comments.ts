import type { Comment } from '../../sdk/wire.ts';

/** The comments of a conversation by their place in the recording, and what opens one to change it. */
export interface Comments {
  all: readonly Comment[];
  change: (comment: Comment) => void;
}
