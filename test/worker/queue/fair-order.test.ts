import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairOrder, type WaitingAnalysis } from '../../../src/worker/queue/fair-order.ts';

let ids = 0;
const file = (tenant: string, cost = 60, isAttended = false): WaitingAnalysis => ({
  id: `${tenant}${ids++}`,
  tenant,
  cost,
  isAttended,
});

function orderOf(...entries: WaitingAnalysis[]): FairOrder {
  const order = new FairOrder();
  for (const entry of entries) order.add(entry);
  return order;
}

const tenantsOf = (order: FairOrder, turns: number): string =>
  Array.from({ length: turns }, () => order.next()?.tenant ?? '-').join('');

const flood = (tenant: string, count: number, cost = 60): WaitingAnalysis[] =>
  Array.from({ length: count }, () => file(tenant, cost));

describe('the order of waiting recordings', () => {
  it('is the order of arrival within a tenant', () => {
    const files = flood('a', 5);
    const order = orderOf(...files);
    expect(files.map(() => order.next()?.id)).toEqual(files.map(({ id }) => id));
    expect(order.next()).toBeUndefined();
  });

  it('puts attended ones first within a tenant', () => {
    const [later, one, two] = [file('a'), file('a', 60, true), file('a', 60, true)];
    const order = orderOf(later, one, two);
    expect([order.next(), order.next(), order.next()]).toEqual([one, two, later]);
  });

  it('serves a newcomer next, however many recordings of others wait', () => {
    const order = orderOf(...flood('a', 200));
    tenantsOf(order, 20);
    order.add(file('b', 7_200));
    expect(order.next()?.tenant).toBe('b');
  });

  it('alternates between tenants with recordings of one length', () => {
    expect(tenantsOf(orderOf(...flood('a', 4), ...flood('b', 4), ...flood('c', 4)), 12)).toBe('abcabcabcabc');
  });

  it('shares seconds of audio, not turns', () => {
    const order = orderOf(...flood('a', 100, 3_600), ...flood('b', 100, 600));
    const turns = tenantsOf(order, 35);
    expect(turns.replaceAll('b', '')).toHaveLength(5);
  });

  it('does not favour a tenant that sends one recording after another', () => {
    const order = orderOf(...flood('a', 100, 60));
    const turns: string[] = [];
    for (let turn = 0; turn < 24; turn++) {
      if (order.waitingOf('b', false) === 0) order.add(file('b', 180));
      turns.push(order.next()!.tenant);
    }
    expect(turns.filter((tenant) => tenant === 'b')).toHaveLength(6);
  });

  it('forgets debts when nothing waits', () => {
    const order = orderOf(file('a', 86_400));
    expect(tenantsOf(order, 2)).toBe('a-');
    order.add(file('b'));
    order.add(file('a'));
    order.add(file('b'));
    expect(tenantsOf(order, 3)).toBe('bab');
  });

  it('skips tenants that are not allowed to start, and keeps their turn', () => {
    const order = orderOf(...flood('a', 2), ...flood('b', 2));
    expect(order.next((tenant) => tenant !== 'a')?.tenant).toBe('b');
    expect(order.next(() => false)).toBeUndefined();
    expect(tenantsOf(order, 3)).toBe('aba');
  });

  it('skips removed entries', () => {
    const [one, two] = [file('a'), file('a')];
    const order = orderOf(one, two);
    order.remove(one);
    order.remove(file('nobody'));
    expect(order.next()).toBe(two);
    expect(order.next()).toBeUndefined();
  });

  it('while all wait, gives no tenant more than another by more than its longest recording, and loses none', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 40 });
    void fc.assert(
      fc.property(fc.array(costs, { minLength: 2, maxLength: 5 }), (tenants) => {
        const order = orderOf(...tenants.flatMap((list, i) => list.map((cost) => file(String(i), cost))));
        const given = tenants.map(() => 0);
        const turns: string[] = [];
        for (let entry = order.next(); entry; entry = order.next()) {
          turns.push(entry.tenant);
          given[Number(entry.tenant)]! += entry.cost;
          if (tenants.every((_, i) => order.waitingOf(String(i), false) > 0))
            expect(Math.max(...given) - Math.min(...given)).toBeLessThanOrEqual(100);
        }
        expect(given).toEqual(tenants.map((list) => list.reduce((sum, cost) => sum + cost, 0)));
        expect(turns).toHaveLength(tenants.flat().length);
      }),
    );
  });
});
