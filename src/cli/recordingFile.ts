import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { english, Problem } from '../protocol/problem.ts';
import { maxRecordingLength, readRecording, type Recording } from '../recording/recording.ts';
import { FileError } from './terminal/usage.ts';

/** @throws FileError */
export async function readRecordingFile(path: string, cwd: string): Promise<Recording> {
  const whole = resolve(cwd, path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new FileError(found === undefined ? `File not found: ${path}` : `${path} is not a file.`);
  if (found.size > 2 * maxRecordingLength) throw new FileError(`${path} is larger than any recording.`);
  try {
    return readRecording(await readFile(whole, 'utf8'));
  } catch (error) {
    if (!(error instanceof Problem)) throw new FileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    throw new FileError(`${path}: ${english(error.sentence)}`, { cause: error });
  }
}
