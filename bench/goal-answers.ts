import { conversationWeights } from '../containers/pipeline/conversation-weights.ts';
import { type Meeting, qmsum } from '../scripts/train/dialogue-corpus.ts';
import { DEFAULT_LANGUAGE } from '../src/conversation/languages.ts';
import { answerGoal } from '../src/conversation/summary/goal-answer.ts';
import { pickSentences, salience } from '../src/conversation/summary/salience.ts';
import { type SpokenSentence, spokenSentences } from '../src/conversation/text/spoken-sentences.ts';
import { words } from '../src/conversation/text/tokens.ts';
import { readTurns, type Turns } from '../src/conversation/text/turns.ts';
import { focusStems } from '../src/conversation/topics/topic-words.ts';
import type { Table } from './report.ts';

const LANGUAGE = DEFAULT_LANGUAGE;

/** An answer as a rule gives it. */
interface Given {
  sentence: SpokenSentence | undefined;
  isSure: boolean;
}

/** The rule before the regression: sentences that hold more than half of the goal's content stems are an answer. */
function halfOfTheWords(goal: string, turns: Turns, sentences: SpokenSentence[]): Given {
  const focus = focusStems(goal, LANGUAGE);
  const stemsOf = ({ text }: SpokenSentence): string[] => words(text).map(LANGUAGE.words.stem);
  const touching = sentences.filter((s) => stemsOf(s).some((stem) => focus.has(stem)));
  const value = salience(sentences, turns, focus);
  const worth = new Map(sentences.map((s, i) => [s, value[i]!]));
  const picked = pickSentences(
    touching,
    Float64Array.from(touching, (s) => worth.get(s)!),
    2,
  );
  const said = new Set(picked.flatMap(stemsOf));
  return { sentence: picked[0], isSure: [...focus].filter((stem) => said.has(stem)).length > focus.size / 2 };
}

const RULES: Record<string, (goal: string, turns: Turns, sentences: SpokenSentence[]) => Given> = {
  'half of the words': halfOfTheWords,
  undertone: (goal, turns, sentences) => {
    const answer = answerGoal(goal, turns, sentences, conversationWeights().vectors);
    return { sentence: answer?.sentence, isSure: answer?.isSure === true };
  },
};

/** Every question about a part of a QMSum val meeting, and as many questions about other meetings. */
export function goalAnswersTable(): Table {
  const meetings = qmsum('val');
  const counts = new Map(Object.keys(RULES).map((rule) => [rule, { answered: 0, right: 0, nearest: 0, refused: 0 }]));
  let asked = 0;
  for (const [m, meeting] of meetings.entries()) {
    const { turns, sentences } = read(meeting);
    const others = meetings.filter((_, i) => i !== m).flatMap(({ specific }) => specific);
    for (const [q, { query, spans }] of meeting.specific.entries()) {
      asked++;
      const foreign = others[(m * 31 + q * 17) % others.length]!.query;
      for (const [name, rule] of Object.entries(RULES)) {
        const count = counts.get(name)!;
        const given = rule(query, turns, sentences);
        const isRight = spans.some(
          ([from, to]) => given.sentence && given.sentence.turn >= from && given.sentence.turn <= to,
        );
        if (isRight) count.nearest++;
        if (given.isSure) count.answered++;
        if (given.isSure && isRight) count.right++;
        if (rule(foreign, turns, sentences).isSure) count.answered++;
        else count.refused++;
      }
    }
  }
  return {
    title: `Goal answers: ${asked} questions about QMSum val meetings, and as many about other meetings`,
    columns: ['rule', 'answers', 'right', 'of answerable', 'best sentence right', 'refused when unanswerable'],
    rows: [...counts].map(([name, { answered, right, nearest, refused }]) => [
      name,
      answered,
      right / answered,
      right / asked,
      nearest / asked,
      refused / asked,
    ]),
    note: 'Right: the first sentence lies in the turns that QMSum marks as the answer. Answers to questions about other meetings count as wrong.',
  };
}

function read({ turns: texts, speakers }: Meeting): { turns: Turns; sentences: SpokenSentence[] } {
  const utterances = texts.map((text, i) => ({ text, speaker: speakers[i]! }));
  const turns = readTurns(utterances, conversationWeights().vectors, LANGUAGE);
  return { turns, sentences: utterances.flatMap((_, turn) => spokenSentences(turns, turn)) };
}
