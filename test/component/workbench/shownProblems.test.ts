import * as assert from 'node:assert/strict';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { Uri } from '../../support/fakeVscode.ts';
import '../../support/shimmedVscode.ts';

const { shownProblems } = await import('../../../src/workbench/requests/language/shownProblems.ts');

suite('problems that are shown of a request file', () => {
  const agents = [{ name: 'Ann', url: 'http://a' }];
  for (const [where, path, codes] of [
    ['a file of the person', '/folder/trip.a2a', ['unknown-agent']],
    ['the documentation', '/extension/docs/other-tools.md', []],
    ['a folder that begins alike', '/extension-2/trip.a2a', ['unknown-agent']],
  ] as const)
    test(`an agent that is not there, in ${where}`, () => {
      const file = readRequestFile('{ "agent": "Currency", "message": "x" }');
      const languageContexts = { of: () => ({ file, context: { ...emptyLanguageContext, agents } }) };
      const problems = shownProblems(languageContexts as never, { languageId: 'a2a', uri: Uri.file(path) } as never);
      assert.deepEqual(
        problems.map(({ code }) => code),
        codes,
      );
    });
});
