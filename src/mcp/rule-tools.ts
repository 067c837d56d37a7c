import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { NewRuleTrialRequest, Rule, RuleMatch, RuleTryResult, Undertone } from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { pageOf, recordedOn, timeOf } from './links.ts';
import { textResult } from './tools.ts';

const MAX_CONVERSATIONS = 50;
/** Hits of one conversation in a tool's result. */
const MAX_HITS = 5;

const CONDITION = `A condition has exactly one member: {"said": {"phrases": [...], "who"?, "where"?}}, {"moment": {"categories": ["objection", "cta_offered", "cta_accepted", "cta_rejected", "topic_shift"], "min_confidence"?, "who"?, "where"?}}, {"sentiment": {"is": ["negative"], ...}}, {"silence": {"min_seconds": 10}}, {"interruption": {}}, {"talk_share": {"who", "min"?, "max"?}}, {"length": {"min"?, "max"?}}, or a combination: {"all": [...]}, {"any": [...]}, {"not": ...}, {"within": {"seconds": 60, "all": [...]}}. "who" is {"role": "agent"} or {"speaker": "Anna"}; "where" has first_seconds, last_seconds, first_share, last_share, in_question, after {categories, within_seconds}.`;

/** The tools for rules over all stored conversations. */
export function addRuleTools(server: McpServer, { client, url }: { client: Undertone; url: string | URL }): void {
  const annotations = { readOnlyHint: true };
  server.registerTool(
    'list_rules',
    {
      title: 'List rules',
      description: 'Returns the rules of this account with their ids: named conditions over every conversation.',
      inputSchema: argumentsOf({}),
      annotations,
    },
    (_, { mcpReq: { signal } }) =>
      textResult(async () => {
        const rules = await client.rules.list({ signal });
        return rules.length === 0 ? 'There are no rules.' : rules.map(ruleLine).join('\n');
      }),
  );
  server.registerTool(
    'find_by_rule',
    {
      title: 'Find hits of a rule in all conversations',
      description: `Returns every stored conversation in which a rule, or a condition that is not stored, matches: quotes with their times, newest first. ${CONDITION}`,
      inputSchema: argumentsOf({
        rule_id: z.string().max(128).optional().describe('The id from list_rules; instead of `when`.'),
        when: z.record(z.string(), z.unknown()).optional().describe('A condition; instead of `rule_id`.'),
        created_after: z.iso.datetime({ offset: true }).optional(),
        created_before: z.iso.datetime({ offset: true }).optional(),
        limit: z.number().int().min(1).max(MAX_CONVERSATIONS).default(20),
      }),
      annotations,
    },
    ({ rule_id, when, ...trial }, { mcpReq: { signal } }) =>
      textResult(async () => {
        if ((rule_id === undefined) === (when === undefined)) throw new Error('Give either rule_id or when');
        const found =
          rule_id === undefined
            ? await client.rules.try({ when, ...trial } as NewRuleTrialRequest, { signal })
            : await client.rules.try(rule_id, { ...trial, signal });
        return [summaryLine(found), ...found.matches.map((match) => matchText(match, url))].join('\n\n');
      }),
  );
}

const ruleLine = ({ id, name, is_enabled, when }: Rule): string =>
  `- ${name} (${id}, ${is_enabled ? 'enabled' : 'disabled'}): ${JSON.stringify(when)}`;

const summaryLine = ({ conversations, matched, unknown, hit_count, unsure }: RuleTryResult): string =>
  `${hit_count} hits${unsure > 0 ? ` (${unsure} of them unsure)` : ''} in ${matched} of ${conversations} conversations. In ${unknown} the outcome is unknown, for example because affect was withheld.`;

function matchText(match: RuleMatch, url: string | URL): string {
  const { conversation_id: id, title, outcome, hits, hit_count } = match;
  const lines = hits
    .slice(0, MAX_HITS)
    .map(
      ({ t_start, speaker, quote }) => `- ${timeOf(t_start)} ${speaker === null ? 'silence' : `${speaker}: ${quote}`}`,
    );
  const more = hit_count > lines.length ? [`and ${hit_count - lines.length} more`] : [];
  const sure = outcome === 'unknown' ? ' (unknown)' : '';
  return [
    `${title.replaceAll(/[[\]]/g, ' ')} ${pageOf(url, id)} (${id}), ${recordedOn(match)}${sure}`,
    ...lines,
    ...more,
  ].join('\n');
}
