import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledWord } from './spoken.ts';

/**
 * Tweets of the Broad Twitter Corpus (Derczynski, Bontcheva & Roberts 2016) and commands of SLURP (Bastianelli et al.
 * 2020), from checkouts of their repositories, which `data/names/README.md` names.
 */
export type TaggedSet = 'btc-a' | 'btc-b' | 'btc-e' | 'btc-f' | 'btc-g' | 'btc-h' | 'slurp';

/** The files of SLURP whose commands are used. */
const SLURP_FILES = ['devel', 'test'] as const;
/** Kinds of SLURP's entities that are neither people nor clearly something else. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['list_name', 'personal_info', 'definition_word', 'event_name', 'podcast_descriptor', 'podcast_name'],
  ...['artist_name', 'audiobook_name', 'news_topic', 'email_folder', 'playlist_name', 'song_name', 'movie_name'],
  ...['email_address', 'audiobook_author', 'music_album'],
]);
/** Kinds of SLURP's entities that are places, organisations and products. */
const ENTITIES: ReadonlySet<string> = new Set(['place_name', 'business_name', 'radio_name', 'game_name', 'app_name']);

/** A file of a set. @throws without the folder of the sets */
function read(file: string): string {
  const folder = process.env.NAME_SETS;
  if (!folder || !existsSync(join(folder, file)))
    throw new Error(`Set NAME_SETS to a folder with ${file} (data/names/README.md)`);
  return readFileSync(join(folder, file), 'utf8');
}

/** The utterances of a set, as words with their labels. */
export const taggedTexts = (set: TaggedSet): LabelledWord[][] =>
  set === 'slurp' ? SLURP_FILES.flatMap(commands) : tweets(set.slice('btc-'.length));

/** Addresses of web pages, and the signs before handles and tags, are left out. */
function tweets(section: string): LabelledWord[][] {
  return read(`broad_twitter_corpus/${section}.conll`)
    .split(/\n\s*\n/u)
    .map((tweet) => {
      let afterSign = false;
      return tweet.split('\n').flatMap((line): LabelledWord[] => {
        const [token = '', tag = ''] = line.split('\t');
        const text = token.replace(/\s+/gu, '');
        if (text === '#' || text === '@') {
          afterSign = true;
          return [];
        }
        const isUnused = afterSign || /^[#@]/u.test(text);
        afterSign = false;
        if (text === '' || /^https?:\/\//u.test(text)) return [];
        return [{ text, label: isUnused ? '?' : tag.endsWith('PER') ? 'N' : tag === 'O' ? 'O' : 'E' }];
      });
    })
    .filter((words) => words.length > 0);
}

interface Command {
  tokens: { surface: string }[];
  entities: { span: number[]; type: string }[];
}

function commands(file: string): LabelledWord[][] {
  return read(`slurp/dataset/slurp/${file}.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { tokens, entities } = JSON.parse(line) as Command;
      const types = new Map(entities.flatMap(({ span, type }) => span.map((at) => [at, type] as const)));
      return tokens.map(({ surface }, at): LabelledWord => {
        const type = types.get(at) ?? '';
        const label = type === 'person' ? 'N' : ENTITIES.has(type) ? 'E' : UNUSED.has(type) ? '?' : 'O';
        return { text: surface, label };
      });
    });
}
