import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import * as assert from 'node:assert/strict';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { claim } from '../../support/chatHarness/forms.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../support/vscode/stage.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';

suite('forms and the wire', () => {
  let stage: Stage;
  let agent: ScriptedAgent;
  const got: (readonly Part[])[] = [];
  suiteSetup(async () => {
    const asks: Task = {
      id: 't',
      contextId: 'c',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'What shall be paid back?' }, { data: claim }] },
      },
    };
    agent = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: request => {
          got.push(request.params?.message.parts ?? []);
          return [{ event: { task: got.length === 1 ? asks : { ...asks, status: { state: 'TASK_STATE_COMPLETED' } } } }];
        },
      },
    });
    await agent.start();
    stage = await Stage.open({ agents: { Treasurer: agent.url } });
  });
  suiteTeardown(async () => {
    await stage.close();
    await agent.stop();
  });

  test('a question with a schema is a form; its answer arrives as data in the same task', async () => {
    const chat = await stage.newChat('Treasurer');
    await chat.send('Pay me back.');
    const frame = await chat.frame();
    const form = frame.locator('.form');
    await form.getByLabel('Amount').fill('12.5');
    await form.getByLabel('Currency').selectOption('EUR');
    await stage.workbench.screenshot('form');
    await frame.getByRole('button', { name: 'Write as JSON' }).click();
    const json = frame.getByLabel('Data as JSON');
    await json.fill('{"amount":-1}');
    await frame.getByText('/amount should be at least 0').waitFor();
    await frame.getByRole('button', { name: 'Send with 3 Faults' }).waitFor();
    await json.fill('{"date":"2026-11-20","amount":-9007199254740993,"currency":"EUR","paid":false,"claimId":"c-17"}');
    await frame.getByRole('button', { name: 'Back to the Fields' }).click();
    await frame.getByRole('button', { name: 'Send Form' }).click();
    // One validator for both views, and nothing was sent.
    await form.getByText('Should be at least 0').waitFor();
    assert.equal(got.length, 1);
    assert.equal(await form.getByLabel('Amount').inputValue(), '-9007199254740993');
    await form.getByLabel('Amount').fill('9007199254740993');
    await frame.getByRole('button', { name: 'Send Form' }).click();
    await chat.shows(/completed/i);
    assert.deepEqual(got[1], [
      {
        data: { claimId: 'c-17', date: '2026-11-20', amount: new ExactNumber('9007199254740993'), currency: 'EUR', paid: false },
        mediaType: 'application/json',
      },
    ]);
    await frame.getByRole('definition').filter({ hasText: '9007199254740993' }).waitFor();
  });

  test('the wire has both exchanges with their events; one leads back, and is copied as a command', async () => {
    const chat = stage.chat('Treasurer');
    const frame = await chat.frame();
    await frame.getByRole('tab', { name: 'Wire' }).click();
    const requests = frame.locator('.wire-row', { hasText: 'SendStreamingMessage' });
    await eventually(async () => assert.equal(await requests.count(), 2));
    const detail = frame.locator('.wire-detail');
    await frame.locator('.wire-row', { hasText: '▸ completed' }).last().click();
    await detail.getByText('TASK_STATE_COMPLETED').first().waitFor();
    await requests.last().click();
    await detail.getByText('"method": "SendStreamingMessage"').waitFor();
    await detail.getByText('"amount": 9007199254740993').waitFor();
    await stage.workbench.screenshot('wire');
    await detail.getByRole('button', { name: 'Copy as cURL' }).click();
    await detail.getByRole('button', { name: 'Copy as Request File' }).click();
    await detail.getByRole('button', { name: 'Show in Conversation' }).click();
    await frame.getByRole('log').waitFor();
    assert.equal(await shownText(frame.getByRole('alert')), '');
  });
});
