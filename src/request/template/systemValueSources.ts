import { resolve } from 'node:path';
import { asksForSecret } from './functions.ts';
import { promptVariable, secretVariable } from './variableNames.ts';
import { SandboxedFiles } from '../values/sandboxedFiles.ts';
import type { ValueSources } from '../values/valueSources.ts';

interface SystemValueSourcesOptions {
  readonly root: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the person, where there is one; a secret is not shown while it is typed. */
  readonly ask?: ((question: string, isSecret: boolean) => Promise<string | undefined>) | undefined;
  /** Called before a file is read, with its whole path. */
  readonly onRead?: ((path: string) => void) | undefined;
}

/**
 * Value sources of a process without an editor: its environment, secrets in `A2A_SECRET_…`, answers in `A2A_PROMPT_…` or from the person,
 * and files on disk.
 */
export function systemValueSources({ root, folder, env, ask, onRead }: SystemValueSourcesOptions): ValueSources {
  const files = new SandboxedFiles({ root, folder });
  return {
    env: name => env[name],
    secret: async name => env[secretVariable(name)],
    prompt: async label => env[promptVariable(label)] ?? (await ask?.(`${label}:`, asksForSecret(label))),
    file: path => {
      onRead?.(resolve(folder, path));
      return files.readForMessage(path);
    },
  };
}
