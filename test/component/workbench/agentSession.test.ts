import * as assert from 'node:assert/strict';
import type { DebugSession } from 'vscode';
import { Http } from '../../../src/client/http/http.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { startWorld } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { AgentSession } = await import('../../../src/workbench/debug/agentSession.ts');

suite('a debug session of agents', () => {
  let http: Http;
  const back: (() => void)[] = [];
  setup(() => {
    http = new Http();
  });
  teardown(async () => {
    for (const restore of back.splice(0)) restore();
    await http.close();
  });

  test('another session that begins once ours was stopped is stopped as well', async () => {
    const ours = { id: 'ours', configuration: {} } as unknown as DebugSession;
    const child = { id: 'child', name: 'Program', parentSession: ours };
    const started = new EventEmitter<object>();
    const begins = Promise.withResolvers<boolean>();
    const [asked, stopped]: [unknown[], unknown[]] = [[], []];
    back.push(
      inPlaceOf('debug', {
        onDidStartDebugSession: started.event,
        onDidTerminateDebugSession: new EventEmitter<object>().event,
        startDebugging: (_folder: unknown, name: string) => {
          asked.push(name);
          return begins.promise;
        },
        stopDebugging: async (session: unknown) => void stopped.push(session),
      }),
    );
    const debugged = { add: () => {}, remove: () => {} };
    const needs = { agents: new Agents({ http }), debugged, openChat: async () => {} } as never;
    const session = new AgentSession(
      ours,
      needs,
      () => {},
      () => {},
    );
    // Nothing listens on port 1.
    const agent = { url: 'http://127.0.0.1:1', start: { configuration: 'Program', attaches: false } };
    const launched = session.start({ agents: [agent], open: false });
    await eventually(() => assert.deepEqual(asked, ['Program']));
    await session.stop();
    started.fire(child);
    begins.resolve(true);
    await launched;
    assert.deepEqual(stopped, [child]);
  });

  test('an agent of the settings at another name of this machine is the agent of the session', async () => {
    const world = await startWorld({ version: '1.0', script: {} });
    const { agents } = world.open();
    const child = { id: 'child', name: 'Program', parentSession: { id: 'ours' } };
    const started = new EventEmitter<object>();
    const [added, opened]: [string[], string[]] = [[], []];
    back.push(
      inPlaceOf('debug', {
        onDidStartDebugSession: started.event,
        onDidTerminateDebugSession: new EventEmitter<object>().event,
        startDebugging: async () => {
          started.fire(child);
          return true;
        },
        stopDebugging: async () => {},
      }),
    );
    const debugged = { add: (name: string) => void added.push(name), remove: () => {} };
    const session = new AgentSession(
      { id: 'ours', configuration: {} } as unknown as DebugSession,
      { agents, debugged, openChat: async (name: string) => void opened.push(name) } as never,
      () => {},
      () => {},
    );
    const url = `http://localhost:${new URL(world.agent.url).port}`;
    assert.equal(agents.configuredAt(url), undefined);
    try {
      await session.start({ agents: [{ url, start: { configuration: 'Program', attaches: true } }], open: true });
      await eventually(() => assert.deepEqual(opened, ['Ann']));
      assert.deepEqual(added, []);
    } finally {
      await session.stop();
      await world.close();
    }
  });
});
