import * as assert from 'node:assert/strict';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { endSignIn } = await import('../../../src/workbench/signIn/signInCommands.ts');

suite('the end of a sign-in', () => {
  const at = { url: 'https://a.test/x', identity: 'default' };
  let checked: unknown[];
  let warnings: string[];
  let restore: () => void;
  setup(() => {
    [checked, warnings] = [[], []];
    restore = inPlaceOf('window', { showWarningMessage: async (text: string) => void warnings.push(text) });
  });
  teardown(() => restore());

  const agent = (name: string, addressUrl: string): object => ({
    name,
    addressUrl,
    check: async (how: object) => void checked.push([name, how]),
  });
  const agents = { all: [agent('Ann', 'https://a.test/x/'), agent('Bob', 'https://b.test/'), agent('Cid', 'https://a.test/x')] } as never;

  test('is followed by a check of every agent at its address, without it', async () => {
    assert.equal(await endSignIn(agents, { signOut: async () => undefined }, at), true);
    const how = { anew: true, signedIn: true };
    assert.deepEqual(checked, [
      ['Ann', how],
      ['Cid', how],
    ]);
    assert.deepEqual(warnings, []);
  });

  test('says that a token could not be revoked', async () => {
    const failure = new Problem('unreachable', sentence('Nobody answers.'));
    assert.equal(await endSignIn(agents, { signOut: async () => failure }, at), false);
    assert.deepEqual(warnings, ['Signed out of "Ann" here, but the authorization server was not notified: Nobody answers.']);
  });
});
