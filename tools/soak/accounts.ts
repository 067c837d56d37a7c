import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storedIn } from '../attack/leftovers.ts';
import type { Ledger } from './ledger.ts';

/**
 * Tables that keep the id of a deleted conversation on purpose: the ledger of erasures, receipts, the logs of who did
 * what, the repetition keys of a day, and the last hundred messages of a webhook.
 */
const REMEMBER = ['erasures', 'receipts', 'audit', 'access', 'claims', 'deliveries'];

/** The rows and objects that are left after the service has ended. */
export interface Accounts {
  /** Rows of each table of all objects together. */
  rows: Map<string, number>;
  /** Rows that name a deleted conversation, by table. */
  ofDeleted: Map<string, number>;
  /** Files of the objects of live sessions that have ended, and of those that still have a session. */
  liveFiles: number;
  liveSessions: number;
  analyses: number;
  nameless: number;
  /** Bytes of the whole state folder. */
  bytes: number;
}

/** Compares everything that is stored with what was acknowledged. Findings go to the ledger. */
export function accountsOf(state: string, ledger: Ledger): Accounts {
  const stored = storedIn(state);
  for (const orphan of stored.orphans) ledger.add('an orphan in the store', orphan);
  const accounts: Accounts = {
    rows: new Map(),
    ofDeleted: new Map(),
    liveFiles: 0,
    liveSessions: 0,
    analyses: stored.complete.length,
    nameless: stored.nameless.length,
    bytes: 0,
  };
  const catalogue = new Map<string, string>();
  for (const path of filesIn(state)) {
    accounts.bytes += statSync(path).size;
    if (path.endsWith('.sqlite') && path.includes('/do/')) readRows(path, ledger, accounts, catalogue);
  }
  const folders = new Set(stored.complete.map((folder) => folder.replace(/^.*\//, '')));
  for (const id of folders) {
    if (!catalogue.has(id)) ledger.add('an analysis that no row lists', id);
    if (ledger.deleted.has(id)) ledger.add('an analysis of a deleted conversation', id);
  }
  for (const [id, status] of catalogue)
    if (status === 'completed' && !folders.has(id)) ledger.add('a completed row without its objects', id);
  for (const id of ledger.conversations.keys())
    if (!folders.has(id)) ledger.add('an acknowledged analysis that is not stored', id);
  for (const [table, rows] of accounts.ofDeleted)
    if (!REMEMBER.includes(table)) ledger.add('rows of deleted conversations', `${rows} in ${table}`);
  if (accounts.liveSessions > 0) ledger.add('live sessions that outlived their grace', `${accounts.liveSessions}`);
  return accounts;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name));
}

function readRows(path: string, ledger: Ledger, accounts: Accounts, catalogue: Map<string, string>): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
    // The tables of a virtual table and of the runtime do not belong to the service.
    const tables = rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
    );
    const names = tables.filter(({ name, sql }) => !/^search/.test(String(name)) && !/VIRTUAL/.test(String(sql)));
    if (path.includes('LiveSession')) accounts.liveFiles++;
    for (const { name } of names) {
      const found = rows(`SELECT * FROM "${String(name)}"`);
      const table = String(name);
      accounts.rows.set(table, (accounts.rows.get(table) ?? 0) + found.length);
      if (table === 'session' && found.length > 0) accounts.liveSessions++;
      for (const row of found) {
        if (table === 'conversations') catalogue.set(String(row.id), String(row.status));
        const texts = Object.values(row).filter((value) => typeof value === 'string');
        if ([...ledger.deleted].some((id) => texts.some((text) => text.includes(id))))
          accounts.ofDeleted.set(table, (accounts.ofDeleted.get(table) ?? 0) + 1);
      }
    }
  } finally {
    database.close();
  }
}
