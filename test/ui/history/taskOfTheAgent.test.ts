import * as assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendText } from '../../support/askAgent.ts';
import { eventually } from '../../support/eventually.ts';
import { type StartedSampleAgents, startSampleAgents } from '../../support/sampleAgents.ts';
import { Stage } from '../../support/vscode/stage.ts';

/** Stands before an agent as if it were that one, and lets GetTask wait until it is told to go on. */
async function slowAgent(upstream: string): Promise<{ readonly url: string; readonly server: Server; readonly goOn: () => void }> {
  const { origin } = new URL(upstream);
  let goOn = (): void => undefined;
  const waits = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (body.includes('"GetTask"')) await waits;
      const own = `http://${request.headers.host}`;
      const headers = {
        'content-type': request.headers['content-type'] ?? 'application/json',
        'a2a-version': String(request.headers['a2a-version'] ?? ''),
      };
      const answer = await fetch(origin + request.url, request.method === 'POST' ? { method: 'POST', headers, body } : {});
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end((await answer.text()).replaceAll(origin, own));
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: upstream.replace(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`), server, goOn };
}

suite('a task that only the agent has', () => {
  let stage: Stage;
  let agents: StartedSampleAgents;
  let slow: Awaited<ReturnType<typeof slowAgent>>;
  suiteSetup(async () => {
    agents = await startSampleAgents();
    slow = await slowAgent(agents.urls.Sailboat);
    stage = await Stage.open({ agents: { Harbor: slow.url } });
  });
  suiteTeardown(async () => {
    await stage?.close();
    slow?.server.close();
    slow?.server.closeAllConnections();
    await agents?.stop();
  });

  test('opens with what the agent has: its history, its artifacts, without a time, and the exchange', async () => {
    await sendText(slow.url, 'Draw a red sailboat');
    const tree = await stage.tree();
    await tree.expand('Harbor');
    await tree.item(/sailboat/i).click();
    const chat = stage.chat('Harbor');
    await chat.shows('Loading from the agent…');
    await stage.workbench.screenshot('remote-task-loading');
    slow.goOn();
    await (await chat.locator('.artifact')).first().waitFor();
    await chat.shows('Draw a red sailboat');
    await eventually(async () => assert.equal(await (await chat.frame()).getByText('Loading from the agent…').count(), 0));
    const shown = await chat.text();
    assert.ok(shown.indexOf('Draw a red sailboat') < shown.indexOf('sailboat_image.png'), shown);
    assert.doesNotMatch(shown, /0[.,]0 s/);
    await stage.workbench.screenshot('remote-task-loaded');
    await (await chat.frame()).getByRole('tab', { name: /Wire/ }).click();
    await chat.shows('GetTask');
    await stage.workbench.screenshot('remote-task-wire');
  });
});
