import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Message } from '../protocol/message.ts';
import type { Part } from '../protocol/part.ts';
import { mediaTypeOfName } from '../request/mediaTypes.ts';
import { Follow } from './follow.ts';
import { connect, type Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

export async function send(terminal: Terminal, [url = '', typed]: readonly string[]): Promise<number> {
  const { values } = terminal;
  const files = await Promise.all((values.file ?? []).map(filePart));
  const words = typed ?? (files.length === 0 ? await standardInput() : '');
  const parts: Part[] = [...(words === '' ? [] : [{ text: words }]), ...files];
  if (parts.length === 0) throw new UsageError('There is nothing to send: give a text or a file.');
  const message: Message = {
    messageId: randomUUID(), role: 'ROLE_USER', parts,
    ...(values.context !== undefined && { contextId: values.context }), ...(values.task !== undefined && { taskId: values.task }),
  };
  const client = await connect(terminal, url);
  const follow = new Follow(terminal, client);
  if (values['no-wait']) return follow.sendOnly({ message });
  return values.stream && client.card.capabilities.streaming === true ? follow.stream('SendStreamingMessage', { message }) : follow.send({ message });
}

const standardInput = async (): Promise<string> => (process.stdin.isTTY ? '' : (await readAll(process.stdin)).trimEnd());

async function filePart(path: string): Promise<Part> {
  try {
    const raw = (await readFile(path)).toString('base64');
    return { raw, filename: basename(path), mediaType: mediaTypeOfName(path) };
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
