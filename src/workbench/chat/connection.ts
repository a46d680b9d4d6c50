import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { ShownConnection } from '../../chat/host/chatState.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { TaskConnection } from '../../model/run/taskConnection.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import { translate } from '../platform/report.ts';

/** Maximum number of tasks of a context that are checked, the newest ones. */
const maxTasks = 20;

/** The connections of a context's tasks, as sent to its panel. */
export function panelConnections(
  context: Pick<AgentContext, 'tasks' | 'connection' | 'connectionOf' | 'running'>,
  now = Date.now(),
): readonly ShownConnection[] {
  const ofTasks = context
    .tasks({ limit: maxTasks })
    .filter(({ state }) => !isTerminal(state))
    .flatMap(({ taskId }) => {
      const connection = context.connectionOf(taskId);
      return connection === undefined ? [] : [shown(connection, now, taskId)];
    });
  const { connection, running } = context;
  const isKnown = ofTasks.some(({ kind }) => kind !== 'elsewhere' && kind !== 'none');
  return running && connection !== undefined && !isKnown ? [shown(connection, now), ...ofTasks] : ofTasks;
}

/** Times are sent as durations: the page's clock may differ. */
function shown(connection: TaskConnection, now: number, taskId?: string): ShownConnection {
  const task = taskId === undefined ? {} : { taskId };
  if (!('since' in connection)) return { ...task, kind: connection.kind };
  const { kind, since, lastReceivedAt } = connection;
  const times = { lasts: Math.max(0, now - since), ...(lastReceivedAt !== undefined && { silent: Math.max(0, now - lastReceivedAt) }) };
  const reason = connection.reason && { reason: translate(connection.reason) };
  if (!('attempt' in connection)) return { ...task, kind, ...times, ...(connection.polled && { polled: true }), ...reason };
  const { attempt, retryAt } = connection;
  return {
    ...task,
    kind,
    ...times,
    attempt,
    ...reason,
    ...(retryAt !== undefined && { retryIn: Math.max(0, retryAt - now) }),
  };
}

/** Handlers of the panel's requests about the connection. */
export function chatConnection(context: AgentContext): Pick<RequestHandlers, 'tryNow' | 'reloadCard'> {
  const reloadCard = async (): Promise<void> => {
    const { agent } = context;
    await agent?.prepare();
    await agent?.check({ anew: true });
    // A press that changes nothing on the page would look like one that did nothing.
    if (agent?.problem !== undefined) throw agent.problem;
  };
  return {
    reloadCard,
    tryNow: async () => {
      const waiting = context
        .tasks({ limit: maxTasks })
        .filter(({ taskId }) => ['lost', 'unknown-state', 'none'].includes(context.connectionOf(taskId)?.kind ?? ''));
      for (const { taskId } of waiting) context.tryNow(taskId);
      if (waiting.length === 0) await reloadCard();
    },
  };
}
