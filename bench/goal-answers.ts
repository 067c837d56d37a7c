import { conversationWeights } from '../containers/pipeline/conversation-weights.ts';
import { type Meeting, qmsum } from '../scripts/train/dialogue-corpus.ts';
import type { Utterance } from '../src/contract/timeline.ts';
import { findCommitments } from '../src/conversation/commitments/commitments.ts';
import { Conversation } from '../src/conversation/conversation.ts';
import { DEFAULT_LANGUAGE } from '../src/conversation/languages.ts';
import { outcomesOf } from '../src/conversation/outcomes.ts';
import { answerGoal } from '../src/conversation/summary/goal-answer.ts';
import { answersTo, type GoalMaterial } from '../src/conversation/summary/goal-candidates.ts';
import { idsIn } from '../src/conversation/summary/material.ts';
import { pickSentences, salience } from '../src/conversation/summary/salience.ts';
import { type SpokenSentence, spokenSentences } from '../src/conversation/text/spoken-sentences.ts';
import { words } from '../src/conversation/text/tokens.ts';
import { readTurns } from '../src/conversation/text/turns.ts';
import { focusStems } from '../src/conversation/topics/topic-words.ts';
import { encodeTexts } from './moments/encodings.ts';
import type { Table } from './report.ts';

const LANGUAGE = DEFAULT_LANGUAGE;
/** Words per second and pause between turns of the synthetic times, since the data has none. */
const WORDS_PER_SECOND = 2.7;
const PAUSE_S = 0.3;
/** When every meeting is taken to have been recorded. */
const RECORDED = { local: { date: '2024-03-06', time: '10:00' }, timeZone: 'UTC', isZoneGiven: true };

/** Numbers of utterances that a rule gives: as the answer, or as what may be one. */
interface Given {
  told: number[] | undefined;
  possible: number[][];
}

type Asked = Omit<GoalMaterial, 'goal'>;
type Rule = (goal: string, meeting: Asked) => Given;

const turnsOf = (sentence: SpokenSentence | undefined): number[] => (sentence ? [sentence.turn] : []);

/** The rule before the regression: sentences that hold more than half of the goal's content stems are an answer. */
const halfOfTheWords: Rule = (goal, { turns, sentences }) => {
  const focus = focusStems(goal, LANGUAGE);
  const stemsOf = ({ text }: SpokenSentence): string[] => words(text).map(LANGUAGE.words.stem);
  const touching = sentences.filter((s) => stemsOf(s).some((stem) => focus.has(stem)));
  const value = salience([...sentences], turns, focus);
  const worth = new Map(sentences.map((s, i) => [s, value[i]!]));
  const picked = pickSentences(
    touching,
    Float64Array.from(touching, (s) => worth.get(s)!),
    2,
  );
  const said = new Set(picked.flatMap(stemsOf));
  const isSure = [...focus].filter((stem) => said.has(stem)).length > focus.size / 2;
  return { told: isSure ? turnsOf(picked[0]) : undefined, possible: isSure ? [] : [turnsOf(picked[0])] };
};

/** The nearest sentence, however far. */
const alwaysTheNearest: Rule = (goal, { turns, sentences }) => {
  const answer = answerGoal(goal, turns, sentences, conversationWeights().vectors);
  const own = turnsOf(answer?.sentence);
  return { told: answer?.isSure ? own : undefined, possible: answer && !answer.isSure ? [own] : [] };
};

const undertone: Rule = (goal, meeting) => {
  const numbers = new Map(meeting.utterances.map(({ utterance_id }, i) => [utterance_id, i]));
  const { told, possible } = answersTo({ ...meeting, goal }, [...meeting.sentences], conversationWeights().vectors);
  const own = ({ utterance_ids }: { utterance_ids: string[] }): number[] => utterance_ids.map((id) => numbers.get(id)!);
  return { told: told && own(told), possible: possible.map(own) };
};

const RULES: Record<string, Rule> = {
  'half of the words': halfOfTheWords,
  'the nearest, however far': alwaysTheNearest,
  undertone,
};

const newCount = () => ({ told: 0, right: 0, refused: 0, shown: 0, shownRight: 0, foreignShown: 0 });

/** Every question about a part of a QMSum val meeting, and as many questions about other meetings. */
export async function goalAnswersTables(): Promise<Table[]> {
  const meetings = qmsum('val');
  const counts = new Map(Object.keys(RULES).map((rule) => [rule, newCount()]));
  let asked = 0;
  for (const [m, meeting] of meetings.entries()) {
    const read = await readMeeting(meeting);
    const others = meetings.filter((_, i) => i !== m).flatMap(({ specific }) => specific);
    for (const [q, { query, spans }] of meeting.specific.entries()) {
      asked++;
      const foreign = others[(m * 31 + q * 17) % others.length]!.query;
      const isRight = (own: readonly number[]): boolean =>
        own.some((turn) => spans.some(([from, to]) => turn >= from && turn <= to));
      for (const [name, rule] of Object.entries(RULES)) {
        const count = counts.get(name)!;
        const given = rule(query, read);
        if (given.told) count.told++;
        if (given.told && isRight(given.told)) count.right++;
        if (given.possible.length > 0) count.shown++;
        if (given.possible.some(isRight)) count.shownRight++;
        const other = rule(foreign, read);
        if (other.told) count.told++;
        else count.refused++;
        if (other.possible.length > 0) count.foreignShown++;
      }
    }
  }
  const rows = [...counts];
  return [
    {
      title: `Goal answers: ${asked} questions about QMSum val meetings, and as many about other meetings`,
      columns: ['rule', 'answers', 'right', 'of answerable', 'refused when unanswerable'],
      rows: rows.map(([name, { told, right, refused }]) => [name, told, right / told, right / asked, refused / asked]),
      note: 'Right: a turn of it is one that QMSum marks as the answer. Answers to questions about other meetings count as wrong.',
    },
    {
      title: 'Possible answers, shown as unsure where there is no answer',
      columns: ['rule', 'shown', 'one is right', 'shown when unanswerable', 'right, of all shown'],
      rows: rows.map(([name, { shown, shownRight, foreignShown }]) => [
        name,
        shown,
        shownRight / shown,
        foreignShown,
        shownRight / (shown + foreignShown),
      ]),
    },
  ];
}

async function readMeeting({ turns: texts, speakers: labels }: Meeting): Promise<Asked> {
  let end = 0;
  const utterances = texts.map((text, i): Utterance => {
    const start = end + PAUSE_S;
    end = start + Math.max(0.5, text.split(/\s+/).length / WORDS_PER_SECOND);
    return { utterance_id: `bench_utt_${i}`, speaker: labels[i]!, t_start: start, t_end: end, text };
  });
  const weights = conversationWeights();
  const encodings = await encodeTexts(texts);
  const conversation = new Conversation({ conversationId: 'bench', goal: '' }, weights);
  const found = utterances.flatMap((u) => conversation.add(u, encodings.get(u.text)).moments);
  const moments = [...found, ...conversation.end().moments].sort((a, b) => a.start_ms - b.start_ms);
  const turns = readTurns(utterances, weights.vectors, LANGUAGE);
  const sentencesOf = utterances.map((_, turn) => spokenSentences(turns, turn));
  const outcomes = outcomesOf(moments, utterances, LANGUAGE);
  const speakers = [...new Set(labels)];
  const structure = { utterances, turns, sentencesOf: (turn: number) => sentencesOf[turn]!, speakers };
  return {
    turns,
    sentences: sentencesOf.flat(),
    utterances,
    speakers,
    moments,
    outcomes,
    commitments: findCommitments(structure, { setting: 'conversation', outcomes, recorded: RECORDED }),
    idsOf: idsIn(utterances),
    language: LANGUAGE,
  };
}
