import * as z from 'zod';
import type { CheckReport, CheckResult } from '../conformance/checkReport.ts';
import { writeExactly } from '../protocol/json/exactJson.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { english, sentence } from '../protocol/problem.ts';
import { type RuleId, ruleIds } from '../protocol/ruleId.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { bounds } from './bounds.ts';
import { mayAct, mayActAt, originOf, recipientOf } from './mayAct.ts';
import { refusal } from './refusal.ts';
import { untrusted, type Section } from './result.ts';
import { agentNamed, openLine } from './targets.ts';
import { defineTool } from './tool.ts';

const Input = z.strictObject({
  agent: z.string().describe('Name of the agent.'),
  rules: z.array(z.string()).min(1).max(200).optional().describe('Ids of rules, such as "CORE-01". Without it: all.'),
});

/** Checks the conformance of an agent by rules that make it do no work. */
export const checkTool = defineTool({
  name: 'a2a_check',
  description:
    'Checks an A2A agent against the rules of the A2A specification, with requests that start no work, and returns the verdicts that are not good: rule, clause, what was found and how servers usually mend it. Use it after a change of the agent. For what was wrong in a conversation that took place use a2a_wire.',
  asks: 'The person is asked before.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: Input,
  work: async ({ agent: name, rules }, world, signal) => {
    const agent = agentNamed(name, world);
    const unknown = rules?.find(rule => !isRule(rule));
    if (unknown !== undefined) throw refusal(sentence('There is no rule {0}.', unknown), sentence('Leave "rules" out to check all.'));
    const payload = rules === undefined ? 'all rules that start no work' : rules.join(', ');
    await mayActAt(agent, { kind: 'check', payload }, world, signal);
    // A check asks every interface of the card.
    const { origin: chosen } = recipientOf(agent);
    const origins = new Set(agent.interfaces.offered.map(offered => originOf(offered.interface.url)));
    const others = [...origins].filter(origin => origin !== chosen).map(origin => ({ name, origin }));
    if (others.length > 0) await mayAct({ kind: 'check', agents: others, payload }, world, signal);
    world.show({ agent: name });
    const report = await world.check(agent, rules?.filter(isRule), signal);
    return [...openLine({ agent: name }, world), ...sectionsOf(report, name, rules !== undefined)];
  },
});

const isRule = (rule: string): rule is RuleId => (ruleIds as readonly string[]).includes(rule);

/** Verdicts that need no look; of rules that were asked for, a pass alone. */
const good: readonly CheckResult['verdict'][] = ['pass', 'not-applicable', 'not-testable'];

/** The exchange that a verdict rests on, since `a2a_wire` has those of conversations alone: what was asked, and the answer or its event. */
function evidenceOf({ exchangeId, frame }: CheckResult, exchanges: CheckReport['exchanges']) {
  const found = exchanges.find(({ exchange }) => exchange.id === exchangeId);
  if (found === undefined) return {};
  const { request, response } = found.exchange;
  const answer = (frame === undefined ? undefined : found.frames[frame]?.data) ?? response?.body;
  return {
    asked: beginningOf(`${request.method} ${request.url} ${request.body}`.trim(), bounds.answer, '…'),
    status: response?.status,
    answered: answer && beginningOf(answer, bounds.answer, '…'),
  };
}

function sectionsOf({ end, results, interfaces, exchanges }: CheckReport, agent: string, wereNamed: boolean): readonly Section[] {
  const counts = Object.fromEntries([...Map.groupBy(results, ({ verdict }) => verdict)].map(([verdict, those]) => [verdict, those.length]));
  const bad = results.filter(({ verdict }) => (wereNamed ? verdict !== 'pass' : !good.includes(verdict)));
  const left = bad.length - bounds.verdicts;
  const rules = new Map(bad.slice(0, bounds.verdicts).map(({ rule, level, title, clause }) => [rule, { rule, level, title, clause }]));
  return [
    `Verdicts: ${JSON.stringify(counts)}${end === 'complete' ? '' : `. The check ended early (${end}).`}`,
    ...(rules.size === 0 ? [] : [`Their rules:\n${writeExactly([...rules.values()])}`]),
    untrusted(agent, {
      interfaces: interfaces.map(({ protocolBinding, protocolVersion, url, obstacle }, index) =>
        withoutUndefined({ interface: index, protocolBinding, protocolVersion, url, obstacle: obstacle && english(obstacle) }),
      ),
      verdicts: bad.slice(0, bounds.verdicts).map(result =>
        withoutUndefined({
          rule: result.rule,
          verdict: result.verdict,
          interface: result.interface,
          why: beginningOf(english(result.why), bounds.piece, '…'),
          remedy: result.remedy && english(result.remedy),
          pointer: result.pointer,
          bytes: result.bytes,
          event: result.frame,
          ...evidenceOf(result, exchanges),
        }),
      ),
    }),
    ...(left > 0 ? [`${left} more verdicts were left out: ask again with some of the rules in "rules".`] : []),
  ];
}
