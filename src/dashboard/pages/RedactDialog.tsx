import '../style/forms.css';
import type { RedactionKind } from '../../sdk/wire.ts';
import { Prompt } from '../lib/prompt.tsx';
import { KINDS, REDACTIONS, RELIABLE } from '../lib/redaction-kinds.ts';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

/** Redacts a stored conversation for good. */
export function RedactDialog({ id, again, close }: { id: string; again: () => void; close: () => void }) {
  const run = async (form: FormData): Promise<undefined> => {
    await service().redactions.begin(id, form.getAll('kind') as RedactionKind[]);
    say('The conversation is being redacted');
    again();
  };
  return (
    <Prompt title="Redact for good" act="Redact it" isDangerous close={close} run={run}>
      <p>
        The recording is analysed again. Labels replace these values in every text, and a tone replaces them in the
        sound. The first result and the recording as it was are deleted, with your names, corrections and ratings. This
        cannot be undone.
      </p>
      <fieldset class="field wide redactions">
        <legend>Remove</legend>
        {KINDS.map((kind) => (
          <label key={kind} class="check">
            <input type="checkbox" name="kind" value={kind} defaultChecked={RELIABLE.includes(kind)} />{' '}
            {REDACTIONS[kind]}
          </label>
        ))}
        <small>Names and addresses are often missed.</small>
      </fieldset>
      <p class="muted">
        You get a signed <a href={`/app/receipts?conversation=${id}`}>receipt</a>.
      </p>
    </Prompt>
  );
}
