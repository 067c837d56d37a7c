/** wrangler bundles a weights file as a module of bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
