import { askAgent } from '../../auth/doctor/askAgent.ts';
import { explainSignIn } from '../../auth/doctor/explainSignIn.ts';
import { tokenIn } from '../../auth/doctor/explainedSignIn.ts';
import { fetchedFrom } from '../../auth/doctor/fetchedFrom.ts';
import { SignInTrace } from '../../auth/doctor/signInTrace.ts';
import type { ExplainedStep, SignInReport } from '../../auth/doctor/signInReport.ts';
import { keptSignIns, terminalAuthentication } from './terminalSignIns.ts';
import { signInPlan } from '../../auth/signIns/planOf.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { inTerminal } from '../../protocol/problem.ts';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { headersWithoutCredentials } from '../../request/template/headerTemplate.ts';
import { readHeader } from '../terminal/headerOptions.ts';
import { quoted, type Output } from '../terminal/output.ts';
import { clientOf, noLog, originsOf, resolve, type Terminal } from '../terminal/terminal.ts';
import { exitStatus } from '../terminal/usage.ts';

/** `a2a auth URL`: goes through the sign-in step by step, and names what is likely wrong; 1 where a step fails. */
export async function explain(terminal: Terminal, [given = '']: readonly string[]): Promise<number> {
  const { output, http, signal, values } = terminal;
  const trace = new SignInTrace(http);
  const { resolved, challenge } = await cardOrChallenge(terminal, given);
  const agentUrl = resolved?.agentUrl ?? parseAddress(given).href;
  const authentication = terminalAuthentication({ ...terminal, http: trace.http }, () => resolved?.card);
  const kept = keptSignIns({ ...terminal, http: trace.http });
  const { identity } = values;
  const isKept = values.renew === true && (await kept.state(agentUrl, identity)).kind !== 'none';
  const report = await explainSignIn({
    agentUrl,
    card: resolved?.card,
    plan: signInPlan(resolved?.card ?? {}, challenge),
    // Documents are fetched without credentials, but the agent chooses the address: only approved origins are used.
    context: { http, signal, requireOrigin: fetchedFrom([...originsOf(values), ...(await kept.servers(agentUrl))], agentUrl) },
    ask: signedIn => {
      const asking = signedIn ? terminal : withoutCredentials(terminal);
      return askAgent(async log => {
        if (resolved !== undefined) return clientOf(asking, resolved);
        await resolve({ ...asking, log }, given);
        return undefined;
      }, signal);
    },
    tokens: async () => tokenIn((await authentication(agentUrl, identity).credentialsFor(new URL(agentUrl), signal))?.headers),
    trace,
    ...(isKept && { refresh: () => kept.of(agentUrl, identity).renewNow(signal) }),
    now: Date.now,
  });
  if (values.renew === true && !isKept)
    output.printError('Nothing was renewed: no sign-in is kept for this agent. Sign in with: a2a auth login URL');
  if (values.json) output.printValue(inWords(report));
  else printReport(report, output);
  return report.steps.some(({ verdict }) => verdict === 'failed') ? exitStatus.taskFailed : exitStatus.fine;
}

/** The card, or the challenge of an agent that requires credentials for its card. */
async function cardOrChallenge(
  terminal: Terminal,
  url: string,
): Promise<{ readonly resolved?: ResolvedAgentCard; readonly challenge?: string | undefined }> {
  try {
    return { resolved: await resolve({ ...terminal, log: noLog }, url) };
  } catch (error) {
    if (error instanceof UnauthorizedProblem) return { challenge: error.challenge };
    throw error;
  }
}

/** The same command without a sign-in and without credential headers, which would hide whether the agent requires them. */
function withoutCredentials(terminal: Terminal): Terminal {
  const { values, agent } = terminal;
  const { header: given = [] } = values;
  const header = given.filter(line => !namesCredential(readHeader(line)[0]));
  if (agent === undefined) return { ...terminal, values: { ...values, identity: 'none', header } };
  const settings = { ...agent.settings, headers: headersWithoutCredentials(agent.settings.headers ?? {}) };
  return { ...terminal, values: { ...values, identity: 'none', header }, agent: { ...agent, settings } };
}

const inWords = ({ agentUrl, origins, steps, causes }: SignInReport): object => ({
  agentUrl,
  origins,
  steps: steps.map(({ id, verdict, sentence, facts, exchanges }) => ({
    step: id,
    verdict,
    sentence: inTerminal(sentence),
    facts: facts.map(inTerminal),
    exchanges,
  })),
  causes: causes.map(({ id, step, sentence, remedy }) => ({ cause: id, step, sentence: inTerminal(sentence), remedy: inTerminal(remedy) })),
});

const marks: Readonly<Record<ExplainedStep['verdict'], string>> = { ok: 'ok', failed: 'FAILED', skipped: '–' };

function printReport({ agentUrl, origins, steps, isAccepted, causes }: SignInReport, output: Output): void {
  output.print(quoted(`Signing in to ${agentUrl}`));
  for (const { id, verdict, sentence, facts, exchanges } of steps) {
    output.print(quoted(`${id.padEnd(9)} ${marks[verdict].padEnd(7)} ${inTerminal(sentence)}`));
    for (const fact of facts) output.print(quoted(`                    ${inTerminal(fact)}`));
    for (const { method, url, status } of exchanges)
      output.print(quoted(`                    ${method} ${url} → ${status === undefined ? 'no answer' : `HTTP ${status}`}`));
  }
  if (origins.length > 0) output.print(quoted(`Documents were fetched without credentials from: ${origins.join(', ')}`));
  causes.forEach(({ sentence, remedy }, index) => {
    if (index === 0) output.print(isAccepted ? '\nThe sign-in works. Worth mending all the same:' : '\nLikely causes, most likely first:');
    output.print(quoted(`${index + 1}. ${inTerminal(sentence)}`));
    output.print(quoted(`   ${inTerminal(remedy)}`));
  });
}
