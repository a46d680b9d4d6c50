import { closeSync, constants, lstatSync, openSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isWindowsDevice } from '../../../model/fileNames.ts';
import { UnfinishedFile, writeAll } from '../../../model/writtenFile.ts';
import { FileError, WriteError } from '../../terminal/usage.ts';
import { linkSentence, makeNamedFolder } from './namedFolder.ts';

/** A file that a report is written to. It is there when the report is whole; what was there before stays until then. */
export interface ReportFile {
  /** @throws WriteError */
  write(text: string): void;
  /** @throws WriteError */
  finish(): void;
  /** Does nothing to one that is finished. */
  discard(): void;
}

/** Folders of files that are open already: `/dev/stdout`, or `>(…)` of a shell, which is `/dev/fd/63`. */
const openAlready = /^\/(dev|(dev|proc)\/(.*\/)?fd)$/;

/**
 * @param path as it is named in errors
 * @param cwd folder in which a relative path begins
 * @param system `process.platform`
 * @throws FileError
 */
export function openReportFile(path: string, cwd: string, system: string = process.platform): ReportFile {
  try {
    const { write, finish, discard } = opened(path, cwd, system);
    const withPath = <T extends unknown[]>(work: (...args: T) => void): ((...args: T) => void) => {
      return (...args) => {
        try {
          work(...args);
        } catch (cause) {
          throw new WriteError(`The report could not be written to ${path}: ${(cause as Error).message}`, { cause });
        }
      };
    };
    return { write: withPath(write), finish: withPath(finish), discard };
  } catch (cause) {
    throw new FileError(`The report cannot be written to ${path}: ${(cause as Error).message}`, { cause });
  }
}

function opened(path: string, cwd: string, system: string): ReportFile {
  if (system === 'win32' && isWindowsDevice(path)) return straight(openSync(path, 'w'));
  if (/[\\/]$/.test(path)) throw new Error('that is the name of a folder');
  const whole = resolve(cwd, path);
  const found = lstatSync(whole, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) {
    if (!openAlready.test(realpathSync(dirname(whole)))) throw new Error(linkSentence(path));
    return straight(openSync(whole, 'w'));
  }
  makeNamedFolder(dirname(path), cwd);
  // A pipe or a device has no place that a file could be put in.
  if (found !== undefined && !found.isFile()) {
    const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
    if (!found.isFIFO()) return straight(openSync(whole, flags));
    const probe = openedPipe(whole, flags);
    try {
      return straight(openSync(whole, flags));
    } finally {
      closeSync(probe);
    }
  }
  const file = new UnfinishedFile(whole);
  return { write: text => file.write(text), finish: () => file.finish(), discard: () => file.discard() };
}

/** Opening a pipe without a reader would block the process without end, signals included. */
function openedPipe(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NONBLOCK);
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ENXIO' ? new Error('nothing reads from this pipe', { cause }) : cause;
  }
}

function straight(descriptor: number): ReportFile {
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return { write: text => writeAll(descriptor, text), finish: close, discard: close };
}
