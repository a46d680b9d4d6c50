import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { axeSays, axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { answersOf, booking, question, questionSeq } from '../../support/chatHarness/forms.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import type { DataFault, ShownForm } from '../../../src/chat/host/messages.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { idleState, snapshotOf, Story } from '../../support/chatHarness/story.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: forms', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({ snapshot: question(), answers: answersOf(), ...options });
    await panel.page.locator('.form').waitFor();
  };
  const field = (name: string): ReturnType<ChatHarness['page']['locator']> => panel.page.getByLabel(name);
  /** What was sent, its JSON read. */
  const sent = async (): Promise<unknown> =>
    (await panel.sent('sendForm')).map(({ params }) => {
      const { json, ...others } = params as { readonly json?: string };
      return json === undefined ? others : { ...others, data: JSON.parse(json) as unknown };
    });
  const faults = (...found: readonly (readonly [pointer: string, message: string])[]): { readonly result: readonly DataFault[] } => ({
    result: found.map(([pointer, message]) => ({ pointer, message })),
  });
  const send = (): Promise<void> => panel.page.getByRole('button', { name: 'Send form' }).click();

  test('a form in every theme: nothing for axe to say', async () => {
    await open({ height: 1100 });
    await panel.answer({
      sendForm: faults(['/amount', 'is missing'], ['/currency', 'is missing'], ['', 'matches none of the 2 forms that the agent accepts']),
    });
    await send();
    await panel.page.getByText('Is missing').first().waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('what is known stands there; it is filled in with the keyboard and sent as data, with words', async () => {
    await open();
    assert.equal(await field('Day of the purchase').inputValue(), '2026-11-20');
    await field('Amount').fill('12,5');
    await field('Currency').selectOption('EUR');
    await field('Purpose').fill('A new anchor');
    await field('Paid in cash').check();
    await panel.page.getByRole('group', { name: 'Projects' }).getByLabel('Mole').check();
    await field('Witnesses').fill('Ada\nAlan');
    await field('Accompanying message').fill('Thank you.');
    await field('Accompanying message').press('Enter');
    await eventually(async () =>
      assert.deepEqual(await sent(), [
        {
          seq: questionSeq,
          text: 'Thank you.',
          data: {
            claimId: 'c-17',
            date: '2026-11-20',
            amount: 12.5,
            currency: 'EUR',
            purpose: 'A new anchor',
            paid: true,
            projects: ['Mole'],
            witnesses: ['Ada', 'Alan'],
          },
        },
      ]),
    );
  });

  test('what the host finds is said beside its field once that is left; nothing counts as sent, and the first wrong field has the focus', async () => {
    await open({
      answers: {
        ...answersOf(),
        checkForm: faults(['/amount', 'should be at least 0'], ['/currency', 'is missing']),
        sendForm: faults(['/currency', 'is missing']),
      },
    });
    await field('Amount').fill('-1');
    await eventually(async () => assert.equal((await panel.sent('checkForm')).length, 1));
    assert.equal(await panel.page.getByText('Should be at least 0').count(), 0);
    await field('Amount').blur();
    await panel.page.getByText('Should be at least 0').waitFor();
    assert.equal(await field('Amount').getAttribute('aria-invalid'), 'true');
    assert.equal(await panel.page.getByText('Is missing').count(), 0);
    // The amount is right from here on, whenever its check is answered: the first wrong field is the one that gets the focus.
    await panel.answer({ checkForm: faults(['/currency', 'is missing']) });
    await field('Amount').fill('1');
    await send();
    await panel.page.getByText('Is missing').waitFor();
    await eventually(async () => assert.equal(await field('Currency').evaluate(element => element === document.activeElement), true));
    assert.equal(await panel.page.getByRole('button', { name: 'Send Again' }).count(), 0);
  });

  test('an answer takes the options of the composer, and those for one message are gone then', async () => {
    await open();
    await panel.page.getByRole('button', { name: 'More Actions' }).click();
    await panel.page.getByRole('menuitem', { name: 'Sending Options…' }).click();
    await panel.page.getByLabel('Without streaming').check();
    await panel.page.getByLabel('For the next message only').check();
    await panel.page.getByRole('button', { name: 'Apply' }).click();
    await panel.page.getByText('next message only').waitFor();
    await send();
    await eventually(async () => assert.equal(await panel.page.getByText('next message only').count(), 0));
    const params = (await panel.sent('sendForm')).at(-1)?.params as { readonly sending?: unknown };
    assert.deepEqual(params.sending, { streaming: false, once: true });
  });

  test('a number that can be read in two ways is not sent; both readings are buttons, and what is sent is told', async () => {
    await open();
    await field('Currency').selectOption('EUR');
    await field('Amount').fill('1,000');
    await send();
    await panel.page.getByText('This can be read in two ways.').waitFor();
    assert.deepEqual(await sent(), []);
    assert.equal(await panel.page.getByRole('button', { name: 'Use 1', exact: true }).count(), 1);
    await panel.page.getByRole('button', { name: 'Use 1000' }).click();
    assert.equal(await field('Amount').inputValue(), '1000');
    await field('Amount').fill('12,50');
    await panel.page.getByText('Sent as 12.5').waitFor();
    await field('Amount').fill('9007199254740993');
    await send();
    await eventually(async () =>
      assert.match(
        String((await panel.sent('sendForm')).map(({ params }) => (params as { json: string }).json)),
        /"amount":9007199254740993[,}]/,
      ),
    );
  });

  test('what is pressed when a field with a fault is left is pressed: the fault comes after it', async () => {
    await open({ answers: { ...answersOf(), checkForm: faults(['/amount', 'should be at least 0'], ['/currency', 'is missing']) } });
    await field('Amount').fill('-1');
    await eventually(async () => assert.equal((await panel.sent('checkForm')).length, 1));
    await panel.page.getByRole('button', { name: 'Write as JSON' }).hover();
    await panel.page.mouse.down();
    // All that the field does when it is left is done by then, while the button is held down.
    await panel.drawn();
    assert.equal(await panel.page.getByText('Should be at least 0').count(), 0);
    await panel.page.mouse.up();
    await field('Data as JSON').waitFor();
  });

  test('sent, the message box has the focus', async () => {
    await open();
    await send();
    await eventually(async () =>
      assert.equal(
        await panel.page.getByRole('textbox', { name: /^Message to/ }).evaluate(element => element === document.activeElement),
        true,
      ),
    );
  });

  test('as JSON: it begins with what is filled in; faults are said as one types, and a button that says so sends with them', async () => {
    await open();
    await field('Amount').fill('3');
    await panel.answer({ checkForm: faults(['/currency', 'should be one of <b>["EUR"]</b>'], ['/amount', 'x']), sendForm: { result: [] } });
    await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
    const editor = field('Data as JSON');
    assert.deepEqual(JSON.parse(await editor.inputValue()), { claimId: 'c-17', date: '2026-11-20', amount: 3, paid: false });
    await panel.page.getByText('/currency should be one of <b>["EUR"]</b>').waitFor();
    await editor.fill('{');
    await panel.page.getByText('This is not JSON').waitFor();
    await send().catch(() => undefined);
    await editor.press('Control+Enter');
    assert.deepEqual(await sent(), []);
    await editor.fill('{"amount":4}');
    await panel.page.getByRole('button', { name: 'Send with 2 Faults' }).click();
    await eventually(async () => assert.deepEqual(await sent(), [{ seq: questionSeq, data: { amount: 4 }, anyway: true }]));
  });

  test('the fields and the JSON are one: what is written in either is in the other, also what no field can show', async () => {
    await open();
    await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
    await field('Data as JSON').fill('{"date":"2026-12-24","amount":"a lot","currency":"USD","more":{"id":9007199254740993}}');
    await panel.page.getByRole('button', { name: 'Back to the Fields' }).click();
    assert.deepEqual(
      [await field('Day of the purchase').inputValue(), await field('Amount').inputValue(), await field('Currency').inputValue()],
      ['2026-12-24', '"a lot"', '2'],
    );
    await panel.page.getByText('Sent unchanged: more').waitFor();
    await field('Currency').selectOption('JPY');
    await send();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('sendForm')).map(({ params }) => (params as { json: string }).json),
        ['{"more":{"id":9007199254740993},"date":"2026-12-24","amount":"a lot","currency":"JPY"}'],
      ),
    );
  });

  test('JSON that is no object stays until it is corrected or let go of', async () => {
    await open();
    await field('Amount').fill('3');
    await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
    await field('Data as JSON').fill('[1');
    await panel.page.getByRole('button', { name: 'Back to the Fields' }).click();
    assert.equal(await field('Data as JSON').inputValue(), '[1');
    await panel.page.getByRole('button', { name: 'Discard the JSON' }).click();
    assert.equal(await field('Amount').inputValue(), '3');
  });

  test('what is typed outlives the page, and is forgotten when it is sent', async () => {
    await open();
    await field('Purpose').fill('half a thought');
    await field('Accompanying message').fill('Well,');
    let kept = await panel.kept();
    await panel.close();
    await open({ kept });
    assert.deepEqual([await field('Purpose').inputValue(), await field('Accompanying message').inputValue()], ['half a thought', 'Well,']);
    await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
    await field('Data as JSON').fill('{"purpose":');
    kept = await panel.kept();
    await panel.close();
    await open({ kept });
    assert.equal(await field('Data as JSON').inputValue(), '{"purpose":');
    await panel.page.getByRole('button', { name: 'Back to the Fields' }).click();
    await panel.page.getByRole('button', { name: 'Discard the JSON' }).click();
    await field('Amount').fill('1');
    await field('Currency').selectOption('JPY');
    await send();
    await eventually(async () => assert.deepEqual(Object.keys((await panel.kept()) as object), ['context', 'draft']));
  });

  test('an answer that the host refuses stays, with the error', async () => {
    await open({ answers: { ...answersOf(), sendForm: { error: { message: 'Nothing listens there.' } } } });
    await field('Amount').fill('1');
    await field('Currency').selectOption('JPY');
    await send();
    await panel.page.getByRole('alert').getByText('Nothing listens there.').waitFor();
    assert.equal(await field('Amount').inputValue(), '1');
  });

  test('a task that waits no longer has no form, and shows what it asked with', async () => {
    await open();
    const done = { ...question().entries[1]!, seq: 9, state: 'TASK_STATE_COMPLETED', message: undefined };
    await panel.post({ type: 'event', name: 'updates', value: [{ type: 'put', entry: done }] });
    await panel.page.locator('.form-over').getByText('Receipts come later.').waitFor();
    assert.equal(await panel.page.locator('.form :is(input, button)').count(), 0);
  });

  test('the form of a card is there on demand, and starts a task', async () => {
    panel = await openPanel({
      snapshot: snapshotOf([], { ...idleState, takesForm: true }),
      answers: answersOf({ schema: { properties: { amount: { type: 'number' } } } }),
    });
    await panel.page.getByRole('button', { name: "Fill In the Agent's Form" }).click();
    await field('amount').fill('7');
    await field('amount').press('Enter');
    await eventually(async () => assert.deepEqual(await sent(), [{ data: { amount: 7 } }]));
  });

  test('everything that a schema asks for has a field: what is needed first, the rest unfolds; objects are groups, and of several forms one is chosen', async () => {
    for (const [width, theme] of [
      [280, 'Dark Modern'],
      [700, 'Light Modern'],
      [700, 'Default High Contrast'],
    ] as const) {
      await open({ snapshot: question({ schema: booking }), answers: answersOf({ schema: booking }), width, height: 1500, theme });
      assert.deepEqual(
        await panel.page
          .locator('.form > .field > .field-label, .form > .field > span .text-button')
          .evaluateAll(found => found.slice(0, 4).map(each => each.textContent)),
        ['Berth (required)', 'Skipper (required)', 'Payment (required)', 'Password (required)'],
      );
      await panel.page.getByRole('button', { name: /Show \d+ More Fields/ }).click();
      assert.equal(await field('extra 69').count(), 1);
      await field('Payment').selectOption({ label: 'Bank' });
      await field('IBAN').fill('DE02');
      await field('Password').fill('geheim');
      assert.equal(await field('Password').getAttribute('type'), 'password');
      await field('Given name').fill('Ada');
      assert.equal(
        await panel.page.evaluate(
          () =>
            document.documentElement.scrollWidth <= innerWidth &&
            [...document.querySelectorAll('.form *')].every(each => each.getBoundingClientRect().right <= innerWidth),
        ),
        true,
      );
      assert.doesNotMatch(JSON.stringify(await panel.kept()), /geheim/);
      await panel.page.getByRole('button', { name: 'Write as JSON' }).click();
      assert.doesNotMatch(await field('Data as JSON').inputValue(), /geheim/);
      await panel.page.getByRole('button', { name: 'Back to the Fields' }).click();
      await send();
      await eventually(async () =>
        assert.deepEqual(await sent(), [
          {
            seq: questionSeq,
            data: { berth: 12, skipper: { name: 'Ada', country: 'NL' }, payment: { kind: 'bank', iban: 'DE02' }, password: 'geheim' },
          },
        ]),
      );
      await panel.close();
    }
  });

  test('answers to choose from are buttons, in every theme; a press sends one', async () => {
    const asks = {
      approval_request: {
        id: 'a-1',
        title: 'Delete the branch?',
        question: 'It has 3 commits that are nowhere else.',
        options: [
          { id: 'approve', label: 'Approve', description: 'Once.' },
          { id: 'reject', label: 'Reject' },
        ],
      },
    };
    await open({ snapshot: question(asks, 'May I?'), answers: answersOf(asks) });
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.equal(await panel.page.getByRole('button', { name: 'Send Form' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Reject' }).click();
    await eventually(async () => assert.deepEqual(await sent(), [{ seq: questionSeq, button: 1 }]));
  });

  test('a form that was answered says what was sent under the titles of its fields, and nothing of its schema', async () => {
    const asks = question();
    const answer = [{ title: 'Day of the purchase', value: '2026-11-20' }, { title: 'Amount', value: '12.5' }, { title: 'Purpose' }];
    const form = answersOf().form as { readonly result: ShownForm };
    const done: Entry = {
      kind: 'status',
      seq: 9,
      at: asks.entries[0]!.at + 9000,
      taskId: 't-1',
      state: 'TASK_STATE_COMPLETED',
      exchangeId: 'e',
    };
    panel = await openPanel({
      snapshot: { ...asks, entries: [...asks.entries, done], state: { ...asks.state, waitingTaskId: undefined } as never },
      answers: { form: { result: { ...form.result, answer } } },
    });
    const row = panel.page.locator('.callout-ask');
    await row.getByText('Receipts come later.').waitFor();
    await eventually(async () =>
      assert.deepEqual(await shownTexts(row.locator('dt, dd')), [
        'Day of the purchase',
        '2026-11-20',
        'Amount',
        '12.5',
        'Purpose',
        'not sent',
      ]),
    );
    assert.equal((await row.getByText('form_data').count()) + (await row.locator('.form :is(input, button)').count()), 0);
    assert.deepEqual(await axeSays(panel.page), []);
  });

  for (const width of [280, 400, 900]) {
    test(`what was answered can be read at ${width} px`, async () => {
      const asks = question();
      const done: Entry = {
        kind: 'status',
        seq: 9,
        at: asks.entries[1]!.at + 20,
        taskId: 't-1',
        state: 'TASK_STATE_COMPLETED',
        exchangeId: 'e',
      };
      const form = answersOf().form as { readonly result: ShownForm };
      panel = await openPanel({
        width,
        snapshot: { ...asks, entries: [...asks.entries, done] },
        answers: { form: { result: { ...form.result, answer: [{ title: 'Day of the purchase', value: '2026-11-20' }] } } },
      });
      const day = panel.page.locator('dd');
      await day.waitFor();
      assert.equal(
        await day.evaluate(element => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getClientRects().length;
        }),
        1,
      );
      const shown = panel.page.locator('.header-interface');
      assert.ok((await shown.evaluate(element => element.clientWidth)) >= 80, 'the interface is more than a letter');
      assert.equal(await panel.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      assert.equal(await panel.page.getByText(/0[.,]0 s/).count(), 0);
    });
  }

  test('a task that the agent no longer knows says so, with the next step', async () => {
    const asks = question();
    const lost: Entry = { kind: 'status', seq: 9, at: asks.entries[0]!.at + 9000, taskId: 't-1', state: 'LOST', exchangeId: 'e' };
    panel = await openPanel({ snapshot: { ...asks, entries: [...asks.entries, lost] }, answers: answersOf() });
    await panel.page.locator('.callout-bad', { hasText: /lost.*no longer has this task.*Send a message as a new task/is }).waitFor();
  });

  test('what the browser draws itself is dark in dark themes, light in light ones', async () => {
    await open();
    for (const [theme, scheme] of [
      ['Dark Modern', 'dark'],
      ['Light Modern', 'light'],
      ['Default High Contrast', 'dark'],
      ['Default High Contrast Light', 'light'],
    ] as const) {
      await panel.setTheme(theme);
      assert.equal(await field('Day of the purchase').evaluate(element => getComputedStyle(element).colorScheme), scheme);
      assert.equal(await panel.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), scheme);
    }
  });

  test('a password that was sent is not shown in the transcript', async () => {
    const told = new Story().user(0, '').entries[0]!;
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ data: { user: 'ada', login: { password: 'geheim' } } }] };
    panel = await openPanel({
      snapshot: snapshotOf([{ ...told, message } as Entry]),
      answers: { secrets: { result: ['/login/password'] } },
    });
    await panel.page.getByText('••••••••').waitFor();
    assert.doesNotMatch(await shownText(panel.page.locator('body')), /geheim/);
    await panel.page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: {
          writeText: async (text: string) => {
            document.title = text;
          },
        },
      });
    });
    for (const [name, said] of [
      ['Copy', /"user": "ada".*"password": "••••••••"/s],
      ['Copy login', /"password": "••••••••"/],
    ] as const) {
      await panel.page.evaluate(() => {
        document.title = '';
      });
      await panel.page.getByRole('button', { name, exact: true }).click({ force: true });
      await eventually(async () => assert.match(await panel.page.title(), said));
      assert.doesNotMatch(await panel.page.title(), /geheim/);
    }
  });
});
