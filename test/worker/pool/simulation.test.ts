import { describe, expect, it } from 'vitest';
import { SimulatedFleet } from '../../../bench/simulation/fleet.ts';

const MINUTE = 60_000;

/** A fleet of 20 containers with 120 sessions of an hour. */
function fleet(beatLoss = 0): SimulatedFleet {
  const started = new SimulatedFleet({ min: 20, max: 40, startFactor: 1, speedFactor: 1, beatLoss });
  started.events.runUntil(MINUTE);
  for (let i = 0; i < 120; i++) started.addSession(`t${i % 5}`, 3600);
  started.events.runUntil(5 * MINUTE);
  return started;
}

describe('the plan of the pool, in simulated time', () => {
  it('gives every session of a killed instance another place within 15 s and concludes all', () => {
    const pool = fleet();
    const lost = pool.kill(0.3);
    expect(lost.length).toBeGreaterThan(10);
    pool.events.runUntil(6 * MINUTE);
    expect(lost.every((session) => session.machine)).toBe(true);
    expect(Math.max(...pool.awayS)).toBeLessThanOrEqual(15);
    pool.events.runUntil(180 * MINUTE);
    expect(pool.sessions.size + pool.files.size).toBe(0);
    expect(pool.concludedS.length).toBe(120);
  });

  it('moves no session when one in twenty beats is lost', () => {
    const pool = fleet(0.05);
    pool.events.runUntil(50 * MINUTE);
    expect(pool.needlessMoves).toBe(0);
    expect(pool.overS).toBe(0);
  });

  it('lets no session fall behind when instances are replaced, however long it is', () => {
    const pool = fleet();
    pool.events.runUntil(40 * MINUTE);
    const old = [...pool.machines.keys()].slice(0, 5);
    const moving = [...pool.sessions.values()].filter(({ machine }) => old.includes(machine?.name ?? ''));
    expect(moving.length).toBeGreaterThan(10);
    pool.drain(old);
    let mostBehindS = 0;
    for (let second = 0; second < 900; second++) {
      pool.events.runUntil(pool.now + 1_000);
      for (const session of moving)
        if (!session.machine?.present.has(session)) mostBehindS = Math.max(mostBehindS, session.backlogS);
    }
    expect(mostBehindS).toBe(0);
    expect(pool.awayS).toEqual([]);
    expect(moving.some(({ machine }) => old.includes(machine?.name ?? ''))).toBe(false);
  });

  it('takes no place from anybody when its object is reset', () => {
    const pool = fleet();
    const before = [...pool.sessions.values()].map(({ machine }) => machine?.name);
    pool.reset();
    pool.events.runUntil(8 * MINUTE);
    expect([...pool.sessions.values()].map(({ machine }) => machine?.name)).toEqual(before);
    expect(pool.state.instances.reduce((sum, { live }) => sum + live, 0)).toBe(120);
  });

  it('grows to the load and shrinks to its minimum afterwards', () => {
    const pool = fleet();
    for (let i = 0; i < 180; i++) pool.addSession('t0', 600);
    pool.events.runUntil(10 * MINUTE);
    expect(pool.machines.size).toBeGreaterThan(30);
    expect(pool.refused).toBe(0);
    pool.events.runUntil(120 * MINUTE);
    expect(pool.machines.size).toBe(20);
  });
});
