import type { Agent } from '../model/agents/agent.ts';
import type { RequestRun } from '../model/requests/requestRun.ts';
import type { RequestRuns } from '../model/requests/requestRuns.ts';
import type { SendRequestOptions } from '../model/requests/sendContext.ts';
import { sentence } from '../protocol/problem.ts';
import { planOf } from '../request/file/control.ts';
import { agentsOf } from '../request/file/matrix.ts';
import type { RequestEntry } from '../request/file/requestEntry.ts';
import type { RequestFile } from '../request/file/requestFile.ts';
import { originOf, recipientOf } from './mayAct.ts';
import { refusal } from './refusal.ts';
import type { Action } from './world.ts';

/** Throws a `Problem` for an environment that is marked as production. */
export function refuseProduction({ production, name = '' }: { readonly production: boolean; readonly name?: string | undefined }): void {
  if (production)
    throw refusal(
      sentence('The environment "{0}" is marked as production: no tool sends in it.', name),
      sentence('Name another "environment".'),
    );
}

interface ActionSource {
  /** The path of the file, for people. */
  readonly path: string;
  readonly text: string;
  /** The agent of requests that name none. */
  readonly agent: string | undefined;
  readonly known: (name: string) => Agent | undefined;
}

/**
 * The agents and the text of the requests. An agent that is only known when a request is sent makes the action open. Throws a `Problem` if a
 * request has none.
 */
export function actionOf(entries: readonly RequestEntry[], { path, text, agent: other, known }: ActionSource): Omit<Action, 'kind'> {
  const names = new Set(entries.flatMap(entry => (entry.agent === undefined ? other : agentsOf(entry).map(({ value }) => value))));
  if (names.has(undefined)) {
    throw refusal(sentence('A request names no agent.'), sentence('Write "agent" in the file, with the name from a2a_agents.'));
  }
  const written = [...names].filter(name => name !== undefined);
  const fixed = written.filter(name => !name.includes('{{'));
  const agents = fixed.map(name => {
    const agent = known(name);
    return agent === undefined ? { name, origin: originOf(name) } : recipientOf(agent);
  });
  // The key of one that is imported has its path before a line break.
  const texts = entries.map(({ key, range: { offset, length } }) =>
    key.includes('\n') ? key.replace('\n', ': ') : text.slice(offset, offset + length),
  );
  return { agents, isOpen: fixed.length < written.length, payload: [path, ...texts].join('\n') };
}

interface Sending {
  readonly runs: RequestRuns;
  readonly file: RequestFile;
  /** The requests to send; undefined for all of the file. */
  readonly entries: readonly RequestEntry[] | undefined;
  readonly options: SendRequestOptions;
  /** See `World`. */
  readonly client: string;
}

/** Sends requests for a language model, as their tests are sent. */
export async function sendRequests({ runs, file, entries, options, client }: Sending, signal: AbortSignal): Promise<readonly RequestRun[]> {
  const stop = (): void => runs.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const sending = { ...options, testRun: true, assistant: { tool: 'a2a_run', client } };
    if (entries === undefined) {
      await runs.sendAll(file, sending, signal);
      return planOf(file).sent.flatMap(({ key }) => runs.get(key) ?? []);
    }
    const sent = entries.map(entry => runs.send(entry, file, sending));
    await Promise.all(sent.map(({ done }) => done));
    return sent;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
