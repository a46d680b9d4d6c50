import { registerHooks } from 'node:module';
import * as shim from './fakeVscode.ts';

// Modules of the workbench run outside of VS Code once this one is imported, before them: `await import(…)` does that.
const url = new URL('./fakeVscode.ts', import.meta.url).href;
registerHooks({ resolve: (specifier, context, next) => (specifier === 'vscode' ? { url, shortCircuit: true } : next(specifier, context)) });

type Replaced = 'commands' | 'debug' | 'env' | 'extensions' | 'l10n' | 'lm' | 'tests' | 'window' | 'workspace';

const originals: Readonly<Record<Replaced, object>> = {
  commands: { ...shim.commands },
  debug: { ...shim.debug },
  env: { ...shim.env },
  extensions: { ...shim.extensions },
  l10n: { ...shim.l10n },
  lm: { ...shim.lm },
  tests: { ...shim.tests },
  window: { ...shim.window },
  workspace: { ...shim.workspace },
};
/** What is replaced now, the last one on top. */
const layers: Readonly<Record<Replaced, object[]>> = {
  commands: [],
  debug: [],
  env: [],
  extensions: [],
  l10n: [],
  lm: [],
  tests: [],
  window: [],
  workspace: [],
};

/** Replaces members of the VS Code API; the returned function takes the replacement away, in whatever order several are taken away. */
export function inPlaceOf(name: Replaced, members: object): () => void {
  const target = shim[name];
  const stack = layers[name];
  stack.push(members);
  Object.assign(target, members);
  return () => {
    const index = stack.indexOf(members);
    if (index < 0) return;
    stack.splice(index, 1);
    for (const key of Object.keys(members)) {
      const holder = stack.findLast(layer => key in layer) ?? originals[name];
      if (key in holder) Object.assign(target, { [key]: holder[key as keyof typeof holder] });
      else delete (target as Record<string, unknown>)[key];
    }
  };
}
