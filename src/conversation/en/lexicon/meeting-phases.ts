import type { KindPhrases } from '../../lexicon/phase-kinds.ts';

/** Phases of interviews and meetings. */
export const MEETING_PHASES = {
  background_and_experience: {
    cues: [
      'tell (me|us) about (yourself|your), tell (me|us) a (bit|little) about',
      'your (background|experience|resume|cv|career|degree|education), last (job|role|place|company|employer)',
      'years of experience, <number> years (of|in|at|as|on|with|experience)',
      'i (worked|studied|graduated|led|managed|built|majored|trained|started), i was (at|a|an|the) *, responsible for',
      'my (degree|background|career), where did you (work|study|learn), what made (you|do|did)',
    ],
    hints: ['worked|studied|degree|university|college|school|experience|career|trained|qualified, i was'],
  },
  skills_questions: {
    cues: [
      'how would you, an example of, describe a (time|situation), about a time, strength|strengths|weakness|weaknesses',
      'what would you do, how do you (handle|deal|approach|cope|manage|feel), through how',
    ],
    hints: ['example, skills|skill, handle|approach|pressure|teamwork'],
  },
  role_and_conditions: {
    cues: [
      'salary, notice period, start date, the (role|position|job|shift|shifts), shift|shifts|nights, working hours',
      'relocate|relocation, why do you (want|think), why should we hire, questions for (me|us), any questions',
      'can you start, <number> an hour, holidays|pension|benefits|bonus, talk about (money|pay|salary)',
    ],
    hints: ['salary|pay|hours|start|contract|role|position|team'],
  },
  agenda: {
    cues: [
      'the agenda, agenda (for|is|item|today), minutes (from|of), (first|next) (item|point) (on|of|is)',
      "(everyone|everybody) here, who's (missing|here|not), call (the|this) meeting, to order, quorum",
      "previous (meeting|minutes), today (we're|we'll|we are|we will), going to be (talking|discussing|looking|going)",
      "kick off meeting, (this|today's) meeting, i call",
    ],
    hints: ['agenda|meeting|today|items|minutes|everyone|everybody'],
  },
  presentation: {
    cues: [
      'next slide, my presentation, the presentation, presentation (on|about|of), powerpoint, as you can see',
      "i'll (show|present), (method|findings|results) (here|show|was|is)",
    ],
    hints: ['slide|slides|presentation|powerpoint|findings|research|results|survey|method'],
  },
  status_reports: {
    cues: [
      '(status|progress) (update|report|of|on), update (on|from), where are (we|you) (with|on|at)',
      "how's * (coming|looking|doing), how is * (coming|looking|going), still working on, on track, behind schedule",
      "i've been (working|doing|looking), i have been (working|doing|looking)",
      'i (finished|fixed|merged|shipped|completed), is (done|finished|merged|ready|complete)',
      "(this|last) (week|month|quarter) (i|we), (blocked|waiting) (on|by), (who's|who is) (first|next), any blockers",
      'should be (through|done|ready|finished), the (numbers|figures) (for|from|are|look)',
      '(slightly|a bit|a little) (up|down), no (change|changes), about the same, (went|gone) (up|down|to) <number>',
    ],
    hints: [
      'finished|progress|status|milestone|deadline|merged|release|blocked|done|update|numbers|figures, so far',
      '<number> percent, (this|last) (week|month|quarter), for (this|next) week',
    ],
  },
  decision: {
    cues: [
      'all in (favour|favor), a vote, vote (on|for|against), make (a|the) decision, decided (to|on|that)',
      "let's (decide|go|settle|agree), have to decide, need to decide, we'll go (with|for), settle on, the motion",
      'seconded, agreed to',
    ],
    hints: ['decide|decision|vote|motion|consensus|agree|agreed|favour|option'],
  },
} as const satisfies KindPhrases;
