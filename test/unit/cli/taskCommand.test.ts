import * as assert from 'node:assert/strict';
import { taskCommand } from '../../../src/cli/terminal/usage.ts';

test('a command about a task is one that a shell takes as it is, whatever the id', () => {
  assert.equal(taskCommand('get', 'http://127.0.0.1:41241/', 'a-1'), 'a2a task get http://127.0.0.1:41241/ a-1');
  assert.equal(taskCommand('subscribe', 'My Agent', "t'; rm -rf ~"), `a2a task subscribe 'My Agent' 't'\\''; rm -rf ~'`);
  assert.equal(taskCommand('subscribe', undefined, 'x'), 'a2a task subscribe URL x');
});
