import * as assert from 'node:assert/strict';
import { configuredHeaders } from '../../../src/client/http/configuredHeaders.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { withSentCredentials } from '../../../src/client/transport/refusedCredentials.ts';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { inTerminal } from '../../../src/protocol/problem.ts';

suite('refused credentials', () => {
  const nextStep = (location: 'query' | 'header'): Promise<string> =>
    nextStepWith({ tool: { apiKeySecurityScheme: { location, name: 'api_key' } } });
  const nextStepWith = async (schemes: AgentCard['securitySchemes']): Promise<string> => {
    const told = await withSentCredentials(new UnauthorizedProblem(401, undefined), {
      headers: configuredHeaders(undefined),
      url: new URL('http://harbour.example/'),
      schemes,
    });
    return told.nextStep === undefined ? '' : inTerminal(told.nextStep);
  };

  test('where the card asks for a key in the address, that is said', async () =>
    assert.match(
      await nextStep('query'),
      /^No credential was sent with this request\. .*API key in the parameter "api_key" of the address: set A2A_SECRET_KEY/,
    ));

  test('a key in a header can be given with --header', async () =>
    assert.match(await nextStep('header'), /^No credential was sent with this request\. .*with --header/));

  test('a credential that was sent is named, and nothing says that none was', async () => {
    const told = await withSentCredentials(new UnauthorizedProblem(401, undefined), {
      headers: configuredHeaders({ 'X-Api-Token': 'abc' }),
      url: new URL('http://harbour.example/'),
      schemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Token' } } },
    });
    assert.equal(told.message, 'The agent refused the credential that was sent (HTTP 401): the header X-Api-Token.');
    assert.doesNotMatch(inTerminal(told.nextStep!), /No credential/);
  });

  for (const [scheme, identity, what] of [
    [{ apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } }, 'default', 'API key X-API-Key (header)'],
    [{ apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } }, 'bob', 'API key X-API-Key (header) of the sign-in "bob"'],
    [{ httpAuthSecurityScheme: { scheme: 'Bearer' } }, 'default', 'bearer token'],
    [{ httpAuthSecurityScheme: { scheme: 'basic' } }, 'default', 'user name and password'],
    [
      { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://login.example/' } },
      'bob',
      'OpenID Connect access token of the sign-in "bob"',
    ],
    [undefined, 'default', '"k"'],
  ] as const)
    test(`a credential of a sign-in is named as people call it: ${what}`, async () => {
      const headers = configuredHeaders(undefined).signedIn({
        credentialsFor: async () => ({ headers: { 'X-Any': 'abc' }, query: {}, schemes: ['k'], identity }),
        renew: async () => false,
      });
      const told = await withSentCredentials(new UnauthorizedProblem(401, undefined), {
        headers,
        url: new URL('http://harbour.example/'),
        schemes: scheme && { k: scheme },
      });
      assert.equal(told.message, `The agent refused the credential that was sent (HTTP 401): ${what}.`);
    });

  for (const [challenge, says] of [
    [undefined, 'The agent requires credentials (HTTP 401). Its card names: API key X-API-Key (header), bearer token.'],
    ['Basic realm="x"', 'The agent requires credentials (HTTP 401): Basic realm="x".'],
  ] as const)
    test(`where no credential was sent, the card names the kind that the answer does not: ${challenge}`, async () => {
      const told = await withSentCredentials(new UnauthorizedProblem(401, challenge), {
        headers: configuredHeaders(undefined),
        url: new URL('http://harbour.example/'),
        schemes: {
          key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
          token: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        },
      });
      assert.equal(told.message, says);
    });

  test('a card without any scheme is not said to ask for one', async () => {
    assert.match(await nextStepWith({}), /^No credential was sent with this request, and the agent card declares none\./);
    assert.match(await nextStepWith(undefined), /that the agent card asks for/);
  });
});
