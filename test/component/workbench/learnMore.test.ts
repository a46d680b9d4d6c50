import * as assert from 'node:assert/strict';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { explainInBox, inARow, report } = await import('../../../src/workbench/platform/report.ts');

test('sentences in a row have a space between them, but after a full-width full stop', () => {
  assert.equal(inARow('It failed.', undefined, 'Try again.'), 'It failed. Try again.');
  assert.equal(inARow('失败。', '', '请重试。', '[了解更多](x)'), '失败。请重试。[了解更多](x)');
});

suite('what stands under an input box', () => {
  const links = (text: string): readonly string[] => [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, address = '']) => address);
  const problem = (code: string): Problem =>
    new Problem(code, sentence('No agent card was found at {0}.', '[here](command:workbench.action.quit)'), {
      nextStep: sentence('Read {0}.', '[this](command:workbench.action.quit)'),
    });

  test('leads to the page that helps, and nowhere that an agent says', () => {
    const text = explainInBox(problem('no-card'));
    assert.deepEqual(links(text), ['command:a2a.openDocumentation?%5B%22troubleshooting%23the-agent-cannot-be-added%22%5D']);
    assert.match(text, /No agent card was found.* Read .*\[Learn More\]/);
  });

  test('leads nowhere where no page helps, or where the error is ours', () => {
    assert.deepEqual(links(explainInBox(problem('known-agent'))), []);
    assert.deepEqual(links(explainInBox(new Error('[a](command:b)'))), []);
  });
});

suite('the notification of a problem', () => {
  const undo: (() => void)[] = [];
  teardown(() => {
    for (const each of undo.splice(0)) each();
  });

  test('has a button that opens the page that helps, where there is one', async () => {
    const opened: unknown[][] = [];
    const offered: string[][] = [];
    undo.push(
      inPlaceOf('commands', { executeCommand: async (...args: unknown[]) => void opened.push(args) }),
      inPlaceOf('window', {
        showErrorMessage: async (_: string, ...buttons: string[]) => {
          offered.push(buttons);
          return buttons.find(each => each === 'Learn More');
        },
      }),
    );
    await report(new Problem('unreachable', sentence('x')));
    await report(new Problem('known-agent', sentence('x')));
    assert.deepEqual(offered, [['Reload Card', 'Learn More', 'Show Log'], ['Show Log']]);
    assert.deepEqual(opened, [['a2a.openDocumentation', 'troubleshooting#no-connection']]);
  });

  test('reads the cards again where an outdated card may be the cause', async () => {
    const ran: unknown[][] = [];
    undo.push(
      inPlaceOf('commands', { executeCommand: async (...args: unknown[]) => void ran.push(args) }),
      inPlaceOf('window', { showErrorMessage: async (_: string, ...buttons: string[]) => buttons.find(each => each === 'Reload Card') }),
    );
    await report(new Problem('http-error', sentence('The agent answered HTTP {0}.', 404)));
    await report(new Problem('http-error', sentence('The agent answered HTTP {0}.', 500)));
    assert.deepEqual(ran, [['a2a.refresh']]);
  });
});
