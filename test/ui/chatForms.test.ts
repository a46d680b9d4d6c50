import * as assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { axeSays } from '../support/chatHarness/axe.ts';
import { type ChatHarness, type HarnessOptions, themeNames } from '../support/chatHarness/chatHarness.ts';
import { answersOf, question, questionSeq } from '../support/chatHarness/forms.ts';
import { panelBrowser } from '../support/chatHarness/panelBrowser.ts';
import { idleState, snapshotOf } from '../support/chatHarness/story.ts';

suite('chat panel: forms', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({ snapshot: question(), answers: answersOf(), ...options });
    await panel.page.locator('.form').waitFor();
  };
  const field = (name: string): ReturnType<ChatHarness['page']['locator']> => panel.page.getByLabel(name);
  const sent = async (): Promise<unknown> => (await panel.sent('sendForm')).map(({ params }) => params);
  const send = (): Promise<void> => panel.page.getByRole('button', { name: 'Send form' }).click();

  for (const theme of themeNames) {
    test(`a form in ${theme}: nothing for axe to say`, async () => {
      await open({ theme, height: 1100 });
      await send();
      await panel.page.getByText('This is needed.').first().waitFor();
      assert.deepEqual(await axeSays(panel.page), []);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  test('what is known stands there; it is filled in with the keyboard and sent as data, with words', async () => {
    await open();
    assert.equal(await field('Day of the purchase').inputValue(), '2026-11-20');
    await field('Amount').fill('12,5');
    await field('Currency').selectOption('EUR');
    await field('Purpose').fill('A new anchor');
    await field('Paid in cash').check();
    await panel.page.getByRole('group', { name: 'Projects' }).getByLabel('Mole').check();
    await field('Witnesses').fill('Ada\nAlan');
    await field('Words to go with it').fill('Thank you.');
    await field('Words to go with it').press('Enter');
    await eventually(async () => assert.deepEqual(await sent(), [{
      seq: questionSeq, text: 'Thank you.',
      data: { claimId: 'c-17', date: '2026-11-20', amount: 12.5, currency: 'EUR', purpose: 'A new anchor', paid: true, projects: ['Mole'], witnesses: ['Ada', 'Alan'] },
    }]));
  });

  test('what is wrong is said beside its field once it is left; nothing is sent, and the first wrong field has the focus', async () => {
    await open();
    await field('Amount').fill('-1');
    assert.equal(await panel.page.getByText('At least 0.').count(), 0);
    await field('Amount').blur();
    await panel.page.getByText('At least 0.').waitFor();
    assert.equal(await field('Amount').getAttribute('aria-invalid'), 'true');
    await field('Amount').fill('1');
    assert.equal(await panel.page.getByText('At least 0.').count(), 0);
    await send();
    assert.equal(await field('Currency').evaluate(element => element === document.activeElement), true);
    assert.deepEqual(await sent(), []);
  });

  test('as JSON: it begins with what is filled in, and says what breaks the schema as one types', async () => {
    await open();
    await field('Amount').fill('3');
    await panel.answer({ checkForm: { result: [{ pointer: '/currency', message: 'should be one of <b>["EUR"]</b>' }] } });
    await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
    const editor = field('Data as JSON');
    assert.deepEqual(JSON.parse(await editor.inputValue()), { claimId: 'c-17', date: '2026-11-20', amount: 3, paid: false });
    await panel.page.getByText('/currency should be one of <b>["EUR"]</b>').waitFor();
    await editor.fill('{');
    await panel.page.getByText('This is no JSON').waitFor();
    await send();
    assert.deepEqual(await sent(), []);
    await editor.fill('{"amount":4}');
    await editor.press('Control+Enter');
    await eventually(async () => assert.deepEqual(await sent(), [{ seq: questionSeq, data: { amount: 4 } }]));
  });

  test('what is typed outlives the page, and is forgotten when it is sent', async () => {
    await open();
    await field('Purpose').fill('half a thought');
    const kept = await panel.kept();
    await panel.close();
    await open({ kept });
    assert.equal(await field('Purpose').inputValue(), 'half a thought');
    await field('Amount').fill('1');
    await field('Currency').selectOption('JPY');
    await send();
    await eventually(async () => assert.deepEqual(Object.keys(await panel.kept() as object), ['context', 'draft']));
  });

  test('an answer that the host refuses stays, with the error', async () => {
    await open({ answers: { ...answersOf(), sendForm: { error: { message: 'Nothing listens there.' } } } });
    await field('Amount').fill('1');
    await field('Currency').selectOption('JPY');
    await send();
    await panel.page.getByRole('alert').getByText('Nothing listens there.').waitFor();
    assert.equal(await field('Amount').inputValue(), '1');
  });

  test('a task that waits no longer has no form, and shows the data it asked with', async () => {
    await open();
    const done = { ...question().entries[1]!, seq: 9, state: 'TASK_STATE_COMPLETED', message: undefined };
    await panel.post({ type: 'event', name: 'updates', value: [{ type: 'put', entry: done }] });
    assert.equal(await panel.page.locator('.form').count(), 0);
    await panel.page.locator('.tree').getByText('Receipts come later.').waitFor();
  });

  test('the form of a card is there on demand, and starts a task', async () => {
    panel = await openPanel({ snapshot: snapshotOf([], { ...idleState, takesForm: true }), answers: answersOf({ schema: { properties: { amount: { type: 'number' } } } }) });
    await panel.page.getByRole('button', { name: 'Fill in the form of the agent' }).click();
    await field('amount').fill('7');
    await field('amount').press('Enter');
    await eventually(async () => assert.deepEqual(await sent(), [{ data: { amount: 7 } }]));
  });
});
