import * as assert from 'node:assert/strict';
import { ReportSteps } from '../../../src/auth/doctor/reportSteps.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import { signInReportText } from '../../../src/workbench/signIn/signInReportText.ts';

suite('report on a sign-in', () => {
  for (const [what, use, hasCause, heading] of [
    ['all is well', 'ok', false, ['No problems found.']],
    ['the agent accepts a credential and has a blemish', 'ok', true, ['No problems found.', '', 'Worth mending all the same:']],
    ['the agent refuses it', 'failed', true, ['Likely causes, most likely first:']],
    ['nothing was sent', 'skipped', true, ['Likely causes, most likely first:']],
  ] as const)
    test(`heading where ${what}`, () => {
      const steps = new ReportSteps();
      steps.add('request', 'ok', sentence('It was asked.'));
      steps.add('use', use, sentence('It was asked with the credential.'));
      if (hasCause) steps.cause('request', { id: 'noChallenge' });
      const text = signInReportText({ agentUrl: 'http://harbour.example/', origins: [], ...steps.result() }, english);
      assert.deepEqual(text.split('\n').slice(2, 2 + heading.length), heading);
    });
});
