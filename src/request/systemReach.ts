import { secretVariable } from './functions.ts';
import { HeldFiles } from './heldFiles.ts';
import type { Reach } from './reach.ts';

/** The reach of a process without an editor: its environment, secrets in `A2A_SECRET_…`, files on the disk, and nobody to ask. */
export function systemReach({ root, folder, env }: { readonly root: string; readonly folder: string; readonly env: Readonly<Record<string, string | undefined>> }): Reach {
  const files = new HeldFiles({ root, folder });
  return {
    env: name => env[name],
    secret: async name => env[secretVariable(name)],
    prompt: async label => env[`A2A_PROMPT_${label.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`],
    file: path => files.read(path),
  };
}
