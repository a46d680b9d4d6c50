import * as assert from 'node:assert/strict';
import { ServerApprovals } from '../../../src/auth/signIns/serverApprovals.ts';
import type { SignInRecipient } from '../../../src/auth/signInRecipient.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { signInPrompts } = await import('../../../src/workbench/signIn/signInPrompts.ts');

interface Shown {
  readonly text: string;
  readonly options: { readonly modal: boolean; readonly detail: string };
  readonly buttons: readonly string[];
}

suite('the question of a window whether a sign-in may be elsewhere', () => {
  const agent = 'https://agent.test';
  const server: SignInRecipient = { origin: 'https://id.test', uses: ['page', 'token'] };
  const other: SignInRecipient = { origin: 'https://stranger.test', uses: ['registration', 'revocation'] };
  let shown: Shown[];
  let answer: string | undefined;
  let restore: () => void;
  setup(() => {
    [shown, answer] = [[], 'Allow'];
    restore = inPlaceOf('window', {
      showWarningMessage: async (text: string, options: Shown['options'], ...buttons: string[]) => {
        shown.push({ text, options, buttons });
        return answer;
      },
    });
  });
  teardown(() => restore());

  const { approve } = signInPrompts('Sign In', { loopback: () => assert.fail(), certificate: () => assert.fail() });
  /** Asks as a sign-in does. */
  async function asked(recipients: readonly SignInRecipient[], scopes: readonly string[]): Promise<Shown> {
    await new ServerApprovals({ agent, named: ['https://files.test'], before: undefined, approve }).require(recipients, scopes);
    return shown[0]!;
  }

  test('is a dialog that names server, agent, scopes and who gets the token', async () => {
    const { text, options, buttons } = await asked([server], ['read', 'write']);
    assert.equal(text, 'Sign in to https://agent.test at https://id.test?');
    assert.equal(options.modal, true);
    assert.deepEqual(options.detail.split('\n\n'), [
      'Scopes requested: "read", "write". The token is for https://agent.test, https://files.test.',
      'The agent card names this address for the sign-in. Your credentials for the agent are sent there. Allow it only if you know it.',
    ]);
    assert.deepEqual(buttons, ['Allow']);
  });

  test('of several servers, it says what each of them does', async () => {
    const { text, options } = await asked([server, other], []);
    assert.equal(text, 'Sign in to https://agent.test at https://id.test, https://stranger.test?');
    const [token, first, second, together] = options.detail.split('\n\n');
    assert.equal(token, 'No scopes are requested. The token is for https://agent.test, https://files.test.');
    assert.match(first!, /^https:\/\/id\.test: you sign in there; gets the code, .*, and issues the tokens$/);
    assert.match(second!, /^https:\/\/stranger\.test: registers the client; gets the tokens .* when you sign out$/);
    assert.match(together!, /^This sign-in uses several servers\./);
  });

  test('makes no link, icon or line of what an agent calls a scope', async () => {
    const { options } = await asked([server], ['[Allow](command:x)\n\n$(check) \u202e']);
    assert.match(
      options.detail.split('\n\n')[0]!,
      /^Scopes requested: "\[Allow\]\u200b\(command:x\)\\n\\n\$\u200b\(check\) ⟨U\+202E⟩"\. The token/,
    );
    assert.equal(options.detail.split('\n\n').length, 2);
  });

  for (const closed of [undefined, 'Cancel'])
    test(`${closed ?? 'Escape'} is a no`, async () => {
      answer = closed;
      await assert.rejects(asked([server], ['read']), { code: 'sign-in-origin' });
      assert.equal(shown.length, 1);
    });
});
