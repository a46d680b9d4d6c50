import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * Makes a folder that the command line named, with those above it. Below the working directory, or where a relative path leaves it, no folder
 * may be a link: its target is the choice of those who wrote the files. Absolute paths elsewhere are the person's own.
 * @throws Error with the system's message, or one that names the link
 */
export function makeNamedFolder(path: string, cwd: string): void {
  const full = resolve(cwd, path);
  let held = cwd;
  if (!isAbsolute(path)) while (leadsOut(held, full) && dirname(held) !== held) held = dirname(held);
  // What is at the root of a file system comes from the system.
  if (leadsOut(held, full) || dirname(held) === held) {
    mkdirSync(full, { recursive: true });
    return;
  }
  let at = held;
  for (const name of relative(held, full).split(sep).filter(Boolean)) {
    at = join(at, name);
    try {
      mkdirSync(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = lstatSync(at);
      if (found.isSymbolicLink()) throw new Error(linkSentence(relative(cwd, at)), { cause: error });
      if (!found.isDirectory()) throw error;
    }
  }
}

/** The error for a link at a path that is to be written. */
export const linkSentence = (path: string): string =>
  `${path} is a link, and nothing is written through links. Delete it, or name the place that it leads to.`;

function leadsOut(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}
