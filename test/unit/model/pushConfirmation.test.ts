import * as assert from 'node:assert/strict';
import { confirms } from '../../../src/model/notifications/configurations.ts';

suite('a created push notification configuration', () => {
  const asked = { taskId: 't', url: 'http://127.0.0.1:4000' };
  const rows = {
    'is confirmed as it was asked for': [asked, true],
    'is confirmed with the address written otherwise': [{ ...asked, url: 'http://127.0.0.1:4000/' }, true],
    'is confirmed by an answer without task and address': [{ taskId: '', url: '' }, true],
    'is not confirmed for another task': [{ ...asked, taskId: 'other' }, false],
    'is not confirmed for another address': [{ ...asked, url: 'http://127.0.0.1:1/elsewhere' }, false],
    'is not confirmed for what is no address': [{ ...asked, url: 'elsewhere' }, false],
  } as const;
  for (const [what, [answer, expected]] of Object.entries(rows)) test(what, () => assert.equal(confirms(answer, asked), expected));
});
