import { fstatSync } from 'node:fs';
import type { WireLog } from '../client/wireLog.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { SecretValues } from '../protocol/secretValues.ts';
import { SplitSecrets } from '../protocol/splitSecrets.ts';
import { replaceTurning, unturned } from '../protocol/turning.ts';

/** All of what steers a terminal, but tab and line feed. */
const controls = /[^\P{Cc}\t\n]/gu;
/** As JSON escapes it, which leaves a text in JSON the text it is. */
const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escaped = (text: string): string => replaceTurning(text.replaceAll(controls, escape), escape);

/** Agents' words must not steer the terminal, nor be read in another order: control characters are left out, what turns text is spelled out. */
export const printable = (text: string): string => unturned(text.replaceAll(controls, ''));
/** The same for JSON, where all of them are escaped. */
export const jsonText = (value: unknown): string => escaped(JSON.stringify(value));

/** Secret values of this command, of which nothing that is printed has any. */
export const secretValues = new SecretValues();

/** A value that is nobody else's to see. A template is none: it is filled in before it is one. */
export function noteSecret(value: unknown): void {
  if (typeof value !== 'string' || !value.includes('{{')) secretValues.add(value);
}

export const json = (value: unknown): string => jsonText(secretValues.maskIn(value));

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
  for (const text of texts) process.stdout.write(`${process.stdout.isTTY ? escaped(text) : text}\n`);
}

export function print(text: string): void {
  printMasked(secretValues.mask(text));
}

/** Prints a text in whose values secrets are masked already. */
export function printMasked(text: string): void {
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

export function tell(text: string): void {
  process.stderr.write(`${printable(secretValues.mask(text))}\n`);
}

/**
 * Prints answers as they were on the wire, but for secret values: bodies when they are complete, the data of events as they come. To a program
 * or a file that is every byte; in a terminal, which would obey control characters, these are escaped.
 */
export const wire: WireLog = {
  exchange({ endedAt, response }: Exchange) {
    if (endedAt === undefined) return;
    endLines();
    if (response?.body !== undefined) writeLines([secretValues.mask(response.body)]);
  },
  frames(_exchangeId, frames) {
    for (const { data } of frames) printJson(secretValues.mask(data));
  },
};
