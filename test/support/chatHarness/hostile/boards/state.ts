import type { ChatState, Referral, ShownVersion } from '../../../../../src/chat/host/chatState.ts';
import { idleState, snapshotOf, task } from '../../story.ts';
import { type Attack, type Board, eachSink } from '../board.ts';

/** Everything that the panel shows about the agent and an empty context. */
const words: Readonly<Record<string, (text: string) => Partial<ChatState>>> = {
  agent: agent => ({ agent }),
  'agent: description': description => ({ description }),
  interface: text => ({ interface: text }),
  title: title => ({ title }),
  'context id': contextId => ({ contextId }),
  example: text => ({ examples: [text, text] }),
  'required extension': text => ({ extensions: { known: 1, on: 0, missing: [text] } }),
};

const version = (facts: Partial<ShownVersion>): ShownVersion => ({
  seq: 1,
  taskId: 't-0',
  artifactId: 'a',
  name: 'x',
  history: 0,
  version: 1,
  of: 2,
  ...facts,
});

const artifacts: Readonly<Record<string, (text: string) => ShownVersion>> = {
  'version: name': name => version({ name }),
  'version: artifact': artifactId => version({ artifactId, name: '' }),
  'version: task': taskId => version({ taskId }),
};

const references: Readonly<Record<string, (text: string) => Referral>> = {
  'chip: task': taskId => ({ taskId }),
  'chip: artifact': artifactId => ({ taskId: 't-0', artifactId }),
};

/** What the host answers to a request that fails. */
const failure = ['failure', 'failure: next step'];

/** Header, empty transcript and composer. */
export const state: Board = {
  page: 'chat',
  batch: 1,
  steps: 250,
  sinks: [...Object.keys(words), ...Object.keys(artifacts), ...Object.keys(references), 'task: title', 'task: id', ...failure],
  answers: { ready: { result: snapshotOf([]) } },
  show(attacks) {
    const [attack = String] = attacks;
    return {
      answers: { stop: { error: { message: attack('failure'), nextStep: attack('failure: next step') } } },
      messages: [
        { type: 'event', name: 'state', value: stateOf(attack) },
        { type: 'event', name: 'refer', value: eachSink(references, attack) },
      ],
      // The menu of targets; the offers of `@`; a request that fails; a message that waits for an extension.
      presses: [
        '.target [aria-haspopup]',
        '.composer .codicon-mention',
        '.mention',
        'button.send',
        '.stop',
        '.composer .chips .codicon-close',
      ],
    };
  },
};

function stateOf(attack: Attack): ChatState {
  return {
    ...idleState,
    ...(Object.assign({}, ...eachSink(words, attack)) as Partial<ChatState>),
    artifacts: eachSink(artifacts, attack),
    running: true,
    tasks: [task('t-0', 'TASK_STATE_INPUT_REQUIRED', attack('task: title'), 0), task(attack('task: id'), 'TASK_STATE_WORKING', '', 0)],
    waitingTaskId: 't-0',
  };
}
