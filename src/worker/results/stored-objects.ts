import * as z from 'zod';
import { extensionOf, type MediaExtension, MediaExtensionSchema } from '../../contract/media.ts';
import { hexOf, sha256 } from '../identity/digests.ts';
import type { Env } from '../identity/env.ts';
import {
  conversationPrefix,
  isOfConversation,
  recordKey,
  recordsPrefix,
  runKeys,
  shownResultKey,
  unredactedPrefix,
} from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { removeConversation } from '../storage/run-objects.ts';
import { type Indexed, indexOf } from './card.ts';
import { carriedPeople } from './edits/carried-people.ts';
import { editedBy } from './edits/edited.ts';
import { type KnownPeople, withPeople } from './edits/people.ts';
import { type StoredRecord, StoredRecordSchema } from './record.ts';
import { type Change, isDifferent, writeShown } from './shown-result.ts';
import { readIndexable, readMeasured, readRedaction } from './stored-result.ts';

export interface SizedObject {
  key: string;
  bytes: number;
}

/** The document `texts.json`. */
const TextsSchema = z.record(z.string(), z.string());

/** The stored objects of one tenant's conversations: uploads, documents of analyses, and records. */
export class StoredObjects {
  readonly #env: Env;
  readonly #tenant: string;

  constructor(env: Env, tenant: string) {
    this.#env = env;
    this.#tenant = tenant;
  }

  /** Reads the index of the result that is shown for a conversation. */
  async indexOf(record: StoredRecord): Promise<Indexed> {
    const edited = editedBy(record.edits, record.people);
    return indexOf(await readIndexable(this.#store, shownResultKey(this.#tenant, record)), edited);
  }

  /**
   * The change that makes a conversation show people as they are now.
   * @returns null when it already does
   */
  async changePeople({ edits, people, run }: StoredRecord, known: KnownPeople): Promise<Change | null> {
    const kept = withPeople(edits, known);
    const isSame = !isDifferent(editedBy(kept, known), editedBy(edits, people)) && kept.length === edits.length;
    if (isSame) return null;
    const measured = await readMeasured(this.#store, runKeys(this.#tenant, run).documents['result.json']);
    return writeShown(this.#store, this.#tenant, run, { edits: kept, people: known }, measured);
  }

  /**
   * The result of a new run with the people who spoke in the old one.
   * @param edits the other edits that apply to the new result
   */
  async carryPeople(record: StoredRecord, run: string, edits: Change['edits']): Promise<Change> {
    const edited = editedBy(record.edits, record.people);
    const [before, after] = await Promise.all(
      [record.run, run].map((one) => readMeasured(this.#store, runKeys(this.#tenant, one).documents['result.json'])),
    );
    const people = carriedPeople(edited, before!.timeline, after!.timeline);
    const all = Object.keys(people).length > 0 ? [...edits, { people }] : edits;
    return writeShown(this.#store, this.#tenant, run, { edits: all, people: record.people ?? {} }, after!);
  }

  /** Size of everything stored for a conversation, except the documents of a run that is about to be removed. */
  async weigh(id: string, going: string | null): Promise<Pick<StoredRecord, 'bytes' | 'suffix'>> {
    let bytes = 0;
    let suffix: StoredRecord['suffix'] = null;
    for await (const { key, size } of this.#store.list(conversationPrefix(this.#tenant, id))) {
      if (isUpload(key)) suffix = MediaExtensionSchema.parse(extensionOf(key));
      else if (going !== null && key.startsWith(runKeys(this.#tenant, going).directory)) continue;
      bytes += size;
    }
    for await (const { size } of this.#store.list(unredactedPrefix(this.#tenant, id))) bytes += size;
    return { bytes, suffix };
  }

  /** The report of the redaction in the result of a run. */
  redactionOf(run: string): ReturnType<typeof readRedaction> {
    return readRedaction(this.#store, runKeys(this.#tenant, run).documents['result.json']);
  }

  /**
   * The redacted forms of texts that the pipeline wrote for a run.
   * @returns a function, which returns undefined for a text that the pipeline did not read
   */
  async redactedTexts(run: string, texts: readonly string[]): Promise<(text: string) => string | undefined> {
    const object = await this.#store.get(runKeys(this.#tenant, run).documents['texts.json']);
    const known = new Map(Object.entries(object ? TextsSchema.parse(await new Response(object.body).json()) : {}));
    const forms = new Map<string, string | undefined>();
    for (const text of texts) forms.set(text, known.get(hexOf(await sha256(text))));
    return (text) => (text.trim() === '' ? text : forms.get(text));
  }

  /** The objects of a conversation: those of earlier runs, and those that replaced them. */
  async replacedBy(id: string, run: string): Promise<{ removed: SizedObject[]; rewritten: SizedObject[] }> {
    const removed: SizedObject[] = [];
    const rewritten: SizedObject[] = [];
    const { directory, documents } = runKeys(this.#tenant, run);
    for await (const { key, size: bytes } of this.#store.list(conversationPrefix(this.#tenant, id))) {
      if (!isOfConversation(this.#tenant, id, key)) continue;
      const isCurrent = isUpload(key) || (key.startsWith(directory) && key !== documents['texts.json']);
      (isCurrent ? rewritten : removed).push({ key, bytes });
    }
    return { removed, rewritten };
  }

  async remove(objects: readonly SizedObject[]): Promise<void> {
    await this.#store.delete(objects.map(({ key }) => key));
  }

  /** Size of the recording of a conversation; null if there is none. */
  async uploadSize(id: string, suffix: MediaExtension): Promise<number | null> {
    return (await this.#store.head(runKeys(this.#tenant, id, suffix).upload))?.size ?? null;
  }

  /** Removes an edited result. */
  async removeShown(run: string, name: string): Promise<void> {
    await this.#store.delete([shownResultKey(this.#tenant, { run, shown: name })]);
  }

  /** Removes the documents of a run that was replaced. The upload is kept. */
  async removeDocuments(run: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.#store.list(runKeys(this.#tenant, run).directory))
      if (!isUpload(key)) keys.push(key);
    // Without a result beside it, a leftover marker would look like one from an abandoned upload.
    await this.#store.delete([...keys, runKeys(this.#tenant, run).pending]);
  }

  async writeRecord(record: StoredRecord): Promise<void> {
    const key = recordKey(this.#tenant, record.id);
    await this.#store.put(key, JSON.stringify(record), { contentType: 'application/json' });
  }

  async removeRecord(id: string): Promise<void> {
    await this.#store.delete([recordKey(this.#tenant, id)]);
  }

  /** Ids of the records after `after`, in order. '' starts at the beginning. */
  async *idsAfter(after: string): AsyncGenerator<string, void> {
    const folder = recordsPrefix(this.#tenant);
    for await (const { key } of this.#store.list(folder)) {
      const id = key.slice(folder.length, -'.json'.length);
      if (id > after) yield id;
    }
  }

  async record(id: string): Promise<StoredRecord | null> {
    const object = await this.#store.get(recordKey(this.#tenant, id));
    return object && StoredRecordSchema.parse(await new Response(object.body).json());
  }

  /** Removes every object of a conversation and its analyses. @returns totals of what was removed */
  removeAll(id: string): Promise<{ key: string; bytes: number }[]> {
    return removeConversation(this.#store, this.#tenant, id);
  }

  get #store(): ObjectStore {
    return mediaStore(this.#env);
  }
}

const isUpload = (key: string): boolean => /\/upload\.\w+$/.test(key);
