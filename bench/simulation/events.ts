interface TimedEvent {
  at: number;
  order: number;
  run: () => void;
}

/** Events by their time, as a binary heap. Events of the same time run in the order in which they were added. */
export class EventQueue {
  now = 0;
  readonly #heap: TimedEvent[] = [];
  #order = 0;

  /** @param at time, ms; an earlier time counts as now */
  at(at: number, run: () => void): void {
    const heap = this.#heap;
    const event = { at: Math.max(at, this.now), order: this.#order++, run };
    let i = heap.length;
    heap.push(event);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = event;
  }

  runUntil(end: number): void {
    for (let first = this.#heap[0]; first && first.at <= end; first = this.#heap[0]) {
      this.#removeFirst();
      this.now = first.at;
      first.run();
    }
    this.now = end;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  }
}

const isBefore = (a: TimedEvent, b: TimedEvent): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
