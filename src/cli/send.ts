import { addAbortSignal } from 'node:stream';
import { buffer as readAll } from 'node:stream/consumers';
import type { Part } from '../protocol/message/part.ts';
import { english } from '../protocol/problem.ts';
import { wrongEncoding } from '../request/text/utf8Text.ts';
import { filePart } from './terminal/filePart.ts';
import type { Terminal } from './terminal/terminal.ts';
import { inTerminalContext } from './terminal/terminalContext.ts';
import { FileError, UsageError } from './terminal/usage.ts';

export async function send(terminal: Terminal, [url = '', typed]: readonly string[]): Promise<number> {
  const { values } = terminal;
  if (values.stream === true && values['no-wait'] === true)
    throw new UsageError('--stream and --no-wait exclude each other: the one follows the task to its end, the other leaves it at work.');
  const files = await Promise.all((values.file ?? []).map(path => filePart(path, terminal.host.cwd())));
  const words = typed ?? (files.length === 0 ? await standardInput(terminal) : '');
  const parts: Part[] = [...(words === '' ? [] : [{ text: words }]), ...files];
  if (parts.length === 0) throw new UsageError('Nothing to send: add a text or a file.');
  return inTerminalContext(terminal, url, (context, limit) =>
    context.send(
      {
        parts,
        target: values.task === undefined ? 'new-task' : { taskId: values.task },
        streaming: values.stream === true,
        ...(values['no-wait'] === true && { leaves: true, configuration: { returnImmediately: true } }),
      },
      { limit },
    ),
  );
}

/** @throws FileError */
async function standardInput({ host: { stdin }, signal }: Terminal): Promise<string> {
  if (stdin.isTTY) return '';
  const bytes = await readAll(addAbortSignal(signal, stdin));
  const foreign = wrongEncoding('The text from standard input', bytes);
  if (foreign !== undefined) throw new FileError(english(foreign));
  return new TextDecoder().decode(bytes).trimEnd();
}
