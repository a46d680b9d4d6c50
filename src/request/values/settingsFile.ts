import { homedir } from 'node:os';
import { isAbsolute, join, parse, resolve } from 'node:path';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { SandboxedFiles } from './sandboxedFiles.ts';

/**
 * Reads a file that `tls` of an agent's settings names. `~/` is the home folder, but not for a workspace.
 * @param base folder in which relative paths begin; of what a workspace defines, the only one that is read
 * @throws Problem `tls-files`
 */
export async function settingsFile(
  path: string,
  { base, ofWorkspace = false }: { readonly base?: string | undefined; readonly ofWorkspace?: boolean | undefined },
): Promise<Uint8Array> {
  const whole = /^~[\\/]/.test(path) && !ofWorkspace ? join(homedir(), path.slice(2)) : path;
  if (base === undefined && (ofWorkspace || !isAbsolute(whole)))
    throw problem(sentence('The file {0} of "tls" cannot be found: its path is relative, and there is no folder for it.', path));
  const root = ofWorkspace ? base! : parse(resolve(base ?? '', whole)).root;
  try {
    return (await new SandboxedFiles({ root, folder: base ?? root }).read(whole)).bytes;
  } catch (error) {
    if (error instanceof Problem) throw problem(sentence('A file that "tls" names was not read: {0}', error.sentence), error);
    throw error;
  }
}

const problem = (what: LocalizedMessage, cause?: unknown): Problem =>
  new Problem('tls-files', what, { nextStep: sentence('Correct the path in the settings of the agent.'), cause });
