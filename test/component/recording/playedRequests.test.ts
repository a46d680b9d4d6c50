import * as assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { Player } from '../../../src/recording/player.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { readRecording } from '../../../src/recording/recording.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';

const workspace = resolve(import.meta.dirname, '../../../examples/workspace');

/** The number of requests that passed, and why the others did not. */
interface Ran {
  readonly passed: number;
  readonly failed: readonly string[];
}

suite('the requests of the sample workspace', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  async function run(agents: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
    const named = Object.entries(agents).flatMap(([name, url]) => ['--agent', `${name}=${url}`]);
    const { out, err } = await program.run(['run', workspace, ...named, '--reporter', 'junit', ...args]);
    const [, tests, failures, errors] = /<testsuites[^>]* tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(out) ?? [];
    assert.ok(tests !== undefined, err);
    const failed = [...out.matchAll(/<(?:failure|error)[^>]*message="([^"]*)"/g)].map(([, message = '']) => message);
    assert.equal(failed.length, Number(failures) + Number(errors));
    return { passed: Number(tests) - failed.length, failed };
  }

  test('pass against recordings alone, with every other connection refused', async () => {
    const samples = await startSampleAgents({ pace: 0 });
    const live = await run(samples.urls, '--record', 'all.a2a-recording.jsonl').finally(() => samples.stop());
    assert.deepEqual(live.failed, []);
    const files = readdirSync(program.folder).filter(name => name.endsWith('.a2a-recording.jsonl'));
    assert.equal(files.length, Object.keys(samples.urls).length);
    const played: Record<string, string> = {};
    for (const name of files) {
      const recording = readRecording(readFileSync(join(program.folder, name), 'utf8'));
      const player = new Player(recording, { speed: 0, isLoose: false, onError: error => assert.fail(error as Error) });
      await player.start();
      open.add(() => player.stop());
      played[recording.agent.name!] = player.url;
    }
    const ports = new Set(Object.values(played).map(url => Number(new URL(url).port)));
    const { connect } = Socket.prototype;
    const refused: unknown[] = [];
    Socket.prototype.connect = function (this: Socket, ...args: Parameters<typeof connect>) {
      const [to] = [args[0]].flat() as readonly { readonly port?: number }[];
      if (ports.has(Number(to?.port))) return Reflect.apply(connect, this, args) as Socket;
      refused.push(to);
      return this.destroy(new Error('no network'));
    } as typeof connect;
    try {
      assert.deepEqual(await run(played), live);
    } finally {
      Socket.prototype.connect = connect;
    }
    assert.deepEqual(refused, []);
    const requests = globSync('*.a2a', { cwd: workspace }).flatMap(
      name => readRequestFile(readFileSync(join(workspace, name), 'utf8')).requests,
    );
    // One of them has two rows of data.
    assert.equal(live.passed, requests.length + 1);
  });
});
