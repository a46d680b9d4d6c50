import { sentence } from '../../protocol/problem.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { memberOf, rangeOf, type JsonNode, type Member } from '../../request/text/jsonNode.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import type { CardText } from '../cardText.ts';
import { replaceWith, setAt } from '../edits.ts';

/** One address of the card with the binding and version it declares. */
interface Entry {
  readonly node: JsonNode;
  readonly url?: JsonNode;
  readonly binding?: JsonNode;
  readonly version?: JsonNode;
  readonly tenant?: JsonNode;
}

const text = (node: JsonNode | undefined): string | undefined => (node?.type === 'string' ? String(node.value) : undefined);
const string = (member: Member | undefined): JsonNode | undefined => (member?.value?.type === 'string' ? member.value : undefined);

function entriesOf({ root, form }: CardText): Entry[] {
  if (form === '1.0') {
    return (memberOf(root, 'supportedInterfaces')?.value?.children ?? []).map(node => ({
      node,
      url: string(memberOf(node, 'url')),
      binding: string(memberOf(node, 'protocolBinding')),
      version: string(memberOf(node, 'protocolVersion')),
      tenant: string(memberOf(node, 'tenant')),
    }));
  }
  const main = { node: root, url: string(memberOf(root, 'url')), binding: string(memberOf(root, 'preferredTransport')) };
  const more = (memberOf(root, 'additionalInterfaces')?.value?.children ?? []).map(node => ({
    node,
    url: string(memberOf(node, 'url')),
    binding: string(memberOf(node, 'transport')),
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

/** A binding is one of the three core names or a URI (A2A 1.0 §5.8). */
export const bindingNames: CardCheck = function* (card) {
  for (const { binding } of entriesOf(card)) {
    const name = text(binding);
    if (binding === undefined || name === undefined || bindings.includes(name) || /^[a-z][a-z0-9+.-]*:/i.test(name)) continue;
    const right = misspelt[name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];
    yield {
      code: 'binding',
      range: rangeOf(binding),
      severity: 'warning',
      sentence: sentence('"{0}" is not a protocol binding: there are {1}, and custom ones are URIs.', name, bindings.join(', ')),
      fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: replaceWith(binding, right) }],
    };
  }
};

/** The version of an interface is Major.Minor (A2A 1.0 §3.6). */
export const versionNumbers: CardCheck = function* (card) {
  for (const { version } of entriesOf(card)) {
    const written = text(version);
    if (version === undefined || written === undefined || /^\d+\.\d+$/.test(written)) continue;
    const right = /^v?(\d+)(?:\.(\d+))?/.exec(written);
    const number = right === null ? '1.0' : `${right[1]}.${right[2] ?? '0'}`;
    yield {
      code: 'version-number',
      range: rangeOf(version),
      severity: 'warning',
      sentence: sentence('A protocol version is Major.Minor, such as 1.0, not "{0}".', written),
      fixes: [{ title: sentence('Change to "{0}"', number), edits: replaceWith(version, number) }],
    };
  }
};

/** A card that declares a protocol version has an interface that uses it (A2A 1.0 §8.3.1, 0.3 §5.6). */
export const statedVersion: CardCheck = function* (card) {
  const stated = string(memberOf(card.root, 'protocolVersion'));
  const version = /^(\d+\.\d+)/.exec(text(stated) ?? '')?.[1];
  if (stated === undefined || version === undefined) return;
  const entries = entriesOf(card);
  if (card.form === '0.3') {
    if (Number.parseFloat(version) < 1) return;
    yield {
      code: 'no-interface',
      range: rangeOf(stated),
      severity: 'error',
      sentence: sentence(
        'The card states version {0}, whose interfaces belong in supportedInterfaces, and has only an address of the 0.3 form.',
        version,
      ),
      get fixes() {
        return [
          {
            title: sentence('Add the interface for {0}', version),
            edits: setAt(
              card,
              ['supportedInterfaces'],
              entries.flatMap(({ url, binding }) =>
                url === undefined ? [] : [{ url: text(url), protocolBinding: text(binding) ?? 'JSONRPC', protocolVersion: version }],
              ),
            ),
          },
        ];
      },
    };
    return;
  }
  const spoken = entries.map(entry => text(entry.version));
  // A 0.3 `url` beside `supportedInterfaces` counts as an interface of its own.
  if (spoken.some(found => found === undefined || found.startsWith(version)) || memberOf(card.root, 'url') !== undefined) return;
  const [first] = entries;
  yield {
    code: 'no-interface',
    range: rangeOf(stated),
    severity: 'error',
    sentence: sentence('The card states version {0} and no interface uses it.', version),
    get fixes() {
      return first === undefined
        ? []
        : [
            {
              title: sentence('Add the interface for {0}', version),
              edits: setAt(card, ['supportedInterfaces', entries.length], {
                url: text(first.url) ?? '',
                protocolBinding: text(first.binding) ?? 'JSONRPC',
                protocolVersion: version,
              }),
            },
          ];
    },
  };
};

/** No two interfaces are equal (A2A 1.0 §8.3), and one address uses one transport (0.3 §5.6.4). */
export const distinct: CardCheck = function* (card) {
  const seen = new Map<string, Entry>();
  for (const entry of entriesOf(card)) {
    const url = text(entry.url);
    if (entry.url === undefined || url === undefined) continue;
    const binding = text(entry.binding) ?? 'JSONRPC';
    const key = card.form === '1.0' ? JSON.stringify([url, binding, text(entry.version), text(entry.tenant)]) : url;
    const before = seen.get(key);
    seen.set(key, entry);
    if (before === undefined) continue;
    if (card.form === '1.0') {
      yield {
        code: 'duplicate-interface',
        range: rangeOf(entry.node),
        severity: 'warning',
        fixes: [],
        sentence: sentence('This interface is listed twice.'),
      };
    } else if ((text(before.binding) ?? 'JSONRPC') !== binding) {
      yield {
        code: 'conflicting-transports',
        range: rangeOf(entry.binding ?? entry.url),
        severity: 'error',
        fixes: [],
        sentence: sentence('The same address is said to use {0} and {1}.', text(before.binding) ?? 'JSONRPC', binding),
      };
    }
  }
};

/**
 * Streaming needs an interface that can stream: the core bindings can (A2A 1.0 §3.5); of custom bindings it is unknown, so they are not
 * reported.
 */
export const streaming: CardCheck = function* (card) {
  const claim = memberOf(memberOf(card.root, 'capabilities')?.value, 'streaming')?.value;
  const entries = entriesOf(card).filter(({ url }) => url !== undefined);
  if (claim?.value !== true || entries.length === 0) return;
  const streams = ({ binding }: Entry): boolean => {
    const name = text(binding) ?? 'JSONRPC';
    return bindings.includes(name) || misspelt[name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')] !== undefined;
  };
  if (entries.some(streams)) return;
  yield {
    code: 'no-stream',
    range: rangeOf(claim),
    severity: 'warning',
    sentence: sentence('The card claims streaming, and no interface uses a binding that streams: {0}.', bindings.join(', ')),
    fixes: [{ title: sentence('Change to "{0}"', 'false'), edits: replaceWith(claim, false) }],
  };
};

/** Addresses are absolute URLs of an interface, not of a card or an operation (A2A 1.0 §4.4.6). */
export const addresses: CardCheck = function* (card) {
  for (const { url: node, binding } of entriesOf(card)) {
    const written = text(node);
    if (node !== undefined && written !== undefined) yield* addressProblems(node, written, text(binding)?.toUpperCase() ?? 'JSONRPC');
  }
};

function* addressProblems(node: JsonNode, written: string, binding: string): Iterable<CardProblem> {
  const range = rangeOf(node);
  const problem = (code: string, severity: CardProblem['severity'], said: CardProblem['sentence'], right?: string): CardProblem => ({
    code,
    range,
    severity,
    sentence: said,
    fixes: right === undefined ? [] : [{ title: sentence('Change to "{0}"', right), edits: replaceWith(node, right) }],
  });
  if (written !== written.trim()) yield problem('url-space', 'error', sentence('The address has spaces around it.'), written.trim());
  const wrong = wrongScheme(written);
  if (wrong !== undefined) {
    yield problem('url-scheme', 'error', wrong.sentence, wrong.meant);
    return;
  }
  if (binding === 'GRPC' && /^[\w.-]+:\d+$/.test(written)) return;
  // A host and a port alone would be taken for a scheme.
  const isHost = /^[\w.-]+:\d{1,5}(?:\/|$)/.test(written);
  if (isHost || !URL.canParse(written)) {
    const scheme = /^(?:localhost|127\.[\d.]+)[:/]/.test(written) ? 'http' : 'https';
    const isMeant = isHost || /^[\w-]+(\.[\w-]+)+([:/]|$)/.test(written);
    const guess = isMeant && URL.canParse(`${scheme}://${written}`) ? `${scheme}://${written}` : undefined;
    yield problem(
      'url-relative',
      'error',
      sentence('The address of an interface must be absolute, such as https://agents.example/a2a.'),
      guess,
    );
    return;
  }
  const url = new URL(written);
  if (!/^(https?|grpcs?|dns|wss?):$/.test(url.protocol))
    yield problem('url-scheme', 'error', sentence('{0} is not a scheme that agents are reached by.', url.protocol));
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') {
    yield problem(
      'url-unspecified',
      'error',
      sentence('{0} is an address to listen on; clients cannot connect to it.', url.hostname),
      written.replace(url.hostname, 'localhost'),
    );
  }
  if (url.username !== '' || url.password !== '')
    yield problem('url-credential', 'error', sentence('The address carries a credential, and agent cards are public.'));
  const card = /\/\.well-known\/agent(-card)?\.json$/.exec(url.pathname);
  if (card !== null)
    yield problem('url-of-card', 'error', sentence('This is the address of a card, not of an interface.'), written.replace(card[0], '/'));
  const operation = /(\/v1)?\/(message:(send|stream)|tasks)$/.exec(url.pathname);
  if (operation !== null)
    yield problem(
      'url-of-operation',
      'error',
      sentence('This is the address of one operation; clients add its path themselves.'),
      written.replace(operation[0], operation[1] ?? ''),
    );
  if (url.protocol === 'http:' && !isLocal(url.hostname)) {
    yield problem(
      'url-http',
      'warning',
      sentence('Requests to this address travel unencrypted. Agents in production are reached by https.'),
      written.replace(/^http:/, 'https:'),
    );
  }
}

/** Loopback, or a host name without a dot, as in a local network. */
const isLocal = (host: string): boolean =>
  !host.includes('.') || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '0.0.0.0';
