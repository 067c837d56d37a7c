export function TryIt() {
  return null;
}
