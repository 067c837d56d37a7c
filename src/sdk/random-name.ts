/** A name that nothing else has; unlike `crypto.randomUUID`, made on pages of plain http, too. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
