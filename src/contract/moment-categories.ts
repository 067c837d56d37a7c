/**
 * One shape of an icon of 16 by 16 units. Ink has the colour of the text, and ground the colour of the surface behind
 * it.
 */
export interface IconShape {
  /** SVG path data. */
  path: string;
  fill?: 'ink' | 'ground';
  stroke?: 'ink' | 'ground';
  strokeWidth?: number;
  roundCap?: true;
  roundJoin?: true;
}

/** Everything the service knows about one category of moments, apart from the weights that recognise it. */
export interface MomentCategoryRow {
  /** The name on the wire. */
  name: string;
  /** The name on pages, in exports and in the terminal. */
  label: string;
  /**
   * A clause with the speaker as its subject, for API readers, for tools, and for a language model that finds moments.
   */
  description: string;
  /** The predicate of the sentence that describes a moment: "Anna proposes: ...". */
  verb: string;
  /** One character, for terminals. */
  mark: string;
  /** Used on pages. Categories differ by shape and not by colour, because an icon has the colour of its speaker. */
  icon: readonly IconShape[];
  /**
   * Index of the category's output in the moments network, from 0. A new category gets the next number and needs `npm
   * run train -- moments`.
   */
  output: number;
  /** Position among several moments of the same turn. */
  order: number;
  /**
   * The category that it answers. A moment of this kind needs an earlier offer by another speaker, to which its `answers` refers
   * to.
   */
  answers?: 'cta_offered';
  /** Whether the answer is a yes. */
  agrees?: boolean;
  /** Whether it needs several speakers and is never spoken by a recorded voice. */
  needsOthers?: true;
  /** Whether its labels name the reasons for an objection. */
  hasGrounds?: true;
  /** Whether it begins a new topic, which makes a boundary between phases more likely. */
  opensTopic?: true;
}

/**
 * The categories of moments, one row each. Types, schemas, the OpenAPI document, the client, the command line, the
 * tools, the exports and the dashboard are all derived from it. `npm run generate -- wire-types` copies the parts that
 * customers see into the client.
 */
export const MOMENT_CATEGORIES = [
  {
    name: 'objection',
    label: 'Objection',
    description: 'the speaker raises a concern or doubt about a proposal or product under discussion',
    verb: 'objects',
    mark: '!',
    icon: [{ path: 'M8 1.6 14.4 8 8 14.4 1.6 8Z', fill: 'ink' }],
    output: 3,
    order: 2,
    needsOthers: true,
    hasGrounds: true,
  },
  {
    name: 'cta_offered',
    label: 'Offer',
    description:
      'the speaker makes a concrete proposal or offer that the other side can accept or decline, put as a question or not',
    verb: 'proposes',
    mark: '?',
    icon: [
      {
        path: 'M8 2.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2Z',
        fill: 'ground',
        stroke: 'ink',
        strokeWidth: 1.8,
      },
      { path: 'M8 5.2v5.6M5.2 8h5.6', stroke: 'ink', strokeWidth: 1.6 },
    ],
    output: 0,
    order: 3,
    needsOthers: true,
  },
  {
    name: 'cta_accepted',
    label: 'Accepted',
    description: 'the speaker accepts an offer that somebody else made',
    verb: 'accepts',
    mark: '✓',
    icon: [
      { path: 'M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8Z', fill: 'ink' },
      { path: 'm5 8.2 2.1 2.1L11.2 6', stroke: 'ground', strokeWidth: 1.7, roundCap: true },
    ],
    output: 1,
    order: 1,
    answers: 'cta_offered',
    needsOthers: true,
    agrees: true,
  },
  {
    name: 'cta_rejected',
    label: 'Declined',
    description: 'the speaker declines an offer that somebody else made',
    verb: 'declines',
    mark: '✗',
    icon: [
      {
        path: 'M5.2 2.2h5.6a3 3 0 0 1 3 3v5.6a3 3 0 0 1-3 3h-5.6a3 3 0 0 1-3-3v-5.6a3 3 0 0 1 3-3Z',
        fill: 'ink',
      },
      { path: 'M5.6 5.6l4.8 4.8m0-4.8-4.8 4.8', stroke: 'ground', strokeWidth: 1.6, roundCap: true },
    ],
    output: 2,
    order: 1,
    answers: 'cta_offered',
    needsOthers: true,
    agrees: false,
  },
  {
    name: 'topic_shift',
    label: 'Change of subject',
    description: 'the speaker opens a new topic',
    verb: 'changes the subject',
    mark: '»',
    icon: [
      { path: 'M2.5 4.5h6l3 3.5-3 3.5h-6', stroke: 'ink', strokeWidth: 1.8, roundJoin: true },
      { path: 'M13.5 2.5v11', stroke: 'ink', strokeWidth: 1.8 },
    ],
    output: 4,
    order: 0,
    opensTopic: true,
  },
] as const satisfies readonly MomentCategoryRow[];
