import type { A2AAnswer, A2AWorkbench } from '../../api/a2a-workbench.d.ts';
import type { AgentContexts } from '../model/contexts/agentContexts.ts';
import { problemOf } from '../model/requests/requestOutcome.ts';
import type { Run } from '../model/run/run.ts';
import { isNumber } from '../protocol/exactNumber.ts';
import { isObject } from '../protocol/json.ts';
import { english } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { SentMessage, sendMessage } from './sendTool.ts';
import { contextOf } from './targets.ts';
import { validInput } from './tool.ts';
import type { Place, World } from './world.ts';

/** Most tasks whose state is remembered for an observer. */
const maxObserved = 1000;

interface ApiNeeds {
  /** Id of the extension that calls, as it gives it. */
  readonly id: string;
  /** A world with the consent for that extension. */
  readonly world: World;
  readonly onDidChange: AgentContexts['onDidChange'];
  /** False once the person has taken the permission to read back. */
  readonly mayStillRead: () => boolean;
  /** Rejects with a `Problem`. */
  readonly open: (place: Place) => Promise<void>;
}

/** The API for one other extension. */
export function extensionApi({ id, world, onDidChange, mayStillRead, open }: ApiNeeds): A2AWorkbench {
  const { agents, contexts, consent, mask } = world;
  /** An error whose message has no credential; the caller knows nothing of a `Problem`. */
  const failure = (error: unknown): Error => {
    const { sentence, nextStep } = problemOf(error, world.onError);
    return new Error(mask([sentence, ...(nextStep === undefined ? [] : [nextStep])].map(english).join(' ')), { cause: error });
  };
  const called = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw failure(error);
    });

  async function answerOf({ done }: Run, agent: string): Promise<A2AAnswer> {
    const { task, message, problem } = await done;
    if (task === undefined && message === undefined) throw failure(problem);
    consent.hasRead(new Set([agent]));
    return masked(withoutUndefined({ task, message }), mask) as A2AAnswer;
  }

  return {
    agents: () =>
      called(async () => {
        await consent.mayRead();
        return agents.all.map(({ name, addressUrl, reachability }) => ({ name, address: mask(addressUrl), reachability }));
      }),
    send: given =>
      called(async () => {
        const message = validInput('send', SentMessage, given);
        const { context, run } = await sendMessage(message, { client: id }, world, new AbortController().signal);
        const answer = answerOf(run, message.agent);
        // The caller may not want it.
        answer.catch(() => undefined);
        return { context: context.key, answer };
      }),
    observeTasks: listener =>
      called(async () => {
        await consent.mayRead();
        const since = Date.now();
        const states = new Map<string, string>();
        return onDidChange(({ agent, context: key }) => {
          if (agent === undefined || key === undefined || !mayStillRead() || !agents.all.some(({ name }) => name === agent)) return;
          for (const { taskId: task, state, updatedAt } of contexts.get(key)?.tasks({ limit: 20 }) ?? []) {
            const known = JSON.stringify([key, task]);
            if (updatedAt < since || states.get(known) === state) continue;
            states.set(known, state);
            if (states.size > maxObserved) states.delete(states.keys().next().value!);
            consent.hasRead(new Set([agent]));
            listener({ agent, context: key, task: mask(task), state });
          }
        });
      }),
    openContext: key => called(async () => open({ agent: contextOf(key, world).agentName, context: key })),
  };
}

/** A value with every text masked in it; a number that is a credential becomes its mask. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (isNumber(value)) return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map(each => masked(each, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner, mask)]));
}
