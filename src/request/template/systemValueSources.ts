import { promptVariable, secretVariable } from './functions.ts';
import { HeldFiles } from '../values/sandboxedFiles.ts';
import type { Reach } from '../values/valueSources.ts';

export interface SystemReachOptions {
  readonly root: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks the person, where there is one. */
  readonly ask?: (question: string) => Promise<string | undefined>;
}

/** The reach of a process without an editor: its environment, secrets in `A2A_SECRET_…`, answers in `A2A_PROMPT_…` or from the person, files on the disk. */
export function systemReach({ root, folder, env, ask }: SystemReachOptions): Reach {
  const files = new HeldFiles({ root, folder });
  return {
    env: name => env[name],
    secret: async name => env[secretVariable(name)],
    prompt: async label => env[promptVariable(label)] ?? await ask?.(`${label}:`),
    file: path => files.read(path),
  };
}
