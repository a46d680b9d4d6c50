import * as assert from 'node:assert/strict';
import { headerOptions } from '../../../src/cli/terminal/headerOptions.ts';
import { UsageError } from '../../../src/cli/terminal/usage.ts';

/** What goes to all, and what to each of the agents. */
function read(line: string, agents: readonly string[]) {
  const { all, of } = headerOptions([line], agents);
  return { all, own: Object.fromEntries(agents.flatMap(agent => (Object.keys(of(agent)).length > 0 ? [[agent, of(agent)]] : []))) };
}

suite('headers on the command line of a run', () => {
  const agents = ['Currency', 'http://127.0.0.1:9001/', 'http://127.0.0.1', 'Team', 'X-Api-Key', 'Author', 'https://auth.test'];

  const taken: Readonly<Record<string, ReturnType<typeof read>>> = {
    'X-Team: docs': { all: { 'X-Team': 'docs' }, own: {} },
    'Authorization: Bearer abc': { all: { Authorization: 'Bearer abc' }, own: {} },
    'Authorization: user:pass-word:x': { all: { Authorization: 'user:pass-word:x' }, own: {} },
    'X-Callback: https://auth-server:8080/a': { all: { 'X-Callback': 'https://auth-server:8080/a' }, own: {} },
    'X-Meta: token:abc': { all: { 'X-Meta': 'token:abc' }, own: {} },
    'X-Api-Key: secret': { all: { 'X-Api-Key': 'secret' }, own: {} },
    'Currency: X-Team: docs': { all: {}, own: { Currency: { 'X-Team': 'docs' } } },
    'Currency: Authorization:Bearer abc': { all: {}, own: { Currency: { Authorization: 'Bearer abc' } } },
    'Author: Authorization: Bearer abc': { all: {}, own: { Author: { Authorization: 'Bearer abc' } } },
    'https://auth.test: X-Team:docs': { all: {}, own: { 'https://auth.test': { 'X-Team': 'docs' } } },
    'http://127.0.0.1: Authorization: Bearer abc': { all: {}, own: { 'http://127.0.0.1': { Authorization: 'Bearer abc' } } },
    'http://127.0.0.1:9001/: Authorization: Bearer abc': { all: {}, own: { 'http://127.0.0.1:9001/': { Authorization: 'Bearer abc' } } },
  };
  for (const [line, expected] of Object.entries(taken)) test(line, () => assert.deepEqual(read(line, agents), expected));

  const refused: Readonly<Record<string, RegExp>> = {
    // A value with a colon, and a file that calls an agent as the header is called.
    'X-Api-Key: key:secret': /"X-Api-Key" is the name of a header and of an agent/,
    // Names and addresses that go on: what is known is only their beginning.
    'http://127.0.0.1:9002: Authorization: Bearer abc': /the agent "http:\/\/127\.0\.0\.1:9002", which neither/,
    'http://127.0.0.1:9002: X-Team: docs': /the agent "http:\/\/127\.0\.0\.1:9002", which neither/,
    'Team: Beta: Authorization: Bearer abc': /the agent "Team: Beta", which neither/,
    'Currecy: Authorization: Bearer abc': /the agent "Currecy", which neither/,
    'Currecy: Authorization:Bearer abc': /the agent "Currecy", which neither/,
    'Authr: Authorization: Bearer abc': /the agent "Authr", which neither/,
    'Authr: Authorization:Bearer abc': /the agent "Authr", which neither/,
    'Currecy: X-Api-Key:abc': /the agent "Currecy", which neither/,
  };
  for (const [line, message] of Object.entries(refused))
    test(`${line} is refused, and its value not told`, () =>
      assert.throws(
        () => read(line, agents),
        (error: unknown) => error instanceof UsageError && message.test(error.message) && !/abc|secret/.test(error.message),
      ));
});
