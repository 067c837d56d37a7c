/** wrangler bundles a weights file as a module that exports its bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
