import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { ErrorMessage, type ErrorWords } from './error-message.tsx';
import { SubmitRow } from './SubmitRow.tsx';

/** A form in a dialog. The dialog stays open until its action succeeds, and shows the error if it fails. */
export function Prompt(p: {
  title: string;
  act: string;
  isDangerous?: boolean;
  isReady?: boolean;
  /** The word that closes it; "Cancel" by default. */
  out?: string;
  close: () => void;
  /** Returns `stay` when the dialog has more to show. */
  run: (form: FormData) => Promise<'stay' | undefined>;
  /** The words for an error of which the dialog knows more than its code. */
  textOf?: (error: unknown) => ErrorWords | undefined;
  children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (e: SubmitEvent): Promise<void> => {
    e.preventDefault();
    const form = new FormData(e.currentTarget as HTMLFormElement);
    setBusy(true);
    setError(undefined);
    try {
      if ((await p.run(form)) === 'stay') return;
      p.close();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog title={p.title} close={p.close}>
      <form class="prompt" onSubmit={(e) => void submit(e)}>
        {p.children}
        {error !== undefined && <ErrorMessage error={error} text={p.textOf?.(error)} />}
        <SubmitRow
          act={p.act}
          isDangerous={p.isDangerous}
          isOff={isBusy || p.isReady === false}
          out={p.out}
          close={p.close}
        />
      </form>
    </Dialog>
  );
}
