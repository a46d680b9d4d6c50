import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import type { Step } from '../../../src/mock/script.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import type { SendMessageParams } from '../../../src/protocol/message/operations.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';

const levels = 100_000;
const deep = '['.repeat(levels) + ']'.repeat(levels);
const deepObject = `${'{"data":'.repeat(levels)}1${'}'.repeat(levels)}`;
const send: SendMessageParams = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
const head = (type: string, status = 200): Step => ({ status, headers: { 'content-type': type } });

/** Everything that an agent can nest, in an answer of its own. `says`: what is told of it, where the agent has said more than its depth. */
const answers: Readonly<Record<string, { readonly body: string; readonly status?: number; readonly says?: RegExp }>> = {
  'a result': { body: `{"jsonrpc":"2.0","id":1,"result":${deep}}`, says: /nesting levels/ },
  "a task's metadata": {
    body: `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"},"metadata":{"a":${deep}}}}}`,
    says: /nesting levels/,
  },
  "an error's data": {
    body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"wrong parts","data":${deep}}}`,
    says: /wrong parts/,
  },
  'an error inside of errors': {
    body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broke","data":${deepObject}}}`,
    says: /broke/,
  },
  "an error's message": { body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":${deep}}}`, says: /InvalidParams/ },
  "an error's details": {
    body: `{"error":{"code":400,"status":"X","message":"bad request","details":[${deepObject}]}}`,
    status: 400,
    says: /bad request/,
  },
  'the detail of a framework': { body: `{"detail":${deep}}`, status: 422 },
  'the id': { body: `{"jsonrpc":"2.0","id":${deep},"error":{"code":-32602,"message":"wrong id"}}`, says: /wrong id/ },
  'the version of the envelope': {
    body: `{"jsonrpc":${deep},"id":1,"error":{"code":-32602,"message":"wrong version"}}`,
    says: /wrong version/,
  },
  'an answer that is no object': { body: deep },
};

suite('JSON without end in its depth', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const judge = (error: unknown, says?: RegExp): void => {
    assert.ok(error instanceof Problem, String(error));
    assert.notEqual(error.code, 'defect');
    if (says !== undefined) assert.match(error.message, says);
    assert.doesNotThrow(() => JSON.stringify(error.sentence));
  };

  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    for (const [name, { body, status, says }] of Object.entries(answers)) {
      test(`${name} over ${binding}: an answer, an event, and a body as it was written`, async () => {
        const { client, log } = await open.spoken(
          {
            SendMessage: [head('application/json', status), { raw: body }],
            SendStreamingMessage: [head('text/event-stream'), { raw: `data: ${body}\n\n` }],
          },
          '1.0',
          { binding },
        );
        // What has no envelope in HTTP+JSON is read as the answer itself.
        const told = binding === 'JSONRPC' ? says : undefined;
        judge(
          await client.call('SendMessage', send, { log }).then(
            () => assert.fail('an answer'),
            (error: unknown) => error,
          ),
          told,
        );
        judge((await drain(client.stream('SendStreamingMessage', send, { log }))).error, status === undefined ? told : undefined);
        if (binding !== 'JSONRPC') return;
        const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: send });
        judge((await drain(client.sendRaw(raw, { log }))).error, told);
      });
    }
  }

  for (const [name, body] of Object.entries({
    list: deep,
    skills: `{"name":"a","supportedInterfaces":[],"skills":${deep}}`,
    wrapped: deepObject,
  })) {
    test(`a card: ${name}`, async () => {
      const url = await open.web((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
      const error = await resolveAgentCard(url, { http: open.http() }).then(
        () => assert.fail('a card'),
        (problem: unknown) => problem,
      );
      judge(error, /the limit of 256 nesting levels/);
    });
  }
});
