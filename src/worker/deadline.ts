/** The promise's value, or 'late' if it does not settle within the given time, ms. */
export async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, milliseconds, 'late');
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
