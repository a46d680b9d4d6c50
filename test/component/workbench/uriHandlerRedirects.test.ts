import * as assert from 'node:assert/strict';
import { Problem } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { uriHandlerRedirects } = await import('../../../src/workbench/signIn/uriHandlerRedirects.ts');
const { handleAddresses, ownAddress } = await import('../../../src/workbench/network/addressHandler.ts');

interface Handler {
  handleUri(uri: { readonly path?: string; readonly query: string }): void;
}

suite('a sign-in whose browser is on another machine', () => {
  const handlers: Handler[] = [];
  const asked: string[] = [];
  let restore: (() => void)[] = [];
  setup(() => {
    restore = [
      inPlaceOf('window', {
        registerUriHandler: (handler: Handler) => {
          handlers.push(handler);
          return { dispose: () => {} };
        },
      }),
      inPlaceOf('env', {
        uriScheme: 'code-oss',
        asExternalUri: async (uri: { toString(): string }) => {
          asked.push(uri.toString());
          return { toString: (raw: boolean) => `https://window.example/callback?vscode-reqid=7&raw=${raw}` };
        },
      }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  /** What VS Code gives to the handler: it has decoded the query. */
  const comesBack = (query: string): void => handlers[0]!.handleUri({ query: decodeURIComponent(query) });

  test('the address is the one that VS Code forwards, as it is written', async () => {
    const { uri } = await uriHandlerRedirects();
    assert.equal(uri, 'https://window.example/callback?vscode-reqid=7&raw=true');
    assert.deepEqual(asked, ['code-oss://a2a-workbench.a2a-workbench/signed-in']);
  });

  test('each answer goes to the sign-in of its state, and one handler serves all', async () => {
    const { signal } = new AbortController();
    const [one, other] = await Promise.all([uriHandlerRedirects(), uriHandlerRedirects()]);
    const [first, second] = [one.received('s-1', signal), other.received('s-2', signal)];
    comesBack('code=nobody&state=s-3');
    comesBack('code=nobody');
    comesBack('code=two&state=s-2');
    comesBack('code=one&state=s-1');
    assert.deepEqual([(await first).searchParams.get('code'), (await second).searchParams.get('code')], ['one', 'two']);
    assert.equal(handlers.length, 1);
  });

  test('a code with plus signs and slashes stays as it is, and words are read as such', async () => {
    const { received } = await uriHandlerRedirects();
    const { signal } = new AbortController();
    const code = received('s', signal);
    comesBack(`code=${encodeURIComponent('4/0A+b/c==')}&state=s`);
    assert.equal((await code).searchParams.get('code'), '4/0A+b/c==');
    const refused = received('s', signal);
    comesBack('error=access_denied&error_description=The+person+said+no.&state=s');
    assert.equal((await refused).searchParams.get('error_description'), 'The person said no.');
  });

  test('an address with a path of its own goes to the handler of that path, by the same registration', async () => {
    const { received } = await uriHandlerRedirects();
    const opened: string[] = [];
    handleAddresses(({ query }) => opened.push(query), '/open');
    const signedIn = received('s-open', new AbortController().signal);
    handlers[0]!.handleUri({ path: '/open', query: 'agent=Ann&state=s-open' });
    handlers[0]!.handleUri({ path: '/signed-in', query: 'code=c&state=s-open' });
    assert.equal((await signedIn).searchParams.get('code'), 'c');
    assert.deepEqual(opened, ['agent=Ann&state=s-open']);
    assert.equal(handlers.length, 1);
    assert.equal(ownAddress('/signed-in'), 'code-oss://a2a-workbench.a2a-workbench/signed-in');
  });

  test('who cancels waits no longer, and what comes then is heard by nobody', async () => {
    const { received } = await uriHandlerRedirects();
    const canceling = new AbortController();
    const waits = received('s', canceling.signal);
    canceling.abort();
    await assert.rejects(waits, (error: unknown) => error instanceof Problem && error.code === 'sign-in-canceled');
    comesBack('code=late&state=s');
    await assert.rejects(received('s', AbortSignal.abort()), Problem);
  });
});
