import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { confirmCapability, confirmReach, offerForward } = await import('../../../src/workbench/push/confirmations.ts');

const agentAt = (url: string): never => ({ agent: { name: 'Ann', url, chosen: undefined } }) as never;

suite('where the receiver of push notifications is reached', () => {
  let restore: (() => void)[] = [];
  let asked: string[];
  let forwarded: string[];
  let reachedBy: string[];
  const receiver = {
    port: 4711,
    start: () => Promise.resolve(4711),
    reachedBy: (address: string) => void reachedBy.push(address),
  } as never;

  /** @param answer the title of the button that the person presses; undefined for Escape */
  function window(remoteName: string | undefined, answer: string | undefined): void {
    [asked, forwarded, reachedBy] = [[], [], []];
    restore = [
      inPlaceOf('env', {
        remoteName,
        asExternalUri: async (uri: { toString(): string }) => {
          forwarded.push(uri.toString());
          return { toString: (raw: boolean) => (raw ? 'https://4711.tunnels.example/?a=b' : 'https://4711.tunnels.example/?a%3Db') };
        },
      }),
      inPlaceOf('window', {
        showWarningMessage: async (question: string, _options: unknown, ...buttons: string[]) => {
          asked.push(question);
          return buttons.find(button => button === answer);
        },
      }),
    ];
  }
  teardown(() => restore.splice(0).forEach(back => back()));

  test('an agent on this machine needs nothing', async () => {
    window('ssh-remote', 'Forward Port');
    assert.equal(await confirmReach(agentAt('http://127.0.0.1:9/'), receiver), true);
    assert.deepEqual([asked, forwarded], [[], []]);
  });

  test('an agent elsewhere gets the address that VS Code forwards, if the person agrees', async () => {
    window('ssh-remote', 'Forward Port');
    assert.equal(await confirmReach(agentAt('https://agent.example/'), receiver), true);
    assert.match(asked.join(), /"Ann" is on another machine, agent\.example/);
    assert.deepEqual([forwarded, reachedBy], [['http://127.0.0.1:4711/'], ['https://4711.tunnels.example/?a=b']]);
  });

  test('who wants this machine only has no port forwarded, and who wants neither sends nothing', async () => {
    window('ssh-remote', 'This Machine Only');
    assert.equal(await confirmReach(agentAt('https://agent.example/'), receiver), true);
    assert.deepEqual([asked.length, forwarded], [1, []]);
    window('ssh-remote', undefined);
    assert.equal(await confirmReach(agentAt('https://agent.example/'), receiver), false);
    assert.deepEqual(forwarded, []);
  });

  test('without a remote there is nothing to forward: the person is told and may go on', async () => {
    for (const [answer, expected] of [
      ['Receive Anyway', true],
      [undefined, false],
    ] as const) {
      window(undefined, answer);
      assert.equal(await confirmReach(agentAt('https://agent.example/'), receiver), expected);
      assert.deepEqual([asked.length, forwarded], [1, []]);
    }
  });

  test('the menu forwards a receiver that runs', async () => {
    window('ssh-remote', 'Forward Port');
    assert.equal(await offerForward(receiver), 'https://4711.tunnels.example/?a=b');
    window('ssh-remote', undefined);
    assert.equal(await offerForward(receiver), undefined);
    assert.deepEqual(forwarded, []);
  });
  test('an agent whose card has no push notifications is not asked for them, unless the person insists', async () => {
    const context = (pushNotifications: boolean): never =>
      ({ agent: { name: 'Ann', card: { capabilities: { pushNotifications } } } }) as never;
    window(undefined, undefined);
    assert.equal(await confirmCapability(context(true)), true);
    assert.deepEqual(asked, []);
    assert.equal(await confirmCapability(context(false)), false);
    assert.match(asked.join(), /According to its agent card, "Ann" does not support push notifications/);
    restore.splice(0).forEach(back => back());
    window(undefined, 'Try Anyway');
    assert.equal(await confirmCapability(context(false)), true);
  });
});
