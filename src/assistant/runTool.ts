import * as z from 'zod';
import type { RequestOutcome } from '../model/requests/requestOutcome.ts';
import type { RequestRun } from '../model/requests/requestRun.ts';
import { textOfObserved } from '../request/expect/observed.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { english } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { checkExpectations } from '../request/expect/expectations.ts';
import { bounds } from './bounds.ts';
import { mayAct } from './mayAct.ts';
import { untrusted } from './result.ts';
import { findingFacts, ruleSection } from './ruleFacts.ts';
import { defineTool } from './tool.ts';

const Input = z.strictObject({
  file: z.string().describe('Path of an .a2a file, or of a Markdown file with requests, in the workspace.'),
  request: z.string().optional().describe('Name of one request; what it comes after is sent first. Without it: all of the file.'),
  environment: z.string().optional().describe('Name of an environment. Without it: the one that the person has chosen.'),
});

/** Sends the requests of a file, and gives what came of each. */
export const runTool = defineTool({
  name: 'a2a_run',
  description:
    'Sends the requests of an .a2a file of the workspace, or one of them, and returns for each whether its expectations held, and what came. Use it to test an agent again and again, for example after a change. Environments that are marked as production are refused. For a single message use a2a_send.',
  asks: 'The person is asked before anything is sent.',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: Input,
  work: async (wanted, world, signal) => {
    const runs = await world.run(wanted, action => mayAct({ ...action, kind: 'run' }, world, signal), signal);
    const agents = [...new Set(runs.flatMap(({ agent }) => agent?.name ?? []))];
    for (const agent of agents) world.show({ agent });
    const outcomes = runs.flatMap(run => (run.outcome === undefined ? [] : [{ run, outcome: run.outcome }]));
    const failed = outcomes.filter(({ run, outcome }) => wrongIn(run, outcome).length > 0).length;
    const left = outcomes.length - bounds.outcomes;
    const broken = outcomes.flatMap(({ outcome }) => outcome.findings ?? []).map(({ rule }) => rule);
    return [
      `Requests: ${outcomes.length} sent, ${failed} failed.`,
      untrusted(
        agents,
        outcomes.slice(0, bounds.outcomes).map(({ run, outcome }) => facts(run, outcome)),
      ),
      ...(left > 0 ? [`${left} requests were left out: ask for each with "request".`] : []),
      ...(await ruleSection(broken)),
    ];
  },
});

function facts(run: RequestRun, outcome: RequestOutcome) {
  const { entry, agent, contextKey, rows } = run;
  const { problem, startedAt, endedAt, findings = [], exchangeIds } = outcome;
  const wrong = wrongIn(run, outcome);
  return withoutUndefined({
    request: entry.name ?? `#${entry.index + 1}`,
    agent: agent?.name,
    verdict: wrong.length === 0 ? 'passed' : 'failed',
    state: outcome.task?.status.state,
    ms: Math.round(endedAt - startedAt),
    wrong: wrong.length === 0 ? undefined : wrong,
    problem: problem && beginningOf(english(problem.sentence), bounds.piece, '…'),
    text: cut(textOfObserved(outcome)),
    rows: rows.length === 0 ? undefined : rows.length,
    context: contextKey,
    exchanges: exchangeIds.slice(-bounds.exchanges),
    ...(findings.length > 0 && findingFacts(findings)),
  });
}

/** The beginning of a text. At the ellipsis a credential that is cut there is masked, too. */
const cut = (text: string): string => beginningOf(text, bounds.answer, '…');

/** The expectations that did not hold. */
export const wrongIn = ({ entry }: Pick<RequestRun, 'entry'>, outcome: RequestOutcome) =>
  (outcome.expectations ?? checkExpectations(entry, {}, outcome)).flatMap(({ ok, message, expected, actual }) =>
    ok
      ? []
      : [
          withoutUndefined({
            what: cut(english(message)),
            expected: expected && cut(expected),
            actual: actual && cut(actual),
          }),
        ],
  );
