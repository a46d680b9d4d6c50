import * as assert from 'node:assert/strict';
import type { DebugSession } from 'vscode';
import { Http } from '../../../src/client/http/http.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
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
});
