import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentClient } from '../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../src/client/http/http.ts';
import { loadObserver } from '../../src/conformance/rules/loadedRules.ts';
import { sendOptionsOf } from '../../src/model/contexts/chatMessage.ts';
import type { Part } from '../../src/protocol/message/part.ts';
import { messageParts } from '../../src/workbench/chat/drafts/messageParts.ts';
import type { MatrixAgent } from './matrix/matrixAgent.ts';
import { Muted } from './matrix/muted.ts';
import { rows } from './matrix/rows.ts';
import { servers } from './matrix/servers.ts';

/** Every byte there is, so that no encoding on the way leaves it as it is by luck. */
const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256);

/** What the composer makes of text, a file and data arrives at agents built with the SDKs as it was, in every generation over every binding. */
suite('composed messages', () => {
  const muted = new Muted();
  const agents = new Map<string, Promise<MatrixAgent>>();
  let http: Http;
  suiteSetup(() => {
    http = new Http({ loadObserver });
    muted.start();
  });
  suiteTeardown(async () => {
    muted.stop();
    await http.close();
    for (const agent of agents.values()) await (await agent).stop();
  });

  // The task API has no messages of parts.
  for (const row of rows.filter(({ data }) => data !== true)) {
    const { generation, binding, server } = row;
    test(`${generation}, ${binding}, ${servers[server].title}`, async () => {
      const key = server === 'mock' ? `${generation} ${binding}` : server;
      const started = agents.get(key) ?? servers[server].start(row);
      agents.set(key, started);
      const { card, cardUrl, agentUrl } = await resolveAgentCard((await started).url, { http });
      const claimed = row.unclaimed && card.supportedInterfaces.find(entry => entry.protocolBinding === binding)?.url;
      const chosen = chooseInterface(card, cardUrl, { protocolBinding: binding, protocolVersion: generation, url: claimed });
      const client = new AgentClient({ card, chosen, http, agentUrl, approvedOrigins: new Set([new URL(chosen.interface.url).origin]) });

      const composed = await messageParts(
        [
          { kind: 'file', id: 'f', name: 'Ünicode 二.bin', mediaType: 'application/x-harbour', size: bytes.length },
          { kind: 'data', id: 'd', json: '{ "wind": [7, { "gusts": true }] }' },
        ],
        '{ "user": "ada" }',
        () => Promise.resolve(bytes),
      );
      const {
        parts,
        message: facts,
        configuration,
      } = sendOptionsOf(
        { text: 'paint', textAt: 1, outputModes: ['text/plain'], ...composed },
        { taskState: () => undefined, artifacts: () => [] },
      );
      const message = { messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [...parts], ...facts };
      const { result } = await client.call('SendMessage', { message, configuration });
      assert.ok('task' in result);

      const { result: task } = await client.call('GetTask', { id: result.task.id, historyLength: 10 });
      const arrived = task.history?.find(({ role }) => role === 'ROLE_USER');
      const forgetsNames = server.startsWith('sdk') && binding !== 'JSONRPC' && generation !== '1.0';
      assert.deepEqual(
        arrived?.parts.map(part => said(part, forgetsNames)),
        parts.map(part => said(part, forgetsNames)),
      );
      assert.deepEqual(arrived.metadata, { user: 'ada' });
    });
  }

  /** A part as far as the generation says it. `nameless`: the SDKs' protobuf forms of 0.3 drop what they read as a file's name. */
  function said(part: Part, nameless: boolean): unknown {
    if ('raw' in part)
      return {
        bytes: Buffer.from(part.raw, 'base64').equals(bytes),
        filename: nameless ? undefined : part.filename,
        mediaType: part.mediaType,
      };
    return 'text' in part ? { text: part.text } : 'data' in part ? { data: part.data } : { url: part.url };
  }
});
