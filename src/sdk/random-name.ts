/** A unique name. Unlike `crypto.randomUUID`, it also works on pages without https. */
export const randomName = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
