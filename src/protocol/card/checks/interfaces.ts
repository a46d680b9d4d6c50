import { operationPath } from '../operationPath.ts';
import { listOf, sentence } from '../../problem.ts';
import { wrongScheme } from '../webScheme.ts';
import { isLoopback } from '../agentOrigin.ts';
import { isObject } from '../../json.ts';
import { objectsIn, textIn, type CardCheck, type CardFault, type CardPath, type CheckedCard } from './cardFault.ts';

/** One address of the card with the binding and version it declares. */
interface Entry {
  readonly path: CardPath;
  readonly url: string | undefined;
  readonly binding: string | undefined;
  /** The member with the binding. */
  readonly bindingName: string;
  readonly version?: string | undefined;
  readonly tenant?: string | undefined;
}

function entriesOf({ card, form }: CheckedCard): Entry[] {
  if (form === '1.0') {
    return objectsIn(card['supportedInterfaces']).map(([index, { url, protocolBinding, protocolVersion, tenant }]) => ({
      path: ['supportedInterfaces', index],
      url: textIn(url),
      binding: textIn(protocolBinding),
      bindingName: 'protocolBinding',
      version: textIn(protocolVersion),
      tenant: textIn(tenant),
    }));
  }
  const main = { path: [], url: textIn(card['url']), binding: textIn(card['preferredTransport']), bindingName: 'preferredTransport' };
  const more = objectsIn(card['additionalInterfaces']).map(([index, { url, transport }]) => ({
    path: ['additionalInterfaces', index],
    url: textIn(url),
    binding: textIn(transport),
    bindingName: 'transport',
  }));
  return [main, ...more];
}

const bindings = ['JSONRPC', 'GRPC', 'HTTP+JSON'];
/** Common misspellings of bindings, in lower case, letters only. */
const misspelt: Readonly<Record<string, string>> = {
  jsonrpc: 'JSONRPC',
  jsonrpc20: 'JSONRPC',
  grpc: 'GRPC',
  httpjson: 'HTTP+JSON',
  http: 'HTTP+JSON',
  rest: 'HTTP+JSON',
  restjson: 'HTTP+JSON',
};

const bindingMeant = (name: string): string | undefined => {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return Object.hasOwn(misspelt, letters) ? misspelt[letters] : undefined;
};

const emptyText = (path: CardPath, name: string): CardFault => ({
  code: 'empty-text',
  path: [...path, name],
  severity: 'warning',
  sentence: sentence('The required text {0} is empty.', name),
  fixes: [],
});

/** A binding is one of the three core names or a URI (A2A 1.0 §5.8). */
export const bindingNames: CardCheck = function* (card) {
  for (const { binding, bindingName, path } of entriesOf(card)) {
    if (binding === '') yield emptyText(path, bindingName);
    if (binding === undefined || binding === '' || bindings.includes(binding) || /^[a-z][a-z0-9+.-]*:./i.test(binding)) continue;
    const right = bindingMeant(binding);
    const at = [...path, bindingName];
    yield {
      code: 'binding',
      path: at,
      severity: 'warning',
      sentence: sentence('"{0}" is not a protocol binding: there are {1}, and custom ones are URIs.', binding, listOf(bindings)),
      fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: [{ path: at, value: right }] }],
    };
  }
};

/** The version of an interface is Major.Minor (A2A 1.0 §3.6). */
export const versionNumbers: CardCheck = function* (card) {
  for (const { version, path } of entriesOf(card)) {
    if (version === undefined || version === '' || /^\d+\.\d+$/.test(version)) continue;
    const right = /^v?(\d+)(?:\.(\d+))?/.exec(version);
    const number = right === null ? '1.0' : `${right[1]}.${right[2] ?? '0'}`;
    const at = [...path, 'protocolVersion'];
    yield {
      code: 'version-number',
      path: at,
      severity: 'warning',
      sentence: sentence('A protocol version is Major.Minor, such as 1.0, not "{0}".', version),
      fixes: [{ title: sentence('Change to "{0}"', number), edits: [{ path: at, value: number }] }],
    };
  }
};

/** A card that declares a protocol version has an interface that uses it (A2A 1.0 §8.3.1, 0.3 §5.6). */
export const statedVersion: CardCheck = function* (card) {
  const version = /^(\d+\.\d+)/.exec(textIn(card.card['protocolVersion']) ?? '')?.[1];
  if (version === undefined) return;
  const entries = entriesOf(card);
  const path = ['protocolVersion'];
  const title = sentence('Add the interface for {0}', version);
  const added = ({ url = '', binding = 'JSONRPC' }: Entry): object => ({ url, protocolBinding: binding, protocolVersion: version });
  if (card.form === '0.3') {
    if (Number.parseFloat(version) < 1) return;
    yield {
      code: 'no-interface',
      path,
      severity: 'error',
      sentence: sentence(
        'The card states version {0}, whose interfaces belong in supportedInterfaces, but has only an address in the 0.3 form.',
        version,
      ),
      fixes: [{ title, edits: [{ path: ['supportedInterfaces'], value: entries.filter(({ url }) => url !== undefined).map(added) }] }],
    };
    return;
  }
  // A 0.3 `url` beside `supportedInterfaces` counts as an interface of its own.
  if (entries.some(entry => entry.version === undefined || entry.version.startsWith(version)) || card.card['url'] !== undefined) return;
  const [first] = entries;
  yield {
    code: 'no-interface',
    path,
    severity: 'error',
    sentence: sentence('The card states version {0} and no interface uses it.', version),
    fixes: first === undefined ? [] : [{ title, edits: [{ path: ['supportedInterfaces', entries.length], value: added(first) }] }],
  };
};

/** No two interfaces are equal (A2A 1.0 §8.3), and one address uses one transport (0.3 §5.6.4). */
export const distinct: CardCheck = function* (card) {
  const seen = new Map<string, Entry>();
  for (const entry of entriesOf(card)) {
    const { url, binding = 'JSONRPC', version, tenant, path } = entry;
    if (url === undefined) continue;
    const key = card.form === '1.0' ? JSON.stringify([url, binding, version, tenant]) : url;
    const before = seen.get(key);
    seen.set(key, entry);
    if (before === undefined) continue;
    if (card.form === '1.0') {
      yield { code: 'duplicate-interface', path, severity: 'warning', fixes: [], sentence: sentence('This interface is listed twice.') };
    } else if ((before.binding ?? 'JSONRPC') !== binding) {
      yield {
        code: 'conflicting-transports',
        path: [...path, entry.binding === undefined ? 'url' : entry.bindingName],
        severity: 'error',
        fixes: [],
        sentence: sentence('The same address is said to use {0} and {1}.', before.binding ?? 'JSONRPC', binding),
      };
    }
  }
};

/**
 * Streaming needs an interface that can stream: the core bindings can (A2A 1.0 §3.5); of custom bindings it is unknown, so they are not
 * reported.
 */
export const streaming: CardCheck = function* (card) {
  const { capabilities } = card.card;
  const entries = entriesOf(card).filter(({ url }) => url !== undefined);
  if (!isObject(capabilities) || capabilities['streaming'] !== true || entries.length === 0) return;
  if (entries.some(({ binding = 'JSONRPC' }) => bindings.includes(binding) || bindingMeant(binding) !== undefined)) return;
  const path = ['capabilities', 'streaming'];
  yield {
    code: 'no-stream',
    path,
    severity: 'warning',
    sentence: sentence('The card claims streaming, and no interface uses a binding that streams: {0}.', listOf(bindings)),
    fixes: [{ title: sentence('Change to "{0}"', 'false'), edits: [{ path, value: false }] }],
  };
};

/** Addresses are absolute URLs of an interface, not of a card or an operation (A2A 1.0 §4.4.6). */
export const addresses: CardCheck = function* (card) {
  for (const { url, binding = 'JSONRPC', path } of entriesOf(card)) {
    if (url === '') yield emptyText(path, 'url');
    else if (url !== undefined) yield* addressFaults([...path, 'url'], url, binding.toUpperCase());
  }
};

function* addressFaults(path: CardPath, written: string, binding: string): Iterable<CardFault> {
  const fault = (code: string, severity: CardFault['severity'], said: CardFault['sentence'], right?: string): CardFault => ({
    code,
    path,
    severity,
    sentence: said,
    fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: [{ path, value: right }] }],
  });
  if (written !== written.trim()) yield fault('url-space', 'error', sentence('The address has spaces around it.'), written.trim());
  // Cards give the address of gRPC as a URL, as host:port or as a host; the texts have all.
  if (binding === 'GRPC' && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(written)) return;
  const wrong = wrongScheme(written);
  if (wrong !== undefined) {
    yield fault('url-scheme', 'error', wrong.sentence, wrong.meant);
    return;
  }
  // A host and a port alone would be taken for a scheme.
  const isHost = /^[\w.-]+:\d{1,5}(?:\/|$)/.test(written);
  if (isHost || !URL.canParse(written)) {
    const scheme = /^(?:localhost|127\.[\d.]+)[:/]/.test(written) ? 'http' : 'https';
    const isMeant = isHost || /^[\w-]+(\.[\w-]+)+([:/]|$)/.test(written);
    const guess = isMeant && URL.canParse(`${scheme}://${written}`) ? `${scheme}://${written}` : undefined;
    yield fault(
      'url-relative',
      'error',
      sentence('The address of an interface must be absolute, such as https://agents.example/a2a.'),
      guess,
    );
    return;
  }
  const url = new URL(written);
  if (!/^(https?|grpcs?|dns|wss?):$/.test(url.protocol))
    yield fault('url-scheme', 'error', sentence('{0} is not a URL scheme that agents use.', url.protocol));
  const isUnspecified = url.hostname === '0.0.0.0' || url.hostname === '[::]';
  if (isUnspecified)
    yield fault(
      'url-unspecified',
      'error',
      sentence('{0} is an address to listen on; clients cannot connect to it.', url.hostname),
      written.replace(url.hostname, 'localhost'),
    );
  if (url.username !== '' || url.password !== '')
    yield fault('url-credential', 'error', sentence('The address contains a credential, and agent cards are public.'));
  const card = /\/\.well-known\/agent(-card)?\.json$/.exec(url.pathname);
  if (card !== null)
    yield fault('url-of-card', 'error', sentence('This is the address of a card, not of an interface.'), written.replace(card[0], '/'));
  const operation = operationPath.exec(url.pathname);
  if (operation !== null)
    yield fault(
      'url-of-operation',
      'error',
      sentence('{0} is the path of one operation; clients add it to the address of the interface themselves.', `/${operation[2]!}`),
      written.replace(operation[0], operation[1] ?? ''),
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isUnspecified) {
    yield fault(
      'url-http',
      // A host name without a dot is one of a local network.
      url.hostname.includes('.') ? 'warning' : 'information',
      sentence('Requests to this address are not encrypted. Use https for agents in production.'),
      written.replace(/^http:/i, 'https:'),
    );
  }
}
