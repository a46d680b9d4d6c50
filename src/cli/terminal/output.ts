import { fstatSync } from 'node:fs';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import { eventText } from '../../protocol/eventText.ts';
import type { CodedBody, Exchange, Frame } from '../../protocol/exchange.ts';
import { jsonEscape, replaceControls, replaceInvisible, spelledOut } from '../../protocol/hiddenCharacters.ts';
import { pipelineCommand } from '../../protocol/pipelineCommand.ts';
import { maskSplitSecrets } from '../../protocol/secrets/jsonTexts.ts';
import { SecretValues } from '../../protocol/secrets/secretValues.ts';
import { isInPipeline, PipelineGuard } from './pipelineGuard.ts';
import { ProgressLine } from './progressLine.ts';
import type { Selection } from './selection.ts';

const escaped = (text: string): string => replaceInvisible(replaceControls(text, jsonEscape), jsonEscape);

/** Prefix of each further line of a quoted text, so that no line is the quoted text alone. */
const linePrefix = '\n  | ';

/** Spells out control characters, but for carriage returns, which it removes, and invisible ones. */
const visible = (text: string): string => replaceInvisible(replaceControls(text.replaceAll('\r', ''), spelledOut), spelledOut);

/**
 * Text from agents must not control the terminal or look different from what it is: control and invisible characters are spelled out.
 * `before`: the last few characters already printed, which may decide how the text is to be read.
 */
export const printable = (text: string, before = ''): string =>
  before === '' ? visible(text) : visible(before + text).slice(visible(before).length);
/** Like `printable`, with commands to CI services defused: after it, since a character that it removes may stand in one. */
export const harmless = (text: string): string => printable(text).replaceAll(pipelineCommand, '⟨##⟩');
/** Like `harmless`, for a text inside other output, also in files: further lines get the prefix `beginning`. */
export const quoted = (text: string, beginning = linePrefix): string => harmless(text).replaceAll('\n', beginning);
/** Like `quoted`, for an id or a name on one line. */
export const oneLine = (text: string): string => quoted(text.replaceAll(/[\n\t]/g, spelledOut));
/** Like `harmless`, for code: all is an escape of JSON and JavaScript, so that its texts keep their meaning. */
export const escapedCode = (text: string): string => escaped(text).replaceAll(pipelineCommand, '\\u0023#');
export const jsonText = (value: unknown): string => escapedCode(JSON.stringify(value));

/** The parts of a process that the program uses. */
export type Host = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>;

/** The output of one run of the program, and the secret values that are masked in it. */
export class Output {
  /** Secret values of this run; masked in all output. */
  readonly secrets = new SecretValues();
  /** The progress line below all other output. */
  readonly progress: ProgressLine;
  /** Restricts all JSON output to a selection. */
  selection: Pick<Selection, 'in'> | undefined;
  readonly #host: Host;
  /** Undefined where no service reads the output for commands. */
  readonly #guards: Readonly<Record<'stdout' | 'stderr', PipelineGuard>> | undefined;
  #hasToldHarmless = false;
  #shared: boolean | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.progress = new ProgressLine(host);
    this.#guards = isInPipeline(host.env) ? { stdout: new PipelineGuard(), stderr: new PipelineGuard() } : undefined;
  }

  /** Registers a secret value. A template is not one until it is filled in. */
  addSecret(value: unknown): void {
    if (typeof value !== 'string' || !value.includes('{{')) this.secrets.add(value);
  }

  readonly mask = <T extends string | undefined>(text: T): T => (text === undefined ? text : (this.secrets.mask(text) as T));

  /** A body from an agent, with secret values masked, also those that are split over several texts; other bytes as they came. */
  maskedBody(body: string): string {
    return maskSplitSecrets(this.secrets.mask(body), text => this.secrets.spansIn(text));
  }

  /** An exchange with its events, without the bytes of bodies that are no text. Only the credentials of its request are masked in it. */
  maskedExchange({ exchange, frames }: { readonly exchange: Exchange; readonly frames: readonly Frame[] }): {
    readonly exchange: Exchange;
    readonly frames: readonly Frame[];
  } {
    const { request, response, failure } = exchange;
    const headers = (of: Exchange['request']['headers']) => of.map(([name, value]) => [name, this.mask(value)] as const);
    return {
      exchange: {
        ...exchange,
        request: {
          ...request,
          url: this.mask(request.url),
          headers: headers(request.headers),
          body: this.maskedBody(request.body),
          bytes: undefined,
        },
        ...(response !== undefined && {
          response: {
            ...response,
            headers: headers(response.headers),
            ...(response.body !== undefined && { body: this.maskedBody(response.body) }),
            bytes: undefined,
          },
        }),
        ...(failure !== undefined && { failure: this.mask(failure), failureSentence: undefined }),
      },
      frames: frames.map(({ bytes: _bytes, ...frame }) => ({
        ...frame,
        data: this.maskedBody(frame.data),
        ...(frame.around !== undefined && { around: frame.around.map(this.mask) }),
      })),
    };
  }

  json(value: unknown): string {
    return maskSplitSecrets(jsonText(this.secrets.maskIn(value)), text => this.secrets.spansIn(text));
  }

  /** The values of a JSON object that are to be printed, each on a line of its own; all of it without `--select`. */
  selectedIn(value: unknown): readonly unknown[] {
    return this.selection?.in(value) ?? [value];
  }

  /** Prints a JSON object, or what `--select` takes of it. */
  printValue(value: unknown): void {
    this.#writeLines(this.selectedIn(value).map(one => this.json(one)));
  }

  /**
   * Writes text that agents may have written. Where a service reads output for commands, theirs are made harmless, and standard error says so
   * once, after the line.
   */
  write(stream: 'stdout' | 'stderr', text: string): void {
    const guards = this.#guards;
    this.#host[stream].write(guards?.[stream].harmless(text) ?? text);
    if (guards === undefined || this.#hasToldHarmless || !text.endsWith('\n') || !(guards.stdout.hasChanged || guards.stderr.hasChanged))
      return;
    this.#hasToldHarmless = true;
    this.#host.stderr.write(
      'Some of this output looks like commands to the CI service: it was changed (⟨:⟩, ⟨[⟩, ⟨##⟩) so that it is not run. --json has it unchanged.\n',
    );
  }

  #writeLines(texts: readonly string[]): void {
    const { stdout } = this.#host;
    this.progress.clear();
    for (const text of texts) {
      const line = `${text}\n`;
      stdout.write(stdout.isTTY ? escaped(line.replaceAll('\r\n', '\n')) : line);
    }
  }

  print(text: string): void {
    this.printMasked(this.secrets.mask(text));
  }

  /** Prints a text whose secrets are masked already. */
  printMasked(text: string): void {
    this.progress.clear();
    this.write('stdout', `${printable(text)}\n`);
  }

  /** The same for text that a program reads as it is: an answer that was asked for as it came, commands of ours to a CI service. */
  printExactly(text: string): void {
    this.progress.clear();
    this.#host.stdout.write(`${printable(text)}\n`);
  }

  /** Prints each text on a line of its own on standard error; further lines of a text get a prefix. */
  printError(...texts: readonly string[]): void {
    this.progress.clear();
    for (const text of texts) this.write('stderr', `${quoted(this.secrets.mask(text))}\n`);
  }

  /** True where standard output and standard error are the same terminal, pipe or file. */
  get isShared(): boolean {
    const { stdout, stderr } = this.#host;
    return (this.#shared ??= (stdout.isTTY && stderr.isTTY) || isSameFile(stdout.fd, stderr.fd));
  }

  /**
   * Prints raw answers with secret values masked: bodies when complete, events as they arrive, each with its blank line. Bytes are unchanged
   * for a program or a file; for a terminal, control characters are escaped.
   */
  rawLog(): WireLog {
    /** Id of the exchange printed last, and of the one whose events were printed last. */
    let printed: string | undefined;
    let streamed: string | undefined;
    return {
      exchange: ({ id, endedAt, response }) => {
        // Findings update an exchange that was already printed.
        if (endedAt === undefined || id === printed) return;
        printed = id;
        if (response?.coded !== undefined) this.printError(codedLine(response.coded));
        // The body of a stream that came with another media type has been printed as its events.
        if (response?.body === undefined || id === streamed) return;
        const body = this.maskedBody(response.body);
        this.#writeLines([response.truncated === true ? maskCutSecret(body, this.secrets) : body]);
      },
      frames: (exchangeId, frames) => {
        streamed = exchangeId;
        this.#writeLines(
          frames.map(frame => {
            const text = eventText({
              ...frame,
              data: this.maskedBody(frame.data),
              event: this.mask(frame.event),
              id: this.mask(frame.id),
              around: frame.around?.map(this.mask),
            });
            // The blank line behind an event ends as its other lines do.
            return text.endsWith('\r\n') ? `${text}\r` : text;
          }),
        );
      },
    };
  }
}

function isSameFile(stdout: number, stderr: number): boolean {
  try {
    const [out, err] = [fstatSync(stdout), fstatSync(stderr)];
    // Windows has no inode number for a pipe.
    return out.ino !== 0 && out.ino === err.ino && out.dev === err.dev;
  } catch {
    // One of them is closed: nothing is shared.
    return false;
  }
}

/** The coding and sizes of a body, or a stream, that is printed decompressed. */
export const codedLine = ({ coding, came, became }: CodedBody): string =>
  `Compressed with ${coding}: ${came} bytes received, ${became} bytes decompressed.`;
