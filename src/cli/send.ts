import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { buffer as readAll } from 'node:stream/consumers';
import type { Message } from '../protocol/message/message.ts';
import type { Part } from '../protocol/message/part.ts';
import { english } from '../protocol/problem.ts';
import { wrongEncoding } from '../request/text/utf8Text.ts';
import { followWithin } from './terminal/commandLimit.ts';
import { filePart } from './terminal/filePart.ts';
import type { Terminal } from './terminal/terminal.ts';
import { FileError, UsageError } from './terminal/usage.ts';

export async function send(terminal: Terminal, [url = '', typed]: readonly string[]): Promise<number> {
  const { values } = terminal;
  if (values.stream === true && values['no-wait'] === true)
    throw new UsageError('--stream and --no-wait exclude each other: the one follows the task to its end, the other leaves it at work.');
  const files = await Promise.all((values.file ?? []).map(filePart));
  const words = typed ?? (files.length === 0 ? await standardInput(terminal.signal) : '');
  const parts: Part[] = [...(words === '' ? [] : [{ text: words }]), ...files];
  if (parts.length === 0) throw new UsageError('There is nothing to send: give a text or a file.');
  const message: Message = {
    messageId: randomUUID(),
    role: 'ROLE_USER',
    parts,
    ...(values.context !== undefined && { contextId: values.context }),
    ...(values.task !== undefined && { taskId: values.task }),
  };
  return followWithin(terminal, url, (follow, { card: { capabilities } }) => {
    if (values['no-wait']) return follow.sendOnly({ message });
    return values.stream && capabilities.streaming === true ? follow.stream('SendStreamingMessage', { message }) : follow.send({ message });
  });
}

/** @throws FileError */
async function standardInput(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) return '';
  const bytes = await readAll(addAbortSignal(signal, process.stdin));
  const foreign = wrongEncoding('The text from standard input', bytes);
  if (foreign !== undefined) throw new FileError(english(foreign));
  return new TextDecoder().decode(bytes).trimEnd();
}
