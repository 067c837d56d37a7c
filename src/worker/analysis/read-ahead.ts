/**
 * Reads items from the source as soon as they are available, so that a slow or stalled client does not hold up the
 * pipeline. Only the length of the source limits the buffer. Leaving the loop early closes the source.
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
