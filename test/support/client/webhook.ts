import type { OpenThings } from './openThings.ts';

/** A request that a webhook received. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** A webhook on loopback that keeps what it receives; the first so many are answered with HTTP 500. */
export async function webhook(open: OpenThings, failures = 0): Promise<{ readonly url: string; readonly delivered: readonly Delivered[] }> {
  const delivered: Delivered[] = [];
  let left = failures;
  const url = await open.web((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      delivered.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(left-- > 0 ? 500 : 200).end();
    });
  });
  return { url: `${url}hook`, delivered };
}
