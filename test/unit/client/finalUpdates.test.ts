import * as assert from 'node:assert/strict';
import { finalUpdates } from '../../../src/client/transport/finalUpdates.ts';
import { collect } from '../../../src/protocol/finding.ts';
import { readStreamResponses, versionOf } from '../../../src/protocol/versions/index.ts';

/** A stream of 0.3, an event a word: a state with `!` for final: true, `?` without the member, else final: false; `task:STATE` a task. */
const told = (words: string, protocolVersion = '0.3', form: 'json' | 'proto' = 'json'): readonly string[] => {
  const version = versionOf(protocolVersion)!;
  const used = form === 'proto' ? version.protoForm! : version;
  const { note, findings } = collect();
  const finals = finalUpdates(used);
  for (const word of words.split(' ')) {
    const state = word.replace(/^task:|[!?]$/, '');
    const ids = { taskId: 't', contextId: 'c' };
    const status = { state: form === 'proto' ? `TASK_STATE_${state.toUpperCase()}` : state };
    const final = word.endsWith('?') || (form === 'proto' && !word.endsWith('!')) ? {} : { final: word.endsWith('!') };
    const event =
      state === 'artifact'
        ? { kind: 'artifact-update', ...ids, artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] } }
        : word.startsWith('task:')
          ? { kind: 'task', id: 't', contextId: 'c', status }
          : form === 'proto'
            ? { statusUpdate: { ...ids, status, ...final } }
            : { kind: 'status-update', ...ids, status, ...final };
    finals?.take(
      event,
      readStreamResponses(event, used, () => {}),
      note,
    );
  }
  finals?.end(note);
  return findings.map(({ rule, message }) => `${rule} ${message}`);
};

suite('final of the status updates of a stream', () => {
  const unmarked = (state: string): string => `STRM-12 The stream ended after ${state}, but final of its last status update is not true.`;
  const tooEarly = 'STRM-12 An event follows the status update with final: true, which should be the last one.';

  const cases: Readonly<Record<string, readonly [words: string, found: readonly string[]]>> = {
    'at its end': ['task:submitted working artifact completed!', []],
    'at a question': ['task:submitted working input-required!', []],
    'nowhere, and the task is over': ['task:submitted working completed', [unmarked('completed')]],
    'nowhere, and the task waits': ['working input-required', [unmarked('input-required')]],
    'nowhere, and the task goes on': ['task:submitted working', []],
    'nowhere, in a stream that ends with the task itself': ['working task:completed', []],
    'before the stream goes on': ['working! working completed!', [tooEarly]],
    'before an artifact': ['input-required! artifact completed!', [tooEarly, tooEarly]],
    // That an event comes after the end is another rule's.
    'before an artifact after the end': ['completed! artifact', []],
    "missing, which is another rule's": ['working? completed?', []],
    'in a working task whose stream ends': ['working!', []],
  };
  for (const [where, [words, found]] of Object.entries(cases)) test(where, () => assert.deepEqual(told(words), found));

  test('in the protocol buffers of 0.3, whose JSON leaves false out', () => {
    assert.deepEqual(told('working completed', '0.3', 'proto'), [unmarked('completed')]);
    assert.deepEqual(told('working completed!', '0.3', 'proto'), []);
  });

  test('is nothing of A2A 1.0', () => assert.equal(finalUpdates(versionOf('1.0')!), undefined));
});
