import * as assert from 'node:assert/strict';
import { serveGrpcAgent, type GrpcAgent } from '../support/client/grpcAgents.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('agents over gRPC', () => {
  let stage: Stage;
  /** Has a card that its service gives, with interfaces at three addresses. */
  let harbour: GrpcAgent;
  /** The second address of the same, in an older version. */
  let older: GrpcAgent;
  /** Gives no card. */
  let bare: GrpcAgent;
  suiteSetup(async () => {
    [older, bare] = await Promise.all([serveGrpcAgent('0.3'), serveGrpcAgent('1.0')]);
    harbour = await serveGrpcAgent('1.0', {
      card: address => ({
        name: 'Harbour',
        description: 'Knows every ship.',
        version: '7',
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'berth', name: 'Berth', description: 'Finds one.', tags: ['a'] }],
        supportedInterfaces: [
          { url: 'http://127.0.0.1:9/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' },
          { url: older.address, protocolBinding: 'GRPC', protocolVersion: '0.3' },
        ],
      }),
    });
    stage = await Stage.open({ agents: {} });
  });
  suiteTeardown(async () => {
    await stage.close();
    await Promise.all([harbour, older, bare].map(agent => agent.stop()));
  });
  const add = async (url: string): Promise<void> => {
    await stage.workbench.command('A2A: Add Agent…');
    await stage.workbench.answer(url);
  };

  test('one whose service gives its card is added with the interface at its address, and answers', async () => {
    await add(harbour.address);
    const tree = await stage.tree();
    await tree.item(/Harbour.*A2A 1\.0/).waitFor();
    const chat = await stage.newChat('Harbour');
    await chat.shows(/Uses GRPC 1\.0 at /);
    await chat.send('work');
    await chat.shows(/completed/i);
    await stage.workbench.screenshot('grpc-chat');
  });

  test('its interfaces are shown and one is chosen, in the tooltip, the pick and on the wire', async () => {
    const { workbench } = stage;
    const tree = await stage.tree();
    const hover = workbench.page.locator('.monaco-hover:visible');
    await eventually(async () => {
      await workbench.page.mouse.move(640, 500);
      await tree.item('Harbour').first().locator('.label-name').hover();
      assert.match(
        (await hover.first().innerText({ timeout: 2_000 })).replaceAll('\u00a0', ' '),
        /Interface: Uses GRPC 1\.0 at .*, as set in the agent's settings[\s\S]*Other interfaces: JSONRPC 1\.0, GRPC 0\.3/,
      );
    });
    await workbench.screenshot('grpc-tooltip');
    await tree.contextMenu('Harbour', 'Choose Interface…');
    await workbench.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'GRPC 0.3' }).waitFor();
    await workbench.screenshot('grpc-interfaces');
    await workbench.pick('GRPC 0.3');
    await workbench.notified('"Harbour" now uses GRPC 0.3');
    await tree.item(/Harbour.*A2A 0\.3/).waitFor();
    const chat = await stage.newChat('Harbour');
    await chat.send('work');
    await chat.shows(/completed/i);
    await chat.press('Wire');
    await chat.shows('SendStreamingMessage');
    await chat.shows(/GRPC 0\.3|gRPC/);
    await workbench.screenshot('grpc-wire');
  });

  test('one without a card is said to be one, and is added once somebody wants it so', async () => {
    const { workbench } = stage;
    await add(bare.address);
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await eventually(async () => assert.match(await dialog.innerText(), /is an A2A 1\.0 agent over gRPC that gives no agent card/));
    await workbench.screenshot('grpc-without-card');
    await dialog.getByRole('button', { name: 'Add Without Card' }).click();
    const tree = await stage.tree();
    await tree.item(new RegExp(`${bare.address.replaceAll('.', '\\.')}.*A2A 1\\.0`)).waitFor();
    const chat = await stage.newChat(bare.address);
    await chat.send('hello');
    await chat.shows('hi');
  });
});
