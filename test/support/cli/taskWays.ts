import type { Script, Step } from '../../../src/mock/script.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { asks, says, statusUpdate, task } from '../client/says.ts';

export type Command = 'send' | 'send --stream' | 'task subscribe' | 'chat' | 'run';
export const commands: readonly Command[] = ['send', 'send --stream', 'task subscribe', 'chat', 'run'];

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err?: RegExp;
}

/** One way in which a task goes: how the agent tells of it, and what each command makes of that. */
export interface Way extends Outcome {
  /** Made for each command: agents count how often they were asked. */
  readonly script: () => Script;
  /** Where a command's outcome is another one; null where the way is none for it. */
  readonly but?: Partial<Record<Command, Partial<Outcome> | null>>;
  readonly options?: readonly string[];
  /** What `a2a run` expects, besides the text that the others print. */
  readonly state?: string;
}

const piece = (artifactId: string, text: string, append: boolean, lastChunk = false): StreamResponse => ({
  artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId, parts: [{ text }] }, append, lastChunk },
});
const events = (...said: readonly StreamResponse[]): Step[] => said.map(event => ({ event }));
const working = { task: task('TASK_STATE_WORKING') };
const withParts = (state: Task['status']['state'], artifacts: Readonly<Record<string, readonly Part[]>>, more: Partial<Task> = {}): Task =>
  task(state, { artifacts: Object.entries(artifacts).map(([artifactId, parts]) => ({ artifactId, parts: [...parts] })), ...more });

/** An agent whose stream tells these events, and which has this task at work before and this one in the end. */
function agentOf(stream: readonly Step[], end: Task, before = working.task): Script {
  let asked = 0;
  return {
    SendMessage: [{ answer: { task: before } }],
    SendStreamingMessage: stream,
    SubscribeToTask: stream,
    GetTask: () => [{ answer: asked++ === 0 ? before : end }],
  };
}

const answer = withParts('TASK_STATE_COMPLETED', { a: [{ text: 'one two' }] });
const question = task('TASK_STATE_INPUT_REQUIRED', { status: { state: 'TASK_STATE_INPUT_REQUIRED', message: says('Which one?') } });
const withWords = (state: Task['status']['state'], words: string): Task => task(state, { status: { state, message: says(words) } });
const heartbeats: Step[] = Array.from({ length: 2_000 }, (): Step[] => [{ delay: 20 }, { raw: ': alive\n\n' }]).flat();

export const ways: Readonly<Record<string, Way>> = {
  'answers at once': {
    script: () => ({ SendMessage: [{ answer: { message: says('hi') } }], SendStreamingMessage: events({ message: says('hi') }) }),
    status: 0,
    out: 'hi\n',
    err: /^$/,
    but: { 'task subscribe': null, run: { err: /.*/ } },
  },
  streams: {
    script: () =>
      agentOf(events(working, piece('a', 'one ', false), piece('a', 'two', true, true), statusUpdate('TASK_STATE_COMPLETED')), answer),
    status: 0,
    out: 'one two\n',
    err: /t-1, [^]*completed\n$/,
  },
  'stays open after a question': {
    script: () =>
      agentOf([...events(working, statusUpdate('TASK_STATE_INPUT_REQUIRED', says('Which one?'))), ...heartbeats], question, working.task),
    status: 0,
    out: '',
    err: /input-required: Which one\?\n/,
    state: 'input-required',
  },
  'is polled': {
    script: () => ({
      ...agentOf([], answer),
      AgentCard: ({ headers }) => [
        {
          json: {
            name: 'Polled',
            description: 'x',
            version: '1',
            capabilities: {},
            skills: [],
            defaultInputModes: ['text/plain'],
            defaultOutputModes: ['text/plain'],
            supportedInterfaces: [{ url: `http://${headers.host}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          },
        },
      ],
    }),
    status: 0,
    out: 'one two\n',
  },
  'is cut and comes back': {
    script: () => ({
      ...agentOf([], answer),
      SendStreamingMessage: [...events(working, piece('a', 'one ', false)), { delay: 50 }, { close: true }],
      SubscribeToTask: events(working, statusUpdate('TASK_STATE_COMPLETED')),
    }),
    status: 0,
    out: 'one two\n',
  },
  fails: {
    script: () => agentOf(events(working, statusUpdate('TASK_STATE_FAILED', says('no ink'))), withWords('TASK_STATE_FAILED', 'no ink')),
    status: 1,
    out: 'no ink\n',
    err: /failed\n$/,
    but: { run: { status: 0 } },
    state: 'failed',
  },
  'is canceled': {
    script: () => agentOf(events(working, statusUpdate('TASK_STATE_CANCELED')), task('TASK_STATE_CANCELED')),
    status: 1,
    out: '',
    err: /canceled\n/,
    but: { run: { status: 0 } },
    state: 'canceled',
  },
  'never answers': {
    script: () => ({ SendMessage: [{ stall: true }], SendStreamingMessage: [{ stall: true }], GetTask: [{ stall: true }] }),
    status: 1,
    out: '',
    err: /no sign of life within 1 second|did not finish within 1 second/,
    options: ['--timeout', '1s'],
    but: { run: { err: /.*/ } },
  },
  'is over before its time is up, without a word on its stream': {
    script: () => ({
      ...agentOf([...events(working), { stall: true }], answer),
      SendMessage: [{ answer: { task: answer } }],
      GetTask: [{ answer }],
    }),
    status: 0,
    out: 'one two\n',
    options: ['--timeout', '4s'],
    // A request of a file that is not over in time has failed, and its task is canceled.
    but: { run: null },
  },
  'tells its words in its history only': {
    script: () => {
      const end = task('TASK_STATE_COMPLETED', { history: [{ ...asks('x').message, messageId: 'of-the-agent' }, says('in the history')] });
      return { ...agentOf(events(working, statusUpdate('TASK_STATE_COMPLETED')), end), GetTask: [{ answer: end }] };
    },
    status: 0,
    out: 'in the history\n',
  },
  'tells its words in its final status only': {
    script: () =>
      agentOf(events(working, statusUpdate('TASK_STATE_COMPLETED', says('the end'))), withWords('TASK_STATE_COMPLETED', 'the end')),
    status: 0,
    out: 'the end\n',
    err: /completed\n$/,
  },
  'makes two artifacts in turn': {
    script: () =>
      agentOf(
        events(
          working,
          piece('a', 'Alpha ', false),
          piece('b', 'Gamma ', false),
          piece('a', 'Beta', true, true),
          piece('b', 'Delta', true, true),
          statusUpdate('TASK_STATE_COMPLETED'),
        ),
        withParts('TASK_STATE_COMPLETED', { a: [{ text: 'Alpha Beta' }], b: [{ text: 'Gamma Delta' }] }),
      ),
    status: 0,
    out: 'Alpha Beta\n\nGamma Delta\n',
  },
};
