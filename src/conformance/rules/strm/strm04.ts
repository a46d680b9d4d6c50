import { isObject } from '../../../protocol/json.ts';
import { isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, judged } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { withStream } from '../rule/streamed.ts';
import { reportedState } from '../rule/reportedState.ts';
import { objects } from '../rule/values.ts';
import { unlessStreaming } from '../rule/unless.ts';
import { unlessWhole } from './streamedTexts.ts';

export const rule: Rule = {
  id: 'STRM-04',
  level: 'MUST',
  title: 'Order is kept: no append before create, none after lastChunk',
  remedy: 'Send the first chunk of an artifact without append, and nothing after the one with lastChunk.',
  clause: '3.5.2 Streaming Event Delivery',
  versions: ['1.0'],
  whileReading: true,
  startsWork: true,
  kit: ['STREAM-ORDER-001'],
  probe: {
    unless: unlessStreaming,
    run: port =>
      withStream(port, 'task', async ({ exchange, own: events, state: last }) => {
        const open = new Set<string>();
        const closed = new Set<string>();
        let begun: TaskState | undefined;
        for (const { result, frame } of events) {
          const members = isObject(result) ? result : {};
          const state = readTaskState(reportedState(result));
          if (state === 'TASK_STATE_SUBMITTED' && begun !== undefined)
            return { ...failed({ exchange }, sentence('The task reached {0} after {1}.', state, begun)), frame: frame.seq };
          if (state !== 'TASK_STATE_SUBMITTED') begun = state ?? begun;
          const task = isObject(members['task']) ? members['task'] : {};
          for (const [, { artifactId }] of objects(task['artifacts'])) open.add(String(artifactId));
          const update = isObject(members['artifactUpdate']) ? members['artifactUpdate'] : undefined;
          if (!isObject(update?.['artifact'])) continue;
          const id = String(update['artifact']['artifactId']);
          const isAppended = update['append'] === true;
          if (isAppended && (!open.has(id) || closed.has(id)))
            return {
              ...failed(
                { exchange },
                closed.has(id)
                  ? sentence('Artifact {0} was appended to after its last chunk.', quoted(id))
                  : sentence('Artifact {0} was appended to before it existed.', quoted(id)),
                port.interface.protocolBinding === 'JSONRPC' ? '/result/artifactUpdate/append' : '/artifactUpdate/append',
              ),
              frame: frame.seq,
            };
          open.add(id);
          if (update['lastChunk'] === true) closed.add(id);
          else if (!isAppended) closed.delete(id);
        }
        const found = judged('STRM-04', exchange);
        const isOver = last !== undefined && isTerminal(last);
        return found.verdict === 'pass' && isOver ? ((await unlessWhole(port, events)) ?? found) : found;
      }),
  },
};
