/**
 * Reads items from the source as soon as it has them, so that a client that reads slowly, or not at all, does not stall
 * the pipeline. The buffer is bounded only by the length of the source. Leaving early returns the source.
 */
export async function* readAhead<T>(source: AsyncGenerator<T, unknown>): AsyncGenerator<T, void> {
  const buffered: T[] = [];
  let ended = false;
  let failure: { error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();

  const reading = (async () => {
    try {
      for await (const item of source) {
        buffered.push(item);
        changed.resolve();
      }
    } catch (error) {
      failure = { error };
    }
    ended = true;
    changed.resolve();
  })();

  try {
    while (!ended || buffered.length > 0) {
      const item = buffered.shift();
      if (item !== undefined) {
        yield item;
        continue;
      }
      await changed.promise;
      changed = Promise.withResolvers();
    }
    if (failure) throw failure.error;
  } finally {
    if (!ended) await source.return(undefined);
    await reading;
  }
}
