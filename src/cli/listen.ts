import { english, inTerminal } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import { taskStates } from '../protocol/message/taskState.ts';
import type { Delivery } from '../receiver/delivery.ts';
import { NotificationReceiver } from '../receiver/notificationReceiver.ts';
import type { Rehearsal } from '../receiver/rehearsal.ts';
import { parseMilliseconds } from './terminal/milliseconds.ts';
import { oneLine, type Output } from './terminal/output.ts';
import { printFault } from './terminal/printProblem.ts';
import type { Terminal } from './terminal/terminal.ts';
import { UsageError } from './terminal/usage.ts';

/** Delay of `--respond slow`, in milliseconds: senders give up after 10 to 30 s (A2A 1.0 §4.3.3). */
const slowMs = 8_000;

/** Receives push notifications until it is interrupted. */
export async function listen({ output, values, signal }: Terminal): Promise<number> {
  const { path, token, respond, 'protocol-version': protocolVersion } = values;
  const port = portOf(values.port ?? '0');
  if (path !== undefined && !/^\/[\w.~!$&'()*+,;=:@%/-]*$/.test(path))
    throw new UsageError(`--path must be a path such as /hook, not ${JSON.stringify(path)}.`);
  const receiver = new NotificationReceiver({
    onDelivery: delivery => show(delivery, values, output),
    onRefusal: reason => output.printError(`Refused: ${refusals[reason] ?? reason}.`),
    onError: error => printFault(output, error),
  });
  const webhook = receiver.open({
    rehearsal: rehearsalOf(respond),
    ...(path !== undefined && { path }),
    ...(token !== undefined && { token: token === '' ? null : token }),
    ...(protocolVersion !== undefined && { protocolVersion }),
  });
  try {
    await receiver.start(port);
  } catch (error) {
    throw new UsageError(`Port ${port} cannot be listened on: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  }
  try {
    // The person gives these to the agent.
    if (values.json) for (const value of output.selectedIn({ config: webhook.config })) output.print(JSON.stringify(value));
    else {
      output.print(`Webhook: ${webhook.url}`);
      if (webhook.token !== undefined) output.print(`Token: ${webhook.token}`);
      output.printError('Listening on this machine alone. Ctrl+C ends it.');
    }
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return signal.reason as number;
  } finally {
    await receiver.stop();
  }
}

/** @throws UsageError */
export function portOf(port: string): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UsageError(`--port must be a number from 0 to 65535, not ${port}.`);
}

/** @throws UsageError */
function rehearsalOf(written: string | undefined): Rehearsal {
  const [, kind, more] = /^(500|redirect|silent|slow)(?::(.+))?$/.exec(written ?? '') ?? [];
  if (written === undefined) return { kind: 'accept' };
  if (kind === '500' && (more === undefined || /^\d{1,6}$/.test(more)))
    return { kind: 'error', times: more === undefined ? Infinity : Number(more) };
  if (kind === 'slow') return { kind, ms: more === undefined ? slowMs : parseMilliseconds(more) };
  if ((kind === 'redirect' || kind === 'silent') && more === undefined) return { kind };
  throw new UsageError(`--respond must be 500, 500:3, redirect, silent, slow or slow:30s, not ${JSON.stringify(written.slice(0, 60))}.`);
}

const refusals: Readonly<Record<string, string>> = {
  host: 'the request names another host',
  origin: 'the request comes from a web page',
  path: 'the path is another one',
  method: 'the request is not a POST',
  'content-type': 'the body is not said to be JSON',
  'content-encoding': 'the body is compressed',
  'too-large': 'the body is too large',
  slow: 'the sender is too slow',
  malformed: 'the request is not HTTP',
};

function show(delivery: Delivery, values: Terminal['values'], output: Output): void {
  if (values.json) output.printValue(asJson(delivery));
  else if (values.raw) output.printExactly(output.maskedBody(Buffer.from(delivery.body).toString()));
  else {
    const { status, verdicts, content, taskId, isRepeated, rehearsed } = delivery;
    const said = [
      new Date(delivery.at).toISOString(),
      `${status === 0 ? 'no answer' : status}${rehearsed === undefined ? '' : ` (rehearsed${rehearsed.kind === 'slow' ? `: after ${rehearsed.ms} ms` : ''})`}`,
      content === undefined ? 'unreadable' : kindOf(content),
      ...(taskId === undefined ? [] : [`task ${taskId}`]),
      ...(isRepeated ? ['repeated'] : []),
    ];
    output.print(oneLine(said.join('  ')));
    for (const { outcome, sentence } of verdicts) if (outcome !== 'passed') output.printError(english(sentence));
  }
  if (values.json) return;
  const { problem, findings } = delivery;
  if (problem !== undefined) output.printError(problem.message, ...(problem.nextStep === undefined ? [] : [inTerminal(problem.nextStep)]));
  for (const { rule, pointer, message } of findings) output.printError(`${rule} ${pointer || '/'}: ${message}`);
}

function kindOf(content: StreamResponse): string {
  if ('task' in content) return `task: ${taskStates[content.task.status.state].label}`;
  if ('statusUpdate' in content) return `status: ${taskStates[content.statusUpdate.status.state].label}`;
  return 'message' in content ? 'message' : `artifact: ${content.artifactUpdate.artifact.artifactId}`;
}

const asJson = ({
  id,
  at,
  status,
  taskId,
  protocolVersion,
  isAccepted,
  isApplied,
  isRepeated,
  rehearsed,
  headers,
  body,
  ...read
}: Delivery): object => ({
  id,
  at: new Date(at).toISOString(),
  status,
  ...(taskId !== undefined && { taskId }),
  ...(protocolVersion !== undefined && { protocolVersion }),
  accepted: isAccepted,
  applied: isApplied,
  repeated: isRepeated,
  ...(rehearsed !== undefined && { rehearsed: rehearsed.kind }),
  verdicts: read.verdicts.map(({ of, outcome, sentence }) => ({ of, outcome, message: english(sentence) })),
  findings: read.findings,
  ...(read.problem !== undefined && { problem: { code: read.problem.code, message: read.problem.message } }),
  headers: headers.map(([name, value]) => ({ name, value })),
  ...(read.content === undefined ? { body: Buffer.from(body).toString() } : { content: read.content }),
});
