import { pipelineCommandEnd } from '../../protocol/pipelineCommand.ts';

/** True in a CI service, which reads the output for commands of its own. */
export const isInPipeline = (env: NodeJS.ProcessEnv): boolean =>
  ['CI', 'GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'].some(name => (env[name] ?? '') !== '');

/** GitHub Actions reads `::` at the start of a line, also after blanks; what is read anywhere is in `pipelineCommand.ts`. */
const command = new RegExp(`(?<=(?:^|[\\n\\r])[^\\S\\n\\r]*:):|${pipelineCommandEnd.source}`, 'gi');

/** Makes commands to such a service harmless in one output stream, however they are split over the pieces that are written. */
export class PipelineGuard {
  /** The characters that decide how the next one of the line is read. */
  #before = '';
  #hasChanged = false;

  /** True once a command was made harmless. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** The next piece. The last character of a command is changed, so that nothing has to be held back. */
  harmless(piece: string): string {
    const changed = (this.#before + piece).replace(command, last => {
      this.#hasChanged = true;
      return `⟨${last}⟩`;
    });
    // `quoted` has done it already.
    if (piece.includes('⟨##⟩')) this.#hasChanged = true;
    const line = changed.slice(Math.max(changed.lastIndexOf('\n'), changed.lastIndexOf('\r')) + 1);
    const text = changed.slice(this.#before.length);
    // Blanks alone do not begin a line; of other text a mark stands for all but its end.
    this.#before = /^\s*:?$/.test(line) ? line.trimStart() : `x${line.slice(-maxBefore)}`;
    return text;
  }
}

/** Maximum length of what is kept of a line before its last character, in UTF-16 code units. */
const maxBefore = '##teamcity'.length;
