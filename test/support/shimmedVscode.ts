import { registerHooks } from 'node:module';
import * as shim from './fakeVscode.ts';

// Modules of the workbench run outside of VS Code once this one is imported, before them: `await import(…)` does that.
const url = new URL('./fakeVscode.ts', import.meta.url).href;
registerHooks({ resolve: (specifier, context, next) => (specifier === 'vscode' ? { url, shortCircuit: true } : next(specifier, context)) });

/** Replaces members of the VS Code API; the returned function restores them. */
export function inPlaceOf<K extends 'env' | 'window' | 'workspace'>(name: K, members: object): () => void {
  const target = shim[name];
  const before = { ...target };
  Object.assign(target, members);
  return () => {
    for (const key of Object.keys(members)) delete (target as Record<string, unknown>)[key];
    Object.assign(target, before);
  };
}
