/**
 * Roles of speakers proposed from their words, against the roles of recorded and written dialogues. None of the sets
 * was trained on, except where its row says so.
 *
 *   npm run bench -- roles
 */
import { weightsBytes } from '../containers/pipeline/conversation-weights.ts';
import { abcdRoles, otherDialogues, type RoleDialogue, roleDialogues } from '../scripts/train/role-corpus.ts';
import { weightsTree } from '../src/conversation/packed-weights.ts';
import { type RoleWeights, rolesOfTwo, SURE_ROLE } from '../src/conversation/people/roles.ts';
import { report, type Table } from './report.ts';

const THRESHOLDS = [0.5, 0.8, 0.9, SURE_ROLE, 0.98];

const weights = weightsTree<RoleWeights>(weightsBytes('roles'));

interface Judged {
  confidence: number;
  isRight: boolean;
}

/** The proposal for each dialogue. @param most turns that are read */
function judged(dialogues: readonly RoleDialogue[], most = Number.POSITIVE_INFINITY): (Judged | null)[] {
  return dialogues.map(({ turns, roles }) => {
    const [first = '', second = ''] = Object.keys(roles);
    const said = [first, second].map((one) =>
      turns.slice(0, most).flatMap(({ speaker, text }) => (speaker === one ? [text] : [])),
    ) as [string[], string[]];
    const found = rolesOfTwo(said, weights);
    return found && { ...found, isRight: found.roles[0] === roles[first] && found.roles[1] === roles[second] };
  });
}

const share = (part: number, of: number): string => (of === 0 ? '-' : (part / of).toFixed(3));

function rowOf(name: string, dialogues: readonly RoleDialogue[], most?: number): Table['rows'][number] {
  const found = judged(dialogues, most);
  const cells = THRESHOLDS.map((least) => {
    const proposed = found.filter((one) => one !== null && one.confidence >= least);
    const right = proposed.filter((one) => one?.isRight).length;
    return `${share(proposed.length, found.length)} / ${share(right, proposed.length)}`;
  });
  return [name, dialogues.length, ...cells];
}

const multiwoz = roleDialogues('multiwoz-val-test', ({ split }) => split === 'test');
const sgd = roleDialogues('sgd');
const osce = roleDialogues('osce-interviews');
const primock = roleDialogues('primock57');
const abcd = abcdRoles();

report('roles', [
  {
    title: 'Proposed roles of both speakers: coverage / accuracy by the least confidence',
    columns: ['set', 'dialogues', ...THRESHOLDS.map((least) => (least === SURE_ROLE ? `${least} (sure)` : `${least}`))],
    rows: [
      rowOf('MultiWOZ test', multiwoz),
      rowOf('SGD', sgd),
      rowOf('ABCD sample', abcd),
      rowOf('OSCE', osce),
      rowOf('PriMock57', primock),
      rowOf('OSCE, first 20 turns', osce, 20),
      rowOf('PriMock57, first 20 turns', primock, 20),
      rowOf('all of these', [...multiwoz, ...sgd, ...abcd, ...osce, ...primock]),
    ],
    note: 'SGD, ABCD, OSCE and PriMock57 were not trained on; of MultiWOZ, only its validation part was.',
  },
  {
    title: 'Talk without such roles, where every proposal is wrong: share with a proposal by the least confidence',
    columns: ['set', 'pairs', ...THRESHOLDS.map(String)],
    rows: [['CaSiNo valid, QMSum val', otherDialogues('val')] as const].map(([name, dialogues]) => {
      const found = judged(dialogues);
      const shares = THRESHOLDS.map((least) =>
        share(found.filter((one) => one !== null && one.confidence >= least).length, found.length),
      );
      return [name, dialogues.length, ...shares];
    }),
  },
]);
