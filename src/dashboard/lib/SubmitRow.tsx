/** The end of a form: submit and cancel. */
export function SubmitRow(p: {
  act: string;
  isDangerous?: boolean | undefined;
  isOff?: boolean;
  out?: string | undefined;
  close: () => void;
}) {
  return (
    <div class="row">
      <button type="submit" class={`btn ${p.isDangerous ? 'danger' : 'pri'}`} disabled={p.isOff}>
        {p.act}
      </button>
      <button type="button" class="btn ghost" onClick={p.close}>
        {p.out ?? 'Cancel'}
      </button>
    </div>
  );
}
