/** Bytes of a file that a request names. */
export interface FileContent {
  /** The last part of its path. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How far templates may reach beyond their file; each edge (editor, terminal) gives its own. */
export interface ValueSources {
  /** A variable of the process environment. */
  env(name: string): string | undefined;
  /** From where the person keeps secrets. */
  secret(name: string): Promise<string | undefined>;
  /** Asks the person; undefined where they give no answer. */
  prompt(label: string): Promise<string | undefined>;
  /** A file by its path from the request file's folder. Rejects with a `Problem`. */
  file(path: string): Promise<FileContent>;
}

/** The same reach, which asks the person for each label only once. */
export function askingOnce(reach: ValueSources): ValueSources {
  const answers = new Map<string, Promise<string | undefined>>();
  return {
    env: name => reach.env(name),
    secret: name => reach.secret(name),
    file: path => reach.file(path),
    prompt: label => {
      const known = answers.get(label) ?? reach.prompt(label);
      answers.set(label, known);
      return known;
    },
  };
}
