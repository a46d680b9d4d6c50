import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError, WriteError } from '../../terminal/usage.ts';

/** A file that a report is written to. */
export interface ReportFile {
  readonly path: string;
  readonly descriptor: number;
  close(): void;
}

/** @throws FileError */
export function openReportFile(path: string): ReportFile {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const descriptor = openSync(path, 'w');
    return { path, descriptor, close: () => closeSync(descriptor) };
  } catch (cause) {
    throw new FileError(`The report cannot be written to ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** @throws WriteError */
export function writeReport({ path, descriptor }: ReportFile, text: string): void {
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  } catch (cause) {
    throw new WriteError(`The report could not be written to ${path}: ${(cause as Error).message}`, { cause });
  }
}
