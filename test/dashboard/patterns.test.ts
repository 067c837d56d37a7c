import { expect, it, vi } from 'vitest';
import { hourOn } from '../../src/dashboard/lib/format.ts';
import { ColumnDrag, edgeScroll } from '../../src/dashboard/pages/patterns/brush.ts';
import {
  addressOf,
  columnsOf,
  isWithin,
  periodName,
  periodOf,
  spanOf,
} from '../../src/dashboard/pages/patterns/filters.ts';
import { pieceOfMoment, placeIn } from '../../src/dashboard/pages/shelf/pieces.ts';
import { playerAct } from '../../src/dashboard/pages/shelf/player-keys.ts';
import { forgetThumbs, keepThumb, thumbOf } from '../../src/dashboard/pages/shelf/thumbs.ts';
import { MOMENT_HIT } from '../../src/openapi/examples.ts';
import { addressQueryOf, patternFiltersIn } from '../../src/sdk/page-filters.ts';

const [FINGER, SECOND] = [1, 2];

it('a drag chooses from the week where it began to the one where it ends, in both directions', () => {
  const drag = new ColumnDrag();
  drag.begin(FINGER, 4);
  expect(drag.moveTo(FINGER, 4)).toBe(false);
  expect([5, 5, 6].map((week) => drag.moveTo(FINGER, week))).toEqual([true, false, true]);
  expect(drag.end(FINGER)).toEqual([4, 6]);
  drag.begin(FINGER, 4);
  drag.moveTo(FINGER, 2);
  expect(drag.end(FINGER)).toEqual([4, 2]);
});

it('a drag that comes back to its week chooses that week, and a press chooses none', () => {
  const drag = new ColumnDrag();
  drag.begin(FINGER, 4);
  drag.moveTo(FINGER, 5);
  drag.moveTo(FINGER, 4);
  expect(drag.end(FINGER)).toEqual([4, 4]);
  drag.begin(FINGER, 4);
  expect(drag.end(FINGER)).toBeUndefined();
});

it('a finger beside the weeks keeps what was chosen so far', () => {
  const drag = new ColumnDrag();
  drag.begin(FINGER, 4);
  drag.moveTo(FINGER, 3);
  expect(drag.moveTo(FINGER, undefined)).toBe(false);
  expect(drag.end(FINGER)).toEqual([4, 3]);
  drag.begin(FINGER, undefined);
  expect(drag.moveTo(FINGER, 3)).toBe(false);
});

it('a second finger and the scrolling of the page end a drag without a choice', () => {
  const drag = new ColumnDrag();
  drag.begin(FINGER, 4);
  drag.moveTo(FINGER, 5);
  drag.begin(SECOND, 6);
  expect([drag.moveTo(FINGER, 6), drag.end(FINGER), drag.end(SECOND)]).toEqual([false, undefined, undefined]);
  drag.begin(FINGER, 4);
  drag.moveTo(FINGER, 5);
  drag.cancel();
  expect(drag.end(FINGER)).toBeUndefined();
});

it('a drag scrolls only at the edges', () => {
  expect([105, 200, 375].map((x) => Math.sign(edgeScroll(x, 100, 390)))).toEqual([-1, 0, 1]);
});

it('an address opens the same sentence, weeks, rule, outcome and moment in another tab', () => {
  const address =
    '/app/patterns?category=objection&outcome=nothing&weeks=13&from=2026-09-28&to=2026-10-12&person=Anna+%26+Co&label=clinic&q=price&rule=rule_1&at=m_1';
  const filters = patternFiltersIn(addressQueryOf(address.split('?')[1]!));
  expect(new URLSearchParams(addressOf(filters).split('?')[1]).size).toBe(10);
  expect(patternFiltersIn(addressQueryOf(addressOf(filters).split('?')[1]!))).toEqual(filters);
  expect([...new URLSearchParams(addressOf(filters).split('?')[1])].sort()).toEqual(
    [...new URLSearchParams(address.split('?')[1])].sort(),
  );
  expect(addressOf(patternFiltersIn({}))).toBe('/app/patterns');
});

it('the columns are weeks up to 13 of them, then whole months, and are chosen as such', () => {
  vi.useFakeTimers({ now: new Date('2026-02-10T12:00:00'), toFake: ['Date'] });
  try {
    expect([4, 13, 26, 52].map(periodName)).toEqual([
      'last 4 weeks',
      'last 13 weeks',
      'last 6 months',
      'last 12 months',
    ]);
    const { span, columns } = columnsOf(26);
    expect(span).toBe('month');
    expect(columns.map(({ head }) => head)).toEqual(['Sept 2025', 'Oct', 'Nov', 'Dec', 'Jan 2026', 'Feb']);
    const [first, second, last] = [columns[0]!, columns[1]!, columns[5]!];
    expect(second).toMatchObject({ from: '2025-10-01', to: '2025-11-01', name: 'October 2025' });
    expect([spanOf(second), spanOf(periodOf(second, first))]).toEqual(['October 2025', '1 Sept to 31 Oct']);
    expect(spanOf(columnsOf(4).columns[3]!)).toBe('week of 9 Feb');
    expect(periodOf(last, first)).toEqual({ from: '2025-09-01', to: '2026-03-01' });
    // Weeks that an older address chose are within the months that have a day of theirs.
    const chosen = columns.filter((column) => isWithin(column, { from: '2025-09-29', to: '2025-10-06' }));
    expect(chosen).toEqual([first, second]);
    expect(columns.filter((column) => isWithin(column, second))).toEqual([second]);
  } finally {
    vi.useRealTimers();
  }
});

it('the strip of a piece has the speech of the quote, of its speaker and of the others, and ends where it does', () => {
  const around = [
    { speaker: 'Bo Lund', t_start: 2, t_end: 11 },
    { speaker: 'Anna', t_start: 12.5, t_end: 15 },
    { speaker: 'Anna', t_start: 16, t_end: 30 },
  ];
  const piece = pieceOfMoment({ ...MOMENT_HIT, around });
  expect([piece.from, piece.to]).toEqual([7.5, 20]);
  expect(piece.around.map(({ isOwn, isQuote }) => [isOwn, isQuote])).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ]);
  expect(piece.around.map(({ from, to }) => [from, to].map((at) => Math.round(placeIn(piece, at))))).toEqual([
    [0, 28],
    [40, 60],
    [68, 100],
  ]);
  // The line at the second that is heard and the bar of the player are at the same place.
  expect(placeIn(piece, piece.at)).toBe(40);
});

it('a thumb that was given or taken back replaces the one that came with the list', () => {
  expect([thumbOf('m', undefined), thumbOf('m', 'down')]).toEqual([undefined, 'down']);
  keepThumb('m', null);
  expect(thumbOf('m', 'down')).toBeUndefined();
  keepThumb('m', 'up');
  expect([thumbOf('m', 'down'), thumbOf('other', 'down')]).toEqual(['up', 'down']);
  forgetThumbs();
  expect(thumbOf('m', 'down')).toBe('down');
});

it('thirty pieces are heard with J alone, from the first to the last, and K goes back', () => {
  const played: number[] = [];
  const player = {
    ...{ at: -1, time: 12, playsOn: false, seek: () => undefined, setPlaysOn: () => undefined },
    play: (index: number) => {
      player.at = index;
      played.push(index);
    },
  };
  for (let press = 0; press < 30; press++) playerAct('j', player, 30)?.();
  expect(played).toEqual(Array.from({ length: 30 }, (_, i) => i));
  for (const key of ['j', 'k', 'k']) playerAct(key, player, 30)?.();
  expect(played.slice(30)).toEqual([29, 28, 27]);
  expect(playerAct('x', player, 30)).toBeUndefined();
});

it('a time has its day unless it is today', () => {
  const today = new Date(2026, 10, 20, 9);
  const at = (date: Date) => hourOn(date.toISOString(), today);
  expect(at(new Date(2026, 10, 20, 14, 5))).toBe('14:05');
  expect(at(new Date(2026, 10, 21, 0, 5))).toMatch(/^21 Nov.*00:05$/);
});
