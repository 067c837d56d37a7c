import type { View } from '../../sdk/wire.ts';
import { Prompt } from '../lib/prompt.tsx';
import { say } from '../lib/tip.tsx';
import { addressOfView, removeView, saveView } from '../lib/views.ts';

export interface ViewDialogProps {
  /** The address whose filters are saved. */
  address: string;
  /** The view to remove. Without one, the filters are saved as a view. */
  removed: View | undefined;
  close: () => void;
  failed: (error: unknown) => void;
}

/** Asks for the name of a view, or whether to remove one. */
export function ViewDialog({ address, removed, close, failed }: ViewDialogProps) {
  if (removed)
    return (
      <Prompt
        title="Remove the view"
        act="Remove"
        isDangerous
        close={close}
        run={async () => {
          await removeView(removed);
          say(`Removed: ${removed.name}`, () => void saveView(removed.name, addressOfView(removed)).catch(failed));
          return undefined;
        }}
      >
        <p>
          <bdi>{removed.name}</bdi> is removed for everybody with a key of this tenant. Its conversations stay.
        </p>
      </Prompt>
    );
  return (
    <Prompt
      title="Save view"
      act="Save"
      close={close}
      run={async (form) => {
        const name = String(form.get('name') ?? '').trim();
        await saveView(name, address);
        say(`Saved: ${name}`);
        return undefined;
      }}
    >
      <label class="field">
        <span>Name</span>
        <input class="inp" type="text" name="name" required maxLength={60} dir="auto" />
        <small>Everybody with a key of this tenant sees it. A view of this page with the same name is replaced.</small>
      </label>
    </Prompt>
  );
}
