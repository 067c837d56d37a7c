/** Shows the rest of a list. On paper, it says how much is missing. */
export function ShowAll({ count, shown, show }: { count: number; shown: number; show: () => void }) {
  return (
    <>
      <button type="button" class="btn sm ghost" onClick={show}>
        Show all {count}
      </button>
      <p class="t-lab muted none paper">
        The first {shown} of {count}.
      </p>
    </>
  );
}
