import { beforeEach, expect, it } from 'vitest';
import { DUE_TABLES, DueTimes } from '../../../src/worker/sqlite/due-times.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

let alarms: number[];
let due: DueTimes;
beforeEach(() => {
  const sql = new MemorySql();
  migrate(sql, { due: DUE_TABLES });
  alarms = [];
  due = new DueTimes(sql, async (at) => void alarms.push(at));
});

it('sets the one alarm to the earliest time', async () => {
  await due.set('a', 500);
  await due.set('b', 300);
  await due.set('c', 400);
  expect(alarms).toEqual([500, 300, 300]);
});

it('postpones a time with set, and never with within', async () => {
  await due.set('a', 100);
  await due.set('a', 200);
  await due.within('a', 300);
  await due.within('a', 150);
  expect(alarms).toEqual([100, 200, 200, 150]);
});

it('runs due tasks, the oldest first, and nothing else', async () => {
  const done: string[] = [];
  const task = (name: string) => () => {
    done.push(name);
    return null;
  };
  await due.set('late', 900);
  await due.set('second', 200);
  await due.set('first', 100);
  expect(await due.run({ first: task('first'), second: task('second'), late: task('late') }, 300)).toEqual([]);
  expect(done).toEqual(['first', 'second']);
  expect(alarms.at(-1)).toBe(900);
  await due.run({ late: task('late') }, 300);
  expect(done).toEqual(['first', 'second']);
});

it('repeats a task on request, and a failed one a minute later, without delaying the others', async () => {
  await due.set('breaks', 1);
  await due.set('repeats', 2);
  const errors = await due.run({ breaks: () => Promise.reject(new Error('no')), repeats: () => 5_000 }, 10);
  expect(errors).toEqual([new Error('no')]);
  expect(alarms.at(-1)).toBe(5_000);
  let again = 0;
  await due.run({ breaks: () => ++again && null, repeats: () => null }, 60_010);
  expect(again).toBe(1);
});

it('notices a time that is set while its task runs', async () => {
  await due.set('a', 1);
  const ran: number[] = [];
  await due.run(
    {
      a: async (now) => {
        ran.push(now);
        await due.set('a', 700);
        return null;
      },
    },
    10,
  );
  expect(alarms.at(-1)).toBe(700);
});

it('forgets a task without a handler', async () => {
  await due.set('old', 1);
  await due.run({}, 10);
  alarms.length = 0;
  await due.run({}, 20);
  expect(alarms).toEqual([]);
});
