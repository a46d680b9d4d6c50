import { fstatSync } from 'node:fs';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import { eventText } from '../../protocol/eventText.ts';
import type { CodedBody, Exchange } from '../../protocol/exchange.ts';
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

/** Secret values of this command; masked in all output. */
export const secretValues = new SecretValues();

/** Registers a secret value. A template is not one until it is filled in. */
export function addSecret(value: unknown): void {
  if (typeof value !== 'string' || !value.includes('{{')) secretValues.add(value);
}

export const json = (value: unknown): string => maskSplitSecrets(jsonText(secretValues.maskIn(value)), text => secretValues.spansIn(text));

let selection: Pick<Selection, 'in'> | undefined;

/** Restricts all JSON output to a selection. */
export function select(wanted: Pick<Selection, 'in'> | undefined): void {
  selection = wanted;
}

/** The values of a JSON object that are to be printed, each on a line of its own; all of it without `--select`. */
export const selectedIn = (value: unknown): readonly unknown[] => selection?.in(value) ?? [value];

/** Prints a JSON object, or what `--select` takes of it. */
export function printValue(value: unknown): void {
  writeLines(selectedIn(value).map(json));
}

/** The progress line below all other output. */
export const progressLine = new ProgressLine();

const guards = { stdout: new PipelineGuard(), stderr: new PipelineGuard() };
let hasToldHarmless = false;

/**
 * Writes text that agents may have written. Where a service reads output for commands, theirs are made harmless, and standard error says so
 * once, after the line.
 */
export function write(stream: 'stdout' | 'stderr', text: string): void {
  process[stream].write(isInPipeline ? guards[stream].harmless(text) : text);
  if (hasToldHarmless || !text.endsWith('\n') || !(guards.stdout.hasChanged || guards.stderr.hasChanged)) return;
  hasToldHarmless = true;
  process.stderr.write(
    'Some of this output looks like commands to the CI service: it was changed (⟨:⟩, ⟨[⟩, ⟨##⟩) so that it is not run. --json has it unchanged.\n',
  );
}

function writeLines(texts: readonly string[]): void {
  progressLine.clear();
  for (const text of texts) {
    const line = `${text}\n`;
    process.stdout.write(process.stdout.isTTY ? escaped(line.replaceAll('\r\n', '\n')) : line);
  }
}

export function print(text: string): void {
  printMasked(secretValues.mask(text));
}

/** Prints a text whose secrets are masked already. */
export function printMasked(text: string): void {
  progressLine.clear();
  write('stdout', `${printable(text)}\n`);
}

/** The same for text that a program reads as it is: an answer that was asked for as it came, commands of ours to a CI service. */
export function printExactly(text: string): void {
  progressLine.clear();
  process.stdout.write(`${printable(text)}\n`);
}

let shared: boolean | undefined;

/** True where standard output and standard error are the same terminal, pipe or file. */
export function outputsAreOne(): boolean {
  shared ??= (process.stdout.isTTY && process.stderr.isTTY) || isSameFile();
  return shared;
}

function isSameFile(): boolean {
  try {
    const [out, err] = [fstatSync(process.stdout.fd), fstatSync(process.stderr.fd)];
    // Windows has no inode number for a pipe.
    return out.ino !== 0 && out.ino === err.ino && out.dev === err.dev;
  } catch {
    // One of them is closed: nothing is shared.
    return false;
  }
}

/** Prints each text on a line of its own on standard error; further lines of a text get a prefix. */
export function printError(...texts: readonly string[]): void {
  progressLine.clear();
  for (const text of texts) write('stderr', `${quoted(secretValues.mask(text))}\n`);
}

/** A body from an agent, with secret values masked, also those that are split over several texts; other bytes as they came. */
export const maskedBody = (body: string): string => maskSplitSecrets(secretValues.mask(body), text => secretValues.spansIn(text));

/** The coding and sizes of a body, or a stream, that is printed decompressed. */
export const codedLine = ({ coding, came, became }: CodedBody): string =>
  `Compressed with ${coding}: ${came} bytes received, ${became} bytes decompressed.`;

/** Id of the exchange printed last, and of the one whose events were printed last. */
let printed: string | undefined;
let streamed: string | undefined;

/**
 * Prints raw answers with secret values masked: bodies when complete, events as they arrive, each with its blank line. Bytes are unchanged
 * for a program or a file; for a terminal, control characters are escaped.
 */
export const rawOutput: WireLog = {
  exchange({ id, endedAt, response }: Exchange) {
    // Findings update an exchange that was already printed.
    if (endedAt === undefined || id === printed) return;
    printed = id;
    if (response?.coded !== undefined) printError(codedLine(response.coded));
    // The body of a stream that came with another media type has been printed as its events.
    if (response?.body === undefined || id === streamed) return;
    const body = maskedBody(response.body);
    writeLines([response.truncated === true ? maskCutSecret(body, secretValues) : body]);
  },
  frames(exchangeId, frames) {
    streamed = exchangeId;
    const masked = <T extends string | undefined>(text: T): T => (text === undefined ? text : (secretValues.mask(text) as T));
    writeLines(
      frames.map(frame => {
        const text = eventText({
          ...frame,
          data: maskedBody(frame.data),
          event: masked(frame.event),
          id: masked(frame.id),
          around: frame.around?.map(masked),
        });
        // The blank line behind an event ends as its other lines do.
        return text.endsWith('\r\n') ? `${text}\r` : text;
      }),
    );
  },
};
