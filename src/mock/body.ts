import type { IncomingMessage } from 'node:http';

const maxBodyBytes = 32 * 1024 * 1024;

/** The body of a request as text; undefined where it exceeds the size limit. */
export async function bodyOf(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
