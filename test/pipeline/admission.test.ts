import { describe, expect, it } from 'vitest';
import { BoundedQueue } from '../../containers/pipeline/admission.ts';

const never = new AbortController().signal;

describe('admission', () => {
  it('admits up to its limit, and the next in order when one leaves', async () => {
    const door = new BoundedQueue({ running: 1, waiting: 2 });
    const leave = await door.enter(never);
    const order: number[] = [];
    const entered = async (number: number) => {
      const go = await door.enter(never);
      order.push(number);
      return go;
    };
    const second = entered(2);
    const third = entered(3);
    expect([door.running, door.waiting]).toEqual([1, 2]);
    leave();
    (await second)();
    (await third)();
    expect(order).toEqual([2, 3]);
    expect([door.running, door.waiting]).toEqual([0, 0]);
  });

  it('refuses when the queue is full, with the time to retry', async () => {
    const door = new BoundedQueue({ running: 1, waiting: 0 });
    await door.enter(never);
    await expect(door.enter(never)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 15 });
  });

  it('lets work that has already been accepted wait in a queue of any length', async () => {
    const door = new BoundedQueue({ running: 1, waiting: 0 });
    const leave = await door.enter(never);
    const accepted = [door.enterAccepted(never), door.enterAccepted(never)];
    expect(door.waiting).toBe(2);
    leave();
    (await accepted[0])!();
    (await accepted[1])!();
    expect([door.running, door.waiting]).toEqual([0, 0]);
  });

  it('removes an aborted caller from the queue', async () => {
    const door = new BoundedQueue({ running: 1, waiting: 1 });
    const leave = await door.enter(never);
    const gone = new AbortController();
    const waiting = door.enter(gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    leave();
    expect([door.running, door.waiting]).toEqual([0, 0]);
  });
});
