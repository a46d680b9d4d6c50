import { Problem, sentence } from '../protocol/problem.ts';
import type { Http } from './http.ts';

/** Longest file that is read. */
const maxBytes = 8 * 1024 * 1024;
const maxRedirects = 5;
const headersTimeoutMs = 20_000;
const bodyTimeoutMs = 20_000;
const timeoutMs = 60_000;

/** A file as its server gave it; `mediaType` is `""` where it named none. */
export interface RemoteFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/**
 * Reads a file that an agent refers to, without any header of the agent's: who asks for it is not to be told by it. Redirects are
 * followed within one origin, since the person agreed to that address.
 * @throws Problem `bad-link` for anything but a web address, `file-elsewhere` where it leads to another origin, `file-refused`,
 * `file-too-large` beyond 8 MiB; ConnectionProblem where there is no answer.
 */
export async function readRemoteFile(address: string, http: Http): Promise<RemoteFile> {
  let url = webAddress(address);
  for (let hop = 0; ; hop++) {
    const response = await http.request({
      method: 'GET', url, headers: [['Accept', '*/*']], headersTimeoutMs, bodyTimeoutMs, timeoutMs,
      subject: { operation: 'File', protocolBinding: 'HTTP', protocolVersion: '1.1' },
    });
    const { redirect } = response;
    if (redirect !== undefined && hop < maxRedirects) {
      response.discard();
      if (redirect.origin !== url.origin) {
        throw new Problem('file-elsewhere', sentence('The file is not there: {0} leads to {1}.', url.origin, redirect.origin), { nextStep: sentence('Open the link in a browser if you trust that place too.') });
      }
      url = redirect;
      continue;
    }
    if (!response.ok) {
      response.discard();
      throw new Problem('file-refused', sentence('The file could not be loaded: {0} answered with status {1}.', url.host, response.status), { nextStep: sentence('Open the link in a browser, where you may be signed in.') });
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.chunks()) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new Problem('file-too-large', sentence('The file is longer than {0} MiB, the most that is loaded.', maxBytes / 1024 / 1024), { nextStep: sentence('Open the link in a browser.') });
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), mediaType: response.mediaType };
  }
}

function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Problem('bad-link', sentence('Only files at web addresses can be loaded.'));
  // A name and a password in an address are the agent's to give away, and not to be sent as if they were the person's.
  url.username = '';
  url.password = '';
  return url;
}
