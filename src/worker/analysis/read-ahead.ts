/**
 * The same items, read from the source as soon as it has them, however slowly they are taken: a client that reads
 * slowly, or not at all, must not keep the pipeline waiting. What waits is bounded by what the source has in all.
 * Leaving early returns the source.
 */
export async function* readAhead<T>(source: AsyncGenerator<T, unknown>): AsyncGenerator<T, void> {
  const waiting: T[] = [];
  let ended = false;
  let failure: { error: unknown } | undefined;
  let news = Promise.withResolvers<void>();

  const reading = (async () => {
    try {
      for await (const item of source) {
        waiting.push(item);
        news.resolve();
      }
    } catch (error) {
      failure = { error };
    }
    ended = true;
    news.resolve();
  })();

  try {
    while (!ended || waiting.length > 0) {
      const item = waiting.shift();
      if (item !== undefined) {
        yield item;
        continue;
      }
      await news.promise;
      news = Promise.withResolvers();
    }
    if (failure) throw failure.error;
  } finally {
    if (!ended) await source.return(undefined);
    await reading;
  }
}
