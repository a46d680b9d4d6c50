import type { AgentClient } from '../../client/agentClient.ts';
import { RequestLimit, unheard } from '../../model/requests/requestLimit.ts';
import { UnknownState, type unknownWaits } from '../../model/requests/unknownState.ts';
import { sentence } from '../../protocol/problem.ts';
import { TaskFollower } from './follow.ts';
import { progressLine } from './output.ts';
import { connect, type Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const maxMs = 24 * units['h']!;

/** Parses the duration of `--timeout` to milliseconds. @throws UsageError */
export function parseMilliseconds(written: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(written) ?? [];
  const ms = Math.round(Number(count) * units[unit]!);
  if (count !== '' && ms >= 1 && ms <= maxMs) return ms;
  throw new UsageError(`--timeout wants a time up to a day, such as 500ms, 30s or 2m, not ${JSON.stringify(written.slice(0, 40))}.`);
}

/**
 * Connects to an agent and follows its work, at most as long as `--timeout`; without it, as long as the agent sends something
 * (`RequestLimit`). Rejects with a `Problem`: `time-limit` when the time is up, `unknown-state` where it is unknown whether the task has
 * ended.
 * The agent's work goes on in both cases.
 */
export const followWithin = (
  terminal: Terminal,
  url: string,
  work: (follow: TaskFollower, client: AgentClient) => Promise<number>,
  waits?: typeof unknownWaits,
): Promise<number> => within(terminal, limited => connect(limited, url), work, waits);

/** The same over a connection that there is. */
export const followClient = (terminal: Terminal, client: AgentClient, work: (follow: TaskFollower) => Promise<number>): Promise<number> =>
  within(terminal, () => Promise.resolve(client), work);

async function within(
  terminal: Terminal,
  connecting: (limited: Terminal) => Promise<AgentClient>,
  work: (follow: TaskFollower, client: AgentClient) => Promise<number>,
  waits?: typeof unknownWaits,
): Promise<number> {
  const { values, signal, log } = terminal;
  const limit = new RequestLimit(values.timeout === undefined ? undefined : parseMilliseconds(values.timeout));
  let heardAt: number | undefined;
  let provisional: number | undefined;
  const limited: Terminal = {
    ...terminal,
    signal: AbortSignal.any([signal, limit.signal]),
    log: {
      ...log,
      received: bytes => {
        heardAt = performance.now();
        log.received?.(bytes);
      },
      provisional: status => {
        provisional = status;
        log.provisional?.(status);
      },
    },
  };
  let follow: TaskFollower | undefined;
  const unknown = new UnknownState({
    onStranded: problem => limit.end(problem),
    told: () => follow?.changes,
    hasLimit: limit.isSet,
    waits,
  });
  progressLine.start(() => follow?.waitsFor ?? 'connecting');
  try {
    const client = await limit.within(connecting(limited), unheard);
    const following = new TaskFollower(limited, client, undefined, (state, name) => unknown.look(state, name));
    follow = following;
    const cardAt = heardAt;
    return await limit.within(work(following, client), {
      heardAt: () => heardAt,
      isNamed: () => following.hasAnswered,
      provisional: () => (heardAt === cardAt ? provisional : undefined),
    });
  } catch (error) {
    follow?.end();
    if (error === limit.problem) {
      limit.problem?.advise(
        follow?.taskId === undefined
          ? sentence("Look at the agent's own log, or give it more time with --timeout.")
          : sentence('The task goes on at the agent: follow it with a2a task subscribe, or give it more time with --timeout.'),
      );
    }
    throw error;
  } finally {
    unknown.dispose();
    progressLine.stop();
  }
}
