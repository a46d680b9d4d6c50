import type { Text } from '../text/pieced.ts';

/** A file that a request names. */
export interface FileContent {
  /** The last component of its path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Sources that templates can use beyond their file; editor and terminal each provide their own. */
export interface ValueSources {
  /** A variable of the process environment. */
  env(name: string): Text | undefined;
  /** A stored secret; undefined where there is none. */
  secret(name: string): Promise<Text | undefined>;
  /** Prompts the person; undefined where they do not answer. */
  prompt(label: string): Promise<Text | undefined>;
  /** A file by its path, relative to the folder of the request file. Rejects with a `Problem`. */
  file(path: string): Promise<FileContent>;
}

/** The same sources, but each label is prompted for only once. */
export function promptingOnce(reach: ValueSources): ValueSources {
  const answers = new Map<string, Promise<Text | undefined>>();
  return {
    ...reach,
    prompt: label => {
      const known = answers.get(label) ?? reach.prompt(label);
      answers.set(label, known);
      return known;
    },
  };
}
