import * as assert from 'node:assert/strict';
import { TaskFollower } from '../../../src/cli/terminal/follow.ts';
import { noLog } from '../../../src/cli/terminal/terminal.ts';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { noAllowance } from '../../support/noAllowance.ts';

suite('a stream that stays open after its end is left, in a terminal', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const events = [{ task: task('TASK_STATE_SUBMITTED') }, chunk('one', false, true), statusUpdate('TASK_STATE_COMPLETED')].map(event => ({
    event,
  }));
  const lasting: Readonly<Record<string, readonly [script: Script, out: string]>> = {
    'says nothing more': [{ SendStreamingMessage: [...events, { stall: true }] }, 'one\n'],
    'said a message': [{ SendStreamingMessage: [{ event: { message: says('hi') } }, { stall: true }] }, 'hi\n'],
    'keeps itself alive': [
      {
        async *SendStreamingMessage() {
          yield* events;
          for (;;) {
            yield { raw: ': alive\n\n' };
            yield { delay: 10 };
          }
        },
      },
      'one\n',
    ],
    'says no answer, and none when it is asked': [
      { SendStreamingMessage: [events[0]!, events[2]!, { stall: true }], GetTask: [{ stall: true }] },
      '',
    ],
  };
  for (const [title, [script, wanted]] of Object.entries(lasting)) {
    test(`one that ${title}`, async () => {
      const { client, http } = await open.spoken(script);
      const never = new AbortController().signal;
      const follow = new TaskFollower({ values: {}, http, signal: never, giveUp: never, log: noLog, allowance: noAllowance }, client, {
        linger: 50,
        lateAnswer: 50,
      });
      let out = '';
      const { stdout, stderr } = process;
      const own = [stdout, stderr].map(stream => stream.write);
      stdout.write = text => (out += String(text)) !== undefined;
      stderr.write = () => true;
      const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'x' }] };
      try {
        assert.equal(await follow.stream('SendStreamingMessage', { message }), 0);
      } finally {
        [stdout.write, stderr.write] = own as [typeof stdout.write, typeof stderr.write];
      }
      assert.equal(out, wanted);
    });
  }
});
