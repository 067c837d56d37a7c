export function LiveCapturePage() {
  return null;
}
