import { copiedHeaders, copiedRequest, resolveInterface, type ResolvedRequest } from '../../request/resolve/resolve.ts';
import { bodyValue } from '../../request/resolve/filledBody.ts';
import { rowsOf } from '../../request/resolve/rows.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import { agentNameOf } from '../../model/requests/agentNameOf.ts';
import { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { TaskState, taskStates } from '../../protocol/message/taskState.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { inTerminal, Problem, sentence } from '../../protocol/problem.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import { homeOf, requestNamed, rowNamed, withNeeded } from '../../request/file/imports.ts';
import { hasRows } from '../../request/file/writtenRows.ts';
import { planOf } from '../../request/file/control.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { sendOrder } from '../../request/file/sendOrder.ts';
import { isOfRefusals } from '../../request/expect/http.ts';
import { chosenStates, WantedState } from '../../request/expect/state.ts';
import { valueOf } from '../../request/text/jsonNode.ts';
import { RequestFault } from '../../request/text/requestFault.ts';
import { positionAt } from '../../request/text/textPosition.ts';
import { extendedCard } from '../../request/text/methods.ts';
import { merged, noValues } from '../../request/text/value.ts';
import { jsonRpcRequest, type HttpRequest } from '../../request/export/curl.ts';
import { k6Script, type K6Step } from '../../request/export/k6.ts';
import { laterText, laterValue } from '../../request/export/laterValues.ts';
import { headerPlaceholders, ownHeaders, withPlaceholders } from '../../request/export/placeholder.ts';
import type { Text } from '../../request/text/pieced.ts';
import { escapedCode, type Output } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { exitStatus, FileError, UsageError } from '../terminal/usage.ts';
import { refuseInvalidFiles } from './fileProblems.ts';
import { headerReach } from './headerReach.ts';
import { agentOptions, runAgents } from './runAgents.ts';
import { findRunFiles, readRunFile, settingsFiles, type RunFile } from './runFiles.ts';
import { openRunModel } from './runModel.ts';

/** Keys of requests that a script ignores. */
const leftOutKeys = ['retry', 'until', 'waitFor', 'confirm', 'timeoutMs'] as const;

/** Writes a script for k6 from a request file to standard output. The agents' cards are read for it. @throws UsageError, FileError, Problem */
export async function exportK6(terminal: Terminal, [path = '']: readonly string[]): Promise<number> {
  const { host, output, values } = terminal;
  if (values.k6 !== true) throw new UsageError('export needs --k6.');
  const cwd = host.cwd();
  const found = findRunFiles([path], cwd);
  if (found.length > 1) throw new UsageError('export takes one request file.');
  const given = agentOptions(values).other;
  const options = { environment: values.env, variables: values.var ?? [], host, agentGiven: given !== undefined };
  const run = await readRunFile(found[0]!, options);
  const written = withNeeded(run.file.requests, run.file).flatMap(entry => agentsOf(entry).map(({ value }) => value));
  const agents = await runAgents(terminal, await settingsFiles([run.folder], cwd), written);
  const known = Object.entries(agents.named).map(([name, { url }]) => ({ name, url }));
  if (refuseInvalidFiles([run], { agents: known, agent: given, output }).length > 0) return exitStatus.usage;
  const entries = sendOrder(planOf(run.file).sent, run.file);
  const reach = await headerReach(
    terminal,
    agents,
    entries.map(entry => ({ file: run, entry })),
  );
  const defects: unknown[] = [];
  const model = openRunModel(terminal, { ...agents, reach }, new SecretOrigins(), error => defects.push(error));
  try {
    const steps: K6Step[] = [];
    for (const entry of entries)
      steps.push(
        ...(await stepsOf(entry, run, {
          output,
          given,
          headersOf: name => agents.named[name]?.headers,
          find: name => model.agents.find(name),
        })),
      );
    host.stdout.write(escapedCode(k6Script(steps)));
  } catch (error) {
    throw ofFile(error, run);
  } finally {
    model.dispose();
  }
  if (defects.length > 0) throw defects[0];
  return exitStatus.fine;
}

/** A problem of the file as an error with its position; any other error unchanged. */
function ofFile(error: unknown, { path, file }: RunFile): unknown {
  if (!(error instanceof Problem) || !(error instanceof RequestFault || ['not-in-script', 'not-copied'].includes(error.code))) return error;
  const { line, column } = positionAt(file.text, error instanceof RequestFault ? error.range.offset : 0);
  const words = [error.sentence, ...(error.nextStep === undefined ? [] : [error.nextStep])].map(inTerminal).join(' ');
  return new FileError(`${path}:${line}:${column}: ${words}`, { cause: error });
}

interface Needs {
  readonly output: Output;
  readonly given: string | undefined;
  readonly headersOf: (agent: string) => Readonly<Record<string, string>> | undefined;
  readonly find: (name: string) => ReturnType<ReturnType<typeof openRunModel>['agents']['find']>;
}

async function stepsOf(entry: RequestEntry, run: RunFile, needs: Needs): Promise<readonly K6Step[]> {
  const home = homeOf(entry, run.file);
  const scope: Scope = {
    ...withPlaceholders({
      file: home?.file ?? run.file,
      values: run.values,
      functions: home === undefined ? run.host : home.hostIn(run.host),
      result: () => undefined,
    }),
    later: laterValue,
  };
  const title = entry.name ?? `Request ${entry.index + 1}`;
  const ignored = leftOutKeys.filter(key => entry.members.has(key));
  if (ignored.length > 0) needs.output.printError(`${title}: ${ignored.map(key => `"${key}"`).join(', ')} is not in the script.`);
  if (!hasRows(entry)) return [{ title, ...(await stepOf(entry, scope, needs)) }];
  const rows = await rowsOf(entry, scope);
  const steps: K6Step[] = [];
  for (const { label, index, values, target } of rows) {
    const own = { ...scope, values: merged(scope.values ?? noValues, values) };
    const step = await stepOf(target === undefined ? entry : entry.sentTo(target), own, needs);
    steps.push({ title: `${title} [${label}]`, ...step, row: index });
  }
  return steps;
}

async function stepOf(entry: RequestEntry, scope: Scope, { given, headersOf, find }: Needs): Promise<Omit<K6Step, 'title'>> {
  const name = await agentNameOf(entry, scope, given);
  const agent = find(name);
  const { chosen } = await agent.connect({ wanted: resolveInterface(entry) });
  const offered = [chosen.interface, ...agent.interfaces.offered.filter(one => one.isSupported).map(one => one.interface)];
  const over = offered.find(({ protocolBinding }) => protocolBinding === 'JSONRPC');
  if (over === undefined)
    throw new Problem('no-interface', sentence('{0} does not offer JSON-RPC, which the script would use.', agent.name));
  // `$uuid` in the message is a later value already.
  const functions = { ...scope.functions, uuid: () => laterText('uuid()') };
  const resolved = await copiedRequest(entry, { ...scope, functions }, false);
  const headers = { ...headerPlaceholders(headersOf(name)), ...ownHeaders(await copiedHeaders(entry, scope)) };
  const after = entry.after === undefined ? undefined : requestNamed(scope.file, entry.after.value)?.key;
  const delay: unknown = entry.members.get('delay')?.value?.value;
  return {
    key: entry.key,
    request: requestOf(entry.raw === undefined ? resolved : { raw: await bodyValue(entry.raw, scope) }, over, headers),
    ...(after !== undefined && { after, afterRow: rowNamed(scope.file, entry.after?.value ?? '') }),
    ...(typeof delay === 'number' && delay > 0 && { delayMs: delay }),
    ...expected(entry),
  };
}

function requestOf(
  resolved: ResolvedRequest<Text> | { readonly raw: HttpRequest['body'] },
  { url, protocolVersion }: { readonly url: string; readonly protocolVersion: string },
  headers: Readonly<Record<string, Text>>,
): HttpRequest {
  if ('raw' in resolved)
    return { method: 'POST', url, headers: [['Content-Type', 'application/json'], ...Object.entries(headers)], body: resolved.raw };
  const version = versionOf(protocolVersion);
  const request =
    version === undefined || resolved.operation === extendedCard
      ? undefined
      : jsonRpcRequest(
          { agentUrl: url, ...resolved, params: resolved.params as Readonly<Record<string, unknown>>, headers },
          { url, version },
        );
  if (request !== undefined) return request;
  throw new Problem('not-in-script', sentence('{0} cannot be written into a script.', resolved.operation));
}

/** The expectations that a script checks: a refusal, and the state of the task. */
function expected({ members }: RequestEntry): Pick<K6Step, 'states' | 'refused'> {
  const node = members.get('expect')?.value;
  const { error, status, state } = (node === undefined ? {} : valueOf(node)) as Readonly<Record<string, unknown>>;
  if (error !== undefined || isOfRefusals(status)) return { refused: true };
  const { success, data } = WantedState.safeParse(state);
  if (!success) return {};
  return { states: TaskState.options.filter(one => chosenStates(data, one).every(({ holds }) => holds)).map(one => taskStates[one].label) };
}
