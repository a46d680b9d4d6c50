import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { NetworkLoader } from '../network/network.ts';
import { Http } from './http.ts';
import { networkOf, type Network } from './networkAddress.ts';
import { timeLimits } from './timeLimits.ts';

/** Longest file that is read, in bytes. */
const maxBytes = 8 * 1024 * 1024;
const maxRedirects = 5;

/** A file as received; `mediaType` is `""` where the server gave none. */
export interface RemoteFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

export interface RemoteFileOptions {
  /** Address of the agent that refers to the file: an agent on this machine or in this network may have its files there. */
  readonly agentUrl?: string;
  /** Resolves host names; default: the system. */
  readonly lookup?: LookupFunction;
  /** Default: no proxies. */
  readonly network?: NetworkLoader;
}

/**
 * Reads a file that an agent refers to, without the agent's headers, which must not go to other servers. Redirects are followed within one
 * origin, since the person agreed to that address. Addresses in networks that the agent is not part of are refused, both when written as
 * such and when a host name resolves to them while connecting.
 * @throws Problem `bad-link` for anything but a web address, `file-inside` for an address of this machine, this network or a metadata
 * service, `file-elsewhere` for a redirect to another origin, `file-refused`, `file-too-large` beyond 8 MiB; ConnectionProblem where there
 * is no answer
 */
export async function readRemoteFile(
  address: string,
  { agentUrl, lookup = systemLookup as LookupFunction, network }: RemoteFileOptions = {},
): Promise<RemoteFile> {
  const url = webAddress(address);
  const near = agentUrl === undefined || !URL.canParse(agentUrl) ? [] : await networksOf(hostOf(new URL(agentUrl)), lookup);
  const allowed = new Set<Network>(['public', ...near.filter(network => network !== 'forbidden')]);
  // With connections of its own: existing ones were opened under other rules.
  const http = new Http({ lookup: guarded(lookup, allowed), ...(network && { network }) });
  try {
    return await read(url, http, { allowed, lookup });
  } finally {
    await http.close();
  }
}

interface Guard {
  readonly allowed: ReadonlySet<Network>;
  readonly lookup: LookupFunction;
}

async function read(from: URL, http: Http, { allowed, lookup }: Guard): Promise<RemoteFile> {
  let url = from;
  for (let hop = 0; ; hop++) {
    // An IP address is not looked up, so it is checked here.
    if (isIP(hostOf(url)) !== 0 && !allowed.has(networkOf(hostOf(url)))) throw inside(url.hostname);
    // A proxy resolves names itself, so that one is looked up here too. A name that only the proxy resolves is left to it.
    if ((await (await http.network()).proxyFor(url).catch(() => undefined)) !== undefined) {
      const networks = await networksOf(hostOf(url), lookup);
      if (networks.some(each => !allowed.has(each))) throw inside(url.hostname);
    }
    const response = await http.request({
      method: 'GET',
      url,
      headers: [['Accept', '*/*']],
      headersTimeoutMs: timeLimits.fileSilence,
      bodyTimeoutMs: timeLimits.fileSilence,
      timeoutMs: timeLimits.file,
      subject: { operation: 'File', protocolBinding: 'HTTP', protocolVersion: '1.1' },
    });
    const { redirect } = response;
    if (redirect !== undefined && hop < maxRedirects) {
      response.discard();
      if (redirect.origin !== url.origin) {
        throw new Problem('file-elsewhere', sentence('The file is at another origin: {0} redirects to {1}.', url.origin, redirect.origin), {
          nextStep: sentence('Open the link in a browser if you trust that place too.'),
        });
      }
      url = redirect;
      continue;
    }
    if (!response.ok) {
      response.discard();
      throw new Problem(
        'file-refused',
        sentence('The file could not be loaded: {0} answered with status {1}.', url.host, response.status),
        { nextStep: sentence('Open the link in a browser, where you may be signed in.') },
      );
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.chunks()) {
      length += chunk.byteLength;
      if (length > maxBytes)
        throw new Problem('file-too-large', sentence('The file exceeds the limit of {0} MiB.', maxBytes / 1024 / 1024), {
          nextStep: sentence('Open the link in a browser.'),
        });
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), mediaType: response.mediaType };
  }
}

function webAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Problem('bad-link', sentence('Only files at web addresses can be loaded.'));
  // A user name and password in the address come from the agent and must not be sent as the person's credentials.
  url.username = '';
  url.password = '';
  return url;
}

/** The host without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The networks of a host; empty where its name is unknown. */
async function networksOf(host: string, lookup: LookupFunction): Promise<Network[]> {
  if (isIP(host) !== 0) return [networkOf(host)];
  const { promise, resolve } = Promise.withResolvers<Network[]>();
  lookup(host, { all: true }, (error, found) => resolve(error !== null ? [] : addressesIn(found).map(networkOf)));
  return promise;
}

/** Refuses a host name with any address that is not allowed: which of its addresses is used is decided later. */
const guarded =
  (lookup: LookupFunction, allowed: ReadonlySet<Network>): LookupFunction =>
  (host, options, callback) => {
    lookup(host, options, (error, found, family) => {
      const refused = error === null && addressesIn(found).some(address => !allowed.has(networkOf(address)));
      if (refused) callback(inside(host), '', 0);
      else callback(error, found, family);
    });
  };

const addressesIn = (found: Parameters<Parameters<LookupFunction>[2]>[1]): readonly string[] =>
  typeof found === 'string' ? [found] : found.map(({ address }) => address);

const inside = (host: string): Problem =>
  new Problem(
    'file-inside',
    sentence('The file was not requested: {0} is on this machine, its network or its cloud, and the agent is not.', host),
    {
      nextStep: sentence('Open the link in a browser if you trust the agent that far.'),
    },
  );
