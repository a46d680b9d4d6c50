import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import type { Message } from '../../src/protocol/message/message.ts';
import { eventually } from '../support/eventually.ts';
import { picture } from '../support/vscode/picture.ts';
import { Stage } from '../support/vscode/stage.ts';

suite('a conversation that is run again', function () {
  // Each goes on where the one before ended.
  this.bail(true);
  let stage: Stage;
  let painter: ScriptedAgent;
  /** It asks about each new task, in the version of now. */
  let asks = false;
  let answer = 'Painted red';
  let count = 0;
  suiteSetup(async () => {
    const says = (text: string): Message => ({ messageId: `m${count}`, role: 'ROLE_AGENT', parts: [{ text }] });
    painter = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) => {
          count++;
          const id = params?.message.taskId ?? `t${count}`;
          const isQuestion = asks && params?.message.taskId === undefined && count % 3 === 0;
          const status = isQuestion
            ? { state: 'TASK_STATE_INPUT_REQUIRED' as const, message: says('Which shade?') }
            : { state: 'TASK_STATE_COMPLETED' as const, message: says(answer) };
          return [{ event: { task: { id, contextId: `c-${params?.message.contextId ?? count}`, status } } }];
        },
      },
    });
    await painter.start();
    stage = await Stage.open({ agents: { Painter: painter.url }, withAgents: ['Currency'], pace: 0 });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await painter.stop();
  });

  test('with the same agent: its question gets the answer of before', async () => {
    const chat = await stage.newChat('Currency');
    await chat.send('How much is 10 USD?');
    await chat.shows(/currency/i);
    await chat.idle();
    await chat.send('EUR');
    await chat.shows(/completed/i);
    await chat.idle();
    await stage.workbench.command('A2A: Run Again…');
    await picture(stage.workbench, 'run-again-agent');
    await stage.workbench.pick('Currency');
    await stage.workbench.answer('1');
    await stage.workbench.notified('"How much is 10 USD?" ran again: the same answers.');
    const tree = await stage.tree();
    await tree.expand('Currency');
    await tree.item('Run 2: How much').waitFor();
    await stage.chat('Currency').shows(/completed/i);
    await picture(stage.workbench, 'run-again-done');
  });

  test('a new question waits for the person in the chat, and the rest is sent after the answer', async () => {
    const chat = await stage.newChat('Painter');
    for (const words of ['Paint it', 'Frame it']) {
      await chat.send(words);
      await chat.idle();
    }
    [asks, count] = [true, 2];
    const tree = await stage.tree();
    await tree.expand('Painter');
    await tree.contextMenu('Paint it', 'Run Again…');
    await stage.workbench.pick('Painter');
    await stage.workbench.answer('1');
    const waiting = await stage.workbench.notified(/message 1 of 2 waits for you/);
    await stage.chat('Painter').shows('Which shade?');
    await picture(stage.workbench, 'run-again-waits');
    await stage.chat('Painter').send('Dark');
    await stage.workbench.notified('"Paint it" ran again: turn 1 differs.');
    await waiting.waitFor({ state: 'detached' });
    const text = await stage.chat('Painter').text();
    assert.ok(/Paint it[^]*Which shade\?[^]*Dark[^]*Frame it/.test(text), text);
  });

  test('from one message on, by the button below it', async () => {
    asks = false;
    const tree = await stage.tree();
    await tree.select(/^Paint it/);
    await stage.chat('Painter').shows('Frame it');
    const frame = await stage.chat('Painter').frame();
    const row = frame.locator('.row', { hasText: 'Frame it' }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Run Again from Here…' }).click();
    await stage.workbench.pick('Painter');
    await stage.workbench.answer('1');
    await tree.item('Run 2: Frame it').waitFor();
    await eventually(async () => {
      const text = await stage.chat('Painter').text();
      assert.ok(text.includes('Frame it') && !text.includes('Paint it'), text);
    });
  });

  test('when its agent is back, with a mark at its row, and what differs is told', async () => {
    const tree = await stage.tree();
    await tree.contextMenu(/^Paint it/, 'Toggle Run Again on Restart');
    await tree.item(/runs on restart/).waitFor();
    const { port } = new URL(painter.url);
    await painter.stop();
    answer = 'Painted blue';
    await tree.item(/^Painter.*unreachable/).waitFor({ timeout: 100_000 });
    await painter.start(Number(port));
    await tree.item('Run 3: Paint it').waitFor();
    await stage.workbench.notified('"Paint it" ran again: turn 1 differs.');
    await picture(stage.workbench, 'run-again-restart');
  });
});
