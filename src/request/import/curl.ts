import { exactJson } from '../../protocol/json/exactJson.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { operations, type Operation } from '../../protocol/message/operations.ts';
import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { releases, versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { plainCredential } from '../template/plainCredential.ts';
import { importJsonRpc, interfaceText, type Imported } from './jsonRpc.ts';
import { repairJson } from './repairJson.ts';
import { requestOf } from './requestJson.ts';
import { shellWords } from './shellWords.ts';
import { windowsWords } from './windowsWords.ts';

/** A prompt of a shell before the command. */
const prompt = /^\s*(?:\$|PS [^>\n]*>|[A-Za-z]:[^>\n]*>)?\s*/;

/** True for a text that begins with cURL, as a POSIX shell, cmd or PowerShell calls it. */
export const isCurl = (text: string): boolean => /^curl(?:\.exe)?\s/i.test(text.replace(prompt, ''));

interface Command {
  readonly url: string;
  readonly method: string;
  /** Each as `Name: value`. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Options of cURL with a value that are ignored. */
const withValue =
  /^(-[oAemcTxCDEFPQrtUwYyz]|--(output|user-agent|referer|max-time|connect-timeout|cookie-jar|cert|key|cacert|proxy|retry|form|resolve|write-out|config))$/;

/**
 * Reads a cURL command that calls an agent over JSON-RPC or HTTP+JSON in any protocol version, as a request over that interface. Headers
 * with credentials are left out, since they belong to the agent's settings.
 * @throws Problem `unreadable-command` for any other command, and those of `importJsonRpc`.
 */
export function importCurl(text: string): Imported {
  const { told, ...imported } = importCall(readCommand(text));
  return { ...imported, remarks: [...remarksOn(told), ...imported.remarks] };
}

/** A remark about a call: headers and parts of the address that were left out, or credentials kept in the address. */
type Told = readonly ['headers' | 'address' | 'kept', string];

const sentences: Readonly<Record<Told[0], (names: string) => LocalizedMessage>> = {
  headers: names => sentence('Left out: {0}. Add them in the setting a2a.agents.', names),
  address: names => sentence('These parts of the address were left out: {0}', names),
  kept: names => sentence('The address in the file contains credentials: {0}', names),
};

/** True for the remark about headers that were left out. */
export const isAboutHeaders = ({ template }: LocalizedMessage): boolean => template === sentences.headers('').template;

/** Longest list of names in a remark, which has to be read in a notification; in UTF-16 code units. */
const maxNames = 60;

/** One sentence for each kind of remark, with each name once. */
export const remarksOn = (told: readonly Told[]): readonly LocalizedMessage[] =>
  [...Map.groupBy(told, ([kind]) => kind)].map(([kind, those]) => {
    const names = [...new Set(those.map(([, name]) => name))].join(', ');
    return sentences[kind](names.length > maxNames ? `${names.slice(0, maxNames)}…` : names);
  });

/** Headers that clients and browsers add by themselves. */
const ordinary =
  /^(content-(type|length)|accept(-.*)?|a2a-version|user-agent|host|connection|origin|referer|sec-.*|upgrade.*|transfer-encoding|te|trailer|expect|keep-alive|proxy-connection|priority|pragma|cache-control|dnt)$/i;

/** A variable of a shell, whose value is not known here and may be a credential. */
const variable = /\$\{?\w|%\w+%/;

/** A call of an agent by its address, method and body, as `importCurl` reads it from a command. @throws Problem as `importJsonRpc` */
export function importCall(command: Command): Imported & { readonly told: readonly Told[] } {
  const { version: asked, headers, left: hidden } = headersIn(command.headers);
  const head = { version: asked, ...(Object.keys(headers).length > 0 && { headers }) };
  const url = new URL(command.url);
  const user = url.username + url.password === '' ? [] : ['user:password@'];
  const names = [...url.searchParams.keys()];
  const routes = routesOf(command.method, url.pathname);
  if (routes.length === 0) {
    const kept = [...user, ...names.filter(namesCredential)].map((name): Told => ['kept', name]);
    return { ...importJsonRpc(command.body, command.url, head), told: [...hidden, ...kept] };
  }
  const { text: json, repairs } = command.body.trim() === '' ? { text: '{}', repairs: [] } : repairJson(command.body);
  const body = exactJson(json);
  const fields = isObject(body) ? body : {};
  const { version, operation, base, named } = likeliest(routes, asked, fields['message']);
  const given = { ...numbered({ ...Object.fromEntries(url.searchParams), ...fields }), ...named };
  const params: Readonly<Record<string, unknown>> = { ...(version.protoForm ?? version).readParams(operation, given, ignoreFindings) };
  const left = [...user, ...names.filter(name => !(name in params))].map((name): Told => ['address', name]);
  const agent = url.origin + base;
  return {
    request: requestOf(operation, params, {
      agent,
      interface: interfaceText('HTTP+JSON', version, agent),
      ...(head.headers !== undefined && { headers: head.headers }),
    }),
    remarks: repairs,
    told: [...hidden, ...left],
  };
}

/** Headers without those that every request has. Those with credentials are left out. */
function headersIn(lines: readonly string[]): {
  readonly version: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly left: readonly Told[];
} {
  const all = lines.flatMap(line => {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*:(.*)$/s.exec(line.trim()) ?? [];
    return name === '' ? [] : [[name, value.trim()] as const];
  });
  const own = all.filter(([name]) => !ordinary.test(name));
  const isSecret = ([name, value]: readonly [string, string]): boolean =>
    namesCredential(name) || plainCredential(name, value) !== undefined || variable.test(value);
  return {
    version: all.find(([name]) => name.toLowerCase() === 'a2a-version')?.[1],
    headers: Object.fromEntries(own.filter(header => !isSecret(header))),
    left: own.filter(isSecret).map(([name]): Told => ['headers', name]),
  };
}

function readCommand(text: string): Command {
  if (!isCurl(text)) throw unreadable(sentence('This is not a cURL command.'));
  const { line, input } = withoutHereDocument(text.replace(prompt, '').trim());
  const words = windowsWords(line) ?? shellWords(line);
  let url: string | undefined;
  let method: string | undefined;
  const headers: string[] = [];
  const data: string[] = [];
  const rest = words.slice(1).flatMap(separated).values();
  const value = (): string => String(rest.next().value ?? '');
  for (const word of rest) {
    if (word === '-X' || word === '--request') method = value();
    else if (word === '-H' || word === '--header') headers.push(value());
    else if (/^(-d|--data(-raw|-binary|-ascii)?|--json)$/.test(word)) data.push(value());
    else if (word === '--url') url = value();
    else if (word === '-u' || word === '--user') headers.push(`Authorization: ${value()}`);
    else if (word === '-b' || word === '--cookie') headers.push(`Cookie: ${value()}`);
    else if (withValue.test(word)) value();
    else if (/^curl(\.exe)?$/i.test(word)) throw unreadable(sentence('These are several commands. Paste only one at a time.'));
    else if (!word.startsWith('-')) url ??= word;
  }
  if (data.some(one => one.startsWith('@') && (one !== '@-' || input === undefined)))
    throw unreadable(sentence('The command takes its body from a file, which is not read.'));
  const body = data.map(one => (one === '@-' ? (input ?? '') : one)).join('&');
  const address = url === undefined || /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`;
  if (address === undefined || !URL.canParse(address)) throw unreadable(sentence('The command has no address.'));
  return { url: address, method: method ?? (data.length > 0 ? 'POST' : 'GET'), headers, body };
}

/** A command of a POSIX shell without its here-document, and the text in that, which is the standard input of `-d @-`. */
function withoutHereDocument(text: string): { readonly line: string; readonly input?: string } {
  const begin = /\s<<-?\s*(['"]?)(\w+)\1([^\n]*)\n/.exec(text);
  if (begin === null || !text.slice(0, begin.index).includes('@-')) return { line: text };
  const [found, , word, rest = ''] = begin;
  const lines = text.slice(begin.index + found.length).split('\n');
  const end = lines.findIndex(line => line.trim() === word);
  if (end === -1) throw unreadable(sentence('The end of the here-document is missing: a line with {0}.', word ?? ''));
  return { line: [text.slice(0, begin.index) + rest, ...lines.slice(end + 1)].join('\n'), input: lines.slice(0, end).join('\n') };
}

/** Splits `-XPOST` and `--request=POST` into option and value. */
function separated(word: string): readonly string[] {
  const short = /^(-[XHdoub])(.+)$/s.exec(word);
  if (short !== null && !word.startsWith('--')) return [short[1] ?? '', short[2] ?? ''];
  const long = /^(--[a-z-]+)=(.*)$/s.exec(word);
  return long === null ? [word] : [long[1] ?? '', long[2] ?? ''];
}

const unreadable = (what: LocalizedMessage): Problem =>
  new Problem('unreadable-command', what, { nextStep: sentence('Copy a whole command, from "curl" to its last line.') });

interface Route {
  readonly version: Version;
  readonly operation: Operation;
  /** The part of the path before the route. */
  readonly base: string;
  /** Parameters in the path. */
  readonly named: Readonly<Record<string, string>>;
}

/** The operations that a method and path have over HTTP+JSON (A2A 1.0 §11.3), the newest version first. */
const routesOf = (method: string, pathname: string): readonly Route[] =>
  releases.flatMap(version =>
    operations.flatMap(operation => {
      const route = version.routes?.[operation];
      if (route === undefined || route.method !== method) return [];
      const found = new RegExp(`^(.*?)${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')}$`).exec(pathname);
      if (found === null) return [];
      const named = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
      return [{ version, operation, base: found[1] || '/', named }];
    }),
  );

/**
 * The route in the version that was asked for. `/v1/message:send` is a route of 0.3, and one of 1.0 below an address that ends in `/v1`:
 * without the header of 1.0 it is the latter only where the message has the shape of 1.0.
 */
function likeliest(routes: readonly Route[], asked: string | undefined, message: unknown): Route {
  const isNew = isObject(message) && 'parts' in message && message['role'] !== 'user';
  return (
    routes.find(({ version }) => asked !== undefined && version === versionOf(asked)) ??
    routes.find(({ version }) => version.header === undefined && !isNew) ??
    routes[0]!
  );
}

/** Converts numbers and booleans, which are texts in a URL. */
const numbered = (params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && /^(historyLength|pageSize|includeArtifacts)$/.test(name)
        ? (JSON.parse(/^(\d{1,9}|true|false)$/.test(value) ? value : 'null') as unknown)
        : value,
    ]),
  );
