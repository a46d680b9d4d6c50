import * as assert from 'node:assert/strict';
import { caught, sampleOf } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';

/** The tricks of a malicious workspace have to get through with each of these; `where` is the window in which they do. */
const flaws = {
  'a window that takes settings of a workspace before it is trusted': {
    flaw: {
      file: 'src/workbench/platform/scopedAgents.ts',
      edits: [["trusted || each === 'default' || each === 'user'", 'true || trusted']],
    },
    where: /does not trust it/,
    passed: 1,
  },
  'a window that sends requests before it is trusted': {
    flaw: { file: 'src/workbench/requests/sending/requestTargets.ts', edits: [['if (!vscode.workspace.isTrusted) {', 'if (false) {']] },
    where: /does not trust it/,
    passed: 1,
  },
  'agents of a workspace that count as those of the user': {
    flaw: { file: 'src/model/agents/agentHeaders.ts', edits: [['this.#own = !ofWorkspace;', 'this.#own = ofWorkspace || true;']] },
    where: /that trusts it/,
    passed: 1,
  },
  'secrets that may go anywhere first': {
    flaw: {
      file: 'src/model/agents/secretOrigins.ts',
      edits: [['!chosenByAnswer && (isOfFile(draw.key, ofFile) || this.#isNamed(origin))', '!chosenByAnswer']],
    },
    where: /that trusts it/,
    passed: 1,
  },
  'sign-ins that go along whoever decides about certificates': {
    flaw: {
      file: 'src/auth/signIns/signIns.ts',
      edits: [['if (certificates !== undefined && certificates !== found.agent.certificates)', 'if (certificates === "")']],
    },
    where: /that trusts it/,
    passed: 1,
  },
  'sign-ins of any address': {
    flaw: {
      file: 'src/auth/signIns/storedSignIns.ts',
      edits: [
        [
          'return this.#learned(agentKey(url), await this.all());',
          'return Object.values((await this.all()).agents).map(each => ({ ...each, origins: [...each.origins, new URL(url).origin] }))[0];',
        ],
      ],
    },
    where: /that trusts it/,
    passed: 1,
  },
  'cards that may lead anywhere': {
    flaw: { file: 'src/client/http/origin.ts', edits: [['    target.origin === agent.origin ||', '    target.origin !== "" ||']] },
    where: /trusts? it/,
    passed: 0,
  },
} as const satisfies Record<string, { readonly flaw: Flaw; readonly where: RegExp; readonly passed: number }>;

suite('a malicious workspace with a planted flaw', function () {
  this.timeout(200_000);
  for (const name of sampleOf(Object.keys(flaws) as (keyof typeof flaws)[])) {
    test(`caught: ${name}`, async () => {
      const { flaw, where, passed } = flaws[name];
      const { counts, output } = await runFlawed(flaw, ['test/component/workbench/maliciousWorkspace.test.ts'], { timeoutMs: 180_000 });
      // The other window holds, so that it is no program that does not run at all.
      assert.equal(counts?.passed, passed, output);
      assert.equal(counts.failures.length, 2 - passed, output);
      for (const failure of counts.failures) assert.match(failure, where);
      assert.match(output, /[1-9]\d* leaks/);
      caught('F7', name);
    });
  }
});
