import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { build } from '../../esbuild.mjs';
import { median, tell } from './measure.ts';
import { activateOnce } from './start/activation.ts';
import { untilRows, untilTyping } from './start/window.ts';

// What the extension costs whoever has it: bytes, the time for which VS Code and the extensions after it wait for its activation, and how
// long it is until the person has something of it. Each time in an extension host of its own. `A2A_VSCODE` names a desktop VS Code for the
// activation; else it is VS Code's server. `--activation` leaves the waits in a window out.

const root = join(import.meta.dirname, '../..');
const rounds = 5;

await build({ production: true, meta: true });
const { outputs } = JSON.parse(await readFile(join(root, 'dist', 'meta.json'), 'utf8')) as Metafile;
for (const [what, entryPoint] of [
  ['entry point', 'src/extension.ts'],
  ['host', 'src/main.ts'],
  ['panel', 'src/chat/main.tsx'],
  ['page of cards', 'src/chat/cardPage/main.tsx'],
  ['terminal', 'src/cli.ts'],
] as const) {
  const loaded = new Set(Object.keys(outputs).filter(path => outputs[path]!.entryPoint === entryPoint));
  for (const path of loaded)
    for (const { path: imported, kind } of outputs[path]!.imports)
      if (kind === 'import-statement' && imported in outputs) loaded.add(imported);
  const bytes = [...loaded].reduce((sum, path) => sum + outputs[path]!.bytes, 0);
  tell({ name: `bundle: ${what}, with what it imports`, value: bytes / 1000, unit: 'KB' });
}

const activations = await several(activateOnce);
const times: readonly (readonly [what: string, of: (one: (typeof activations)[number]) => number])[] = [
  ['activation, as VS Code counts it', ({ load, call, resolve }) => load + call + resolve],
  ['activation: code loaded', ({ load }) => load],
  ['activation: activate called', ({ call }) => call],
  ['activation: its promise kept', ({ resolve }) => resolve],
  ['activation, as a caller sees it', ({ took }) => took],
  ['activation, processor time', ({ worked }) => worked],
  ['everything open', ({ openedAfter }) => openedAfter],
  ['everything open, processor time', ({ openedWork }) => openedWork],
];
for (const [name, of] of times) tell({ name, value: median(activations.map(of)), unit: 'ms' });

if (!process.argv.includes('--activation')) {
  for (const [name, wait] of [
    ['icon pressed until the tree has rows', untilRows],
    ['New Chat chosen until it can be typed into', untilTyping],
  ] as const) {
    const waits = await several(wait);
    tell({ name, value: median(waits.map(({ took }) => took)), unit: 'ms' });
    const worked = waits.flatMap(wait => wait.worked ?? []);
    if (worked.length > 0) tell({ name: `${name}, processor time`, value: median(worked), unit: 'ms' });
  }
}

async function several<T>(once: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  // Other output would mix with the figures of `--json`.
  const { log } = console;
  console.log = console.error;
  try {
    for (let round = 0; round < rounds; round++) results.push(await once());
  } finally {
    console.log = log;
  }
  return results;
}
