import '../style/forms.css';
import type { Signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  Comment,
  ConversationPatchRequest,
  DeletionReceipt,
  NameProposal,
  Person,
  RoleProposal,
} from '../../sdk/wire.ts';
import { clock } from '../lib/format.ts';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';
import { Badge } from '../lib/speaker-marks.tsx';
import { isLabel, speakerName } from '../lib/speaker-names.ts';
import { say } from '../lib/tip.tsx';
import { AccessDialog } from './AccessDialog.tsx';
import { change, type Editing, type EditingContext, measured, undoLast } from './editing.ts';
import { HoldDialog } from './HoldDialog.tsx';
import { RedactDialog } from './RedactDialog.tsx';
import { ShareDialog } from './ShareDialog.tsx';

interface Dialogs extends EditingContext {
  dialog: Signal<Editing | undefined>;
  removed: (receipt: DeletionReceipt) => void;
}

export function EditDialogs(p: Dialogs) {
  const open = p.dialog.value;
  const close = (): void => {
    p.dialog.value = undefined;
  };
  if (!open) return null;
  if (open.kind === 'names') return <Names {...p} close={close} speaker={open.speaker} />;
  if (open.kind === 'affect') return <WithoutTone {...p} close={close} speaker={open.speaker} />;
  if (open.kind === 'comment') return <CommentOn {...p} {...open} close={close} />;
  if (open.kind === 'correct') return <Correct {...p} close={close} line={open.line} />;
  return {
    labels: <Labels {...p} close={close} />,
    title: <Title {...p} close={close} />,
    delete: <Delete {...p} close={close} />,
    share: <ShareDialog id={p.stored.record.conversation_id} close={close} />,
    access: <AccessDialog id={p.stored.record.conversation_id} close={close} />,
    hold: <HoldDialog id={p.stored.record.conversation_id} again={p.again} close={close} />,
    redact: <RedactDialog id={p.stored.record.conversation_id} again={p.again} close={close} />,
    count: <Count {...p} close={close} />,
  }[open.kind];
}

type Open = Dialogs & { close: () => void };

function Title({ stored: { record }, again, close }: Open) {
  const run = async (form: FormData): Promise<undefined> => {
    const title = String(form.get('title') ?? '').trim();
    await service().conversations.edit(record.conversation_id, { title: title === '' ? null : title });
    again();
  };
  return (
    <Prompt title="Title" act="Save" close={close} run={run}>
      <label class="field">
        <span>Title</span>
        <input class="inp" type="text" name="title" maxLength={200} defaultValue={record.title} dir="auto" />
        <small>Leave empty to use the file name.</small>
      </label>
    </Prompt>
  );
}

function Labels({ stored: { record }, again, close }: Open) {
  const run = async (form: FormData): Promise<undefined> => {
    const labels = String(form.get('labels') ?? '')
      .split(/[,\n]/)
      .map((label) => label.trim())
      .filter((label) => label !== '');
    await service().conversations.edit(record.conversation_id, { labels });
    say('Labels saved', () => undoLast(record.conversation_id, again));
    again();
  };
  return (
    <Prompt title="Labels" act="Save" close={close} run={run}>
      <label class="field">
        <span>Labels, separated by commas</span>
        <textarea class="inp" name="labels" rows={3} defaultValue={record.labels.join(', ')} dir="auto" />
        <small>Up to 20 of 60 characters. The list of conversations shows them and filters by them.</small>
      </label>
    </Prompt>
  );
}

/** Comments on a second, or changes a comment. A comment without text is deleted. */
function CommentOn({ stored: { record }, again, close, at, comment }: Open & { at: number; comment?: Comment }) {
  const id = record.conversation_id;
  const run = async (form: FormData): Promise<undefined> => {
    const text = String(form.get('text') ?? '').trim();
    const { conversations } = service();
    if (!comment) await conversations.addComment(id, { at, text });
    else if (text === '') await conversations.deleteComment(id, comment.comment_id);
    else await conversations.changeComment(id, comment.comment_id, text);
    say(text === '' ? 'Comment deleted' : 'Comment saved');
    again();
  };
  return (
    <Prompt title={`Comment at ${clock(at)}`} act="Save" close={close} run={run}>
      <label class="field">
        <span>Comment</span>
        <textarea
          class="inp"
          name="text"
          rows={4}
          required={!comment}
          maxLength={1000}
          defaultValue={comment?.text ?? ''}
          dir="auto"
        />
        <small>
          Everybody with a key of this tenant can read it.{comment ? ' Leave empty to delete the comment.' : ''}
        </small>
      </label>
    </Prompt>
  );
}

/** Corrects the words of an utterance. */
function Correct({ stored, conversation, again, close, line }: Open & { line: number }) {
  const { text, entry } = conversation.lines[line]!;
  const run = async (form: FormData): Promise<undefined> => {
    const corrected = String(form.get('text') ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    if (corrected === text) return;
    await service().conversations.edit(stored.record.conversation_id, {
      correct: [{ utterance_id: entry.utterance_id, text: corrected }],
    });
    say('Corrected here, in the search and in every file', () => undoLast(stored.record.conversation_id, again));
    again();
  };
  return (
    <Prompt title="Correct the words" act="Save" close={close} run={run}>
      <label class="field">
        <span>What was said</span>
        <textarea class="inp" name="text" rows={5} required maxLength={8000} defaultValue={text} dir="auto" />
        <small>
          Quotes, summary, search and exports follow. Tone stays as it was measured. “Undo the last edit” takes it back.
        </small>
      </label>
    </Prompt>
  );
}

/**
 * Edits all names together. A new name applies everywhere; the speaker keeps the letter and the colour. The name of a
 * person of the tenant chooses that person. Names that were said, and roles, are proposed: each can be used or dismissed.
 */
function Names({ stored, conversation, again, close, speaker }: Open & { speaker: number }) {
  const first = useRef<HTMLInputElement>(null);
  const [people, setPeople] = useState<readonly Person[]>([]);
  const [said, setSaid] = useState<readonly NameProposal[]>([]);
  const [roles, setRoles] = useState<readonly RoleProposal[]>([]);
  const { conversation_id: id } = stored.record;
  useEffect(() => first.current?.select(), []);
  useEffect(() => {
    // Without suggestions, names can still be typed.
    service()
      .people.list()
      .then(setPeople, () => undefined);
    service()
      .conversations.proposals(id)
      .then(
        (proposed) => {
          setSaid(proposed.names);
          setRoles(proposed.roles);
        },
        () => undefined,
      );
  }, [id]);
  const suggested = (label: string): string[] => [
    ...new Set([...said.filter((one) => one.speaker === label), ...people].map(({ name }) => name)),
  ];
  /** Edits at once what the dialog does not save. */
  const settle = (patch: ConversationPatchRequest, told: string): void => change(id, patch, told, again);
  const dismissName = ({ speaker: of, name }: NameProposal): void => {
    setSaid(said.filter((one) => one.speaker !== of || one.name !== name));
    settle({ dismiss: [{ speaker: of, name }] }, `Not proposed again: ${name}`);
  };
  const settleRoles = (isUsed: boolean): void => {
    setRoles([]);
    if (isUsed) settle({ roles: Object.fromEntries(roles.map((one) => [one.speaker, one.role])) }, 'Roles kept');
    else settle({ dismiss: roles.map((one) => ({ speaker: one.speaker, role: one.role })) }, 'Not proposed again');
  };
  const run = async (form: FormData): Promise<undefined> => {
    const speakers: Record<string, string | null> = {};
    const chosen: Record<string, string | null> = {};
    for (const [i, label] of conversation.labels.entries()) {
      const name = String(form.get(`name${i}`) ?? '').trim();
      const before = isLabel(label) ? '' : label;
      if (name === before) continue;
      const own = measured(stored, label);
      const same = people.filter((person) => person.name === name);
      if (same.length === 1) chosen[own] = same[0]!.id;
      else {
        speakers[own] = name === '' ? null : name;
        if (stored.record.people[own]) chosen[own] = null;
      }
    }
    if (Object.keys({ ...speakers, ...chosen }).length === 0) return;
    await service().conversations.edit(id, { speakers, people: chosen });
    say('Renamed everywhere', () => undoLast(id, again));
    again();
  };
  return (
    <Prompt title="Names" act="Rename everywhere" close={close} run={run}>
      {conversation.labels.map((label, i) => (
        <Fragment key={label}>
          <label class="field name1">
            <Badge speaker={i} />
            <input
              class="inp"
              type="text"
              name={`name${i}`}
              aria-label={`Name of ${conversation.names[i]}`}
              placeholder={conversation.names[i]}
              maxLength={100}
              dir="auto"
              list={`names${i}`}
              ref={i === speaker ? first : undefined}
              defaultValue={isLabel(label) ? '' : label}
            />
            <datalist id={`names${i}`}>
              {suggested(measured(stored, label)).map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </label>
          {said
            .filter((one) => one.speaker === measured(stored, label))
            .map((one) => (
              <p key={one.name} class="proposed">
                <span>
                  <q>{one.quote}</q> {clock(one.t_start)}
                  {one.sure ? '' : ', not sure'}
                </span>
                <button type="button" class="btn sm" onClick={(e) => fill(e, `name${i}`, one.name)}>
                  Use {one.name}
                </button>
                <button
                  type="button"
                  class="btn sm ghost"
                  aria-label={`${one.name} is wrong`}
                  onClick={() => dismissName(one)}
                >
                  Wrong
                </button>
              </p>
            ))}
        </Fragment>
      ))}
      {roles.length > 0 && (
        <p class="proposed">
          <span>
            Their words sound like{' '}
            {roles.map(({ speaker: of, role }) => `${role} (${nameShown(stored, of)})`).join(' and ')}.
          </span>
          <button type="button" class="btn sm" onClick={() => settleRoles(true)}>
            Use the roles
          </button>
          <button
            type="button"
            class="btn sm ghost"
            aria-label="The roles are wrong"
            onClick={() => settleRoles(false)}
          >
            Wrong
          </button>
        </p>
      )}
    </Prompt>
  );
}

/** Writes a proposed name into its field. It is kept with the others when the dialog is saved. */
function fill({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }, field: string, name: string): void {
  const input = form?.elements.namedItem(field);
  if (!(input instanceof HTMLInputElement)) return;
  input.value = name;
  input.focus();
}

const nameShown = ({ record }: Open['stored'], label: string): string => speakerName(record.names[label] ?? label);

export function Delete({ stored: { record }, close, removed }: Pick<Open, 'stored' | 'close' | 'removed'>) {
  const run = async (): Promise<undefined> => {
    removed(await service().conversations.delete(record.conversation_id));
  };
  return (
    <Prompt title="Delete this conversation" act="Delete it" isDangerous close={close} run={run}>
      <p>
        The recording, the transcript and everything derived from them are deleted. This cannot be undone. You get a
        receipt.
      </p>
    </Prompt>
  );
}

function Count({ stored: { record, result }, again, close }: Open) {
  const run = async (form: FormData): Promise<undefined> => {
    await service().conversations.reanalyze(record.conversation_id, { speakers: Number(form.get('speakers')) });
    say('The conversation is being analysed again');
    again();
  };
  const heard = Math.min(8, Math.max(1, result?.speakers.count ?? 2));
  return (
    <Prompt title="Analyse again" act="Analyse again" close={close} run={run}>
      <label class="field">
        <span>How many people speak?</span>
        <select class="inp" name="speakers">
          {[1, 2, 3, 4, 5, 6, 7, 8].map((count) => (
            <option key={count} value={count} selected={count === heard}>
              {count}
            </option>
          ))}
        </select>
        <small>The new result does not keep your names and other edits.</small>
      </label>
    </Prompt>
  );
}

function WithoutTone({ stored, conversation, again, close, speaker }: Open & { speaker: number }) {
  const run = async (): Promise<undefined> => {
    const affect = Object.fromEntries(
      conversation.labels.map((label, i) => [measured(stored, label), i === speaker ? 'none' : 'full'] as const),
    );
    await service().conversations.reanalyze(stored.record.conversation_id, { affect });
    say('The conversation is being analysed again');
    again();
  };
  return (
    <Prompt
      title={`Leave out the tone of ${conversation.names[speaker]}`}
      act="Analyse again without it"
      close={close}
      run={run}
    >
      <p>
        The recording is analysed again. Tone, emotion, engagement and conviction of this person are not computed, so
        they appear in no summary and no export. Other speakers are not affected.
      </p>
    </Prompt>
  );
}
