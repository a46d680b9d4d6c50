import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountsReporter from './countsReporter.ts';
import { mochaHooks } from './runningTest.ts';
import { usualTimeoutMs } from './testTimeout.ts';

/**
 * Runs test modules with mocha inside VS Code's extension host. `A2A_GREP` picks tests by title, `A2A_FILE` files by a part of their path; `A2A_REPORT` names the file that the
 * report goes to instead of the console.
 *
 * @param load each file's name and what imports it; the import defines its suites, so it happens once mocha's `suite` and `test` exist.
 * @throws where a test failed or there was none; VS Code ends the test run with an exit code after that.
 */
export async function runInExtensionHost(load: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({
    ui: 'tdd',
    reporter: CountsReporter,
    timeout: usualTimeoutMs,
    color: process.env['FORCE_COLOR'] !== undefined,
    forbidOnly: true,
    rootHooks: mochaHooks,
  });
  const report = process.env['A2A_REPORT'];
  if (report) Mocha.reporters.Base.consoleLog = (...args: unknown[]) => appendFileSync(report, `${format(...args)}\n`);
  const grep = process.env['A2A_GREP'];
  if (grep) mocha.grep(new RegExp(grep));
  const chosen = process.env['A2A_FILE'] ?? '';
  for (const [file, importFile] of Object.entries(load)) {
    if (!file.includes(chosen)) continue;
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
    await importFile();
  }
  const { promise, resolve } = Promise.withResolvers<number>();
  const runner = mocha.run(resolve);
  const failed = await promise;
  if (failed > 0) throw new Error(`${failed} failed`);
  if (runner.stats?.passes === 0 && !grep) throw new Error('no test ran');
}
