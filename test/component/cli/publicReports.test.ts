import * as assert from 'node:assert/strict';
import { OpenThings } from '../../support/client/openThings.ts';
import { answers } from './reported/answers.ts';
import { cards } from './reported/cards.ts';
import { type Report, serverOf, type Try } from './reported/report.ts';
import { streams } from './reported/streams.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('servers of public reports', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  async function tried(command: Try['command'], url: string): Promise<Ended> {
    if (Array.isArray(command)) return program.run(command.map(word => (word === 'URL' ? url : String(word))));
    const cwd = await program.workspace({ 'x.a2a': { ...command, agent: url } });
    return program.run(['run', 'x.a2a', '--verbose'], { cwd });
  }

  const define = (reports: Readonly<Record<string, Report>>): void => {
    for (const [right, report] of Object.entries(reports))
      test(right, async () => {
        const url = await open.web(serverOf(report));
        for (const { command, status, out, err } of report.tries) {
          const came = await tried(command, url);
          const what = `${JSON.stringify(command)}\n${came.out}${came.err}`;
          if (typeof out === 'string') assert.equal(came.out, out, what);
          else if (out !== undefined) assert.match(came.out, out, what);
          if (err !== undefined) assert.match(came.err, err, what);
          assert.equal(came.status, status, what);
        }
      });
  };
  suite('cards', () => define(cards));
  suite('answers', () => define(answers));
  suite('streams', () => define(streams));
});
