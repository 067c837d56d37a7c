export function Analyse() {
  return null;
}
