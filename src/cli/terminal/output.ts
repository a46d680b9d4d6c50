import { fstatSync } from 'node:fs';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { withoutCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { jsonEscape, replaceControls, replaceInvisible, spelledOut } from '../../protocol/hiddenCharacters.ts';
import { withoutSharedSecrets } from '../../protocol/secrets/jsonTexts.ts';
import { SecretValues } from '../../protocol/secrets/secretValues.ts';
import { SplitSecrets } from '../../protocol/secrets/splitSecrets.ts';
import { ProgressLine } from './progressLine.ts';

const escaped = (text: string): string => replaceInvisible(replaceControls(text, jsonEscape), jsonEscape);

/** What Azure Pipelines takes for an order wherever it stands in a line. Those of others are orders at the beginning of a line. */
const order = /##(?=(?:vso)?\[)/g;
/** The beginning of each further line of a text that is told: no line is the text's own. */
const further = '\n  | ';

/** Control characters left out, what nobody sees spelled out. */
const visible = (text: string): string =>
  replaceInvisible(
    replaceControls(text, () => ''),
    spelledOut,
  );

/**
 * Agents' words must not steer the terminal, nor read otherwise than they are: control characters are left out, and what nobody sees is spelled out.
 * `before`: what stands before the text already, a few characters of it.
 */
export const printable = (text: string, before = ''): string => visible(before + text).slice(visible(before).length);
/** The same of words among others: where they have several lines, none of them begins one of its own, and no other program takes them for an order. */
export const told = (text: string, beginning = further): string => printable(text).replaceAll(order, '⟨##⟩').replaceAll('\n', beginning);
/** The same of an id or a name, which is one line. */
export const oneLine = (text: string): string => told(text.replaceAll(/[\n\t]/g, spelledOut));
/** The same for JSON, where all of them are escaped. */
export const jsonText = (value: unknown): string => escaped(JSON.stringify(value)).replaceAll(order, '\\u0023#');

/** Secret values of this command, of which nothing that is printed has any. */
export const secretValues = new SecretValues();

/** A value that is nobody else's to see. A template is none: it is filled in before it is one. */
export function noteSecret(value: unknown): void {
  if (typeof value !== 'string' || !value.includes('{{')) secretValues.add(value);
}

export const json = (value: unknown): string =>
  withoutSharedSecrets(jsonText(secretValues.maskIn(value)), text => secretValues.spansIn(text));

/** What is waited for, below all that was printed. */
export const progressLine = new ProgressLine();

/** Of one JSON text after the other, each printed in a line. */
const lines = new SplitSecrets<string>(secretValues, (_, data) => data);
let patience: NodeJS.Timeout | undefined;

/**
 * Prints JSON in a line of its own. What may be the beginning of a secret value, whose rest comes in another one, waits for that: for two
 * seconds, or until `endLines`. @param text without secret values.
 */
export function printJson(text: string): void {
  writeLines(lines.take(text, text));
  clearTimeout(patience);
  if (lines.wait !== undefined) patience = setTimeout(() => writeLines(lines.giveUp()), lines.wait);
}

/** No more JSON comes that could belong to what was printed. */
export function endLines(): void {
  clearTimeout(patience);
  writeLines(lines.rest());
}

function writeLines(texts: readonly string[]): void {
  progressLine.clear();
  for (const text of texts) process.stdout.write(`${process.stdout.isTTY ? escaped(text) : text}\n`);
}

export function print(text: string): void {
  printMasked(secretValues.mask(text));
}

/** Prints a text in whose values secrets are masked already. */
export function printMasked(text: string): void {
  progressLine.clear();
  process.stdout.write(`${printable(text)}\n`);
}

let shared: boolean | undefined;

/** Standard output and standard error are one screen, pipe or file. */
export function isShared(): boolean {
  shared ??= (process.stdout.isTTY && process.stderr.isTTY) || isOneFile();
  return shared;
}

function isOneFile(): boolean {
  try {
    const [out, err] = [fstatSync(process.stdout.fd), fstatSync(process.stderr.fd)];
    // Windows has no number for a pipe.
    return out.ino !== 0 && out.ino === err.ino && out.dev === err.dev;
  } catch {
    // One of them was closed by whoever started the program: nothing is shared then.
    return false;
  }
}

/** Each text is a line, and what it quotes in further lines stands behind a mark. */
export function tell(...texts: readonly string[]): void {
  progressLine.clear();
  for (const text of texts) process.stderr.write(`${told(secretValues.mask(text))}\n`);
}

/** The exchange whose answer was printed last. */
let printed: string | undefined;

/**
 * Prints answers as they were on the wire, but for secret values: bodies when they are complete, the data of events as they come. To a program
 * or a file that is every byte; in a terminal, which would obey control characters, these are escaped.
 */
export const wire: WireLog = {
  exchange({ id, endedAt, response }: Exchange) {
    // What is found out about an answer that was read is told in its exchange once more.
    if (endedAt === undefined || id === printed) return;
    printed = id;
    endLines();
    if (response?.body === undefined) return;
    const body = withoutSharedSecrets(secretValues.mask(response.body), text => secretValues.spansIn(text));
    writeLines([response.truncated === true ? withoutCutSecret(body, secretValues) : body]);
  },
  frames(_exchangeId, frames) {
    for (const { data } of frames) printJson(secretValues.mask(data));
  },
};
