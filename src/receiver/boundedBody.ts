import type { IncomingMessage } from 'node:http';

/** The body of a request; undefined where it is longer than so many bytes. Rejects where the sender breaks off or is too slow. */
export async function boundedBody(message: IncomingMessage, bodyBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > bodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
