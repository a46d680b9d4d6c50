import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { figure, full } from '../support/figure.ts';
import { forms } from '../support/protocol/forms.ts';

/** Of each form. */
const rounds = full ? 1_000_000 : 4_000;
const minutes = full ? 120 : 4;

interface Ended {
  readonly code: number | null;
  readonly seed: number;
  readonly read: number;
  readonly refused: number;
  readonly errors: string;
}

/** One process a form, as many at a time as the machine has processors. What takes for ever is ended from outside. */
async function fuzzed(form: string, signal: AbortSignal): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/fuzzProcess.ts'), form, String(rounds), '5000'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  child.on('error', () => {});
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const last = JSON.parse(out.trimEnd().split('\n').at(-1) || '{"seed":0,"read":0,"refused":0}') as Ended;
  return { ...last, code: child.exitCode, errors };
}

suite('fuzz', function () {
  this.timeout(minutes * 60_000 + 10_000);
  let running: Promise<Map<string, Ended>>;

  suiteSetup(() => {
    const signal = AbortSignal.timeout(minutes * 60_000);
    const waiting = forms.map(({ name }) => name);
    const ended = new Map<string, Ended>();
    const worker = async (): Promise<void> => {
      for (let form = waiting.shift(); form !== undefined; form = waiting.shift()) ended.set(form, await fuzzed(form, signal));
    };
    running = Promise.all(Array.from({ length: availableParallelism() }, worker)).then(() => ended);
  });

  for (const { name } of forms) {
    test(`${name}: ${rounds} spoilt bodies are read or refused with a Problem`, async () => {
      const { code, seed, read, refused, errors } = (await running).get(name)!;
      figure(
        'F9',
        { 'spoilt messages': read + refused, 'forms with a crash or a hang': Number(code !== 0) },
        `${name}: ${read} spoilt messages read, ${refused} refused (seeds 0 to ${rounds - 1})`,
      );
      assert.equal(code, 0, `after seed ${seed}: ${errors || 'it did not end'}`);
      assert.equal(read + refused, rounds);
      assert.ok(read > rounds / 2 && refused > rounds / 100, `${read} read, ${refused} refused`);
    });
  }
});
