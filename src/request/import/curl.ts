import { exactJson } from '../../protocol/json/exactJson.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { operations, type Operation } from '../../protocol/message/operations.ts';
import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { releases } from '../../protocol/versions/index.ts';
import { importJsonRpc, type Imported } from './jsonRpc.ts';
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
  readonly headers: readonly string[];
  readonly body: string;
}

/** Options of cURL with a value that are ignored. */
const withValue =
  /^(-[oAemcTxCDEFPQrtUwYyz]|--(output|user-agent|referer|max-time|connect-timeout|cookie-jar|cert|key|cacert|proxy|retry|form|resolve|write-out|config))$/;

/**
 * Reads a cURL command that calls an agent over JSON-RPC or HTTP+JSON in any protocol version. Headers are left out, since they may contain
 * credentials and belong to the agent's settings.
 * @throws Problem `unreadable-command` for any other command, and those of `importJsonRpc`.
 */
export function importCurl(text: string): Imported {
  const { told, ...imported } = importCall(readCommand(text));
  return { ...imported, remarks: [...imported.remarks, ...remarksOn(told)] };
}

/** A remark about a call: headers and parts of the address that were left out, or credentials kept in the address. */
type Told = readonly ['headers' | 'address' | 'kept', string];

const sentences: Readonly<Record<Told[0], (names: string) => LocalizedMessage>> = {
  headers: names => sentence('These headers were left out; they belong to the setting a2a.agents: {0}', names),
  address: names => sentence('These parts of the address were left out: {0}', names),
  kept: names => sentence('The address in the file contains credentials: {0}', names),
};

/** Most names in one remark. */
const maxNames = 20;

/** One sentence for each kind of remark, with each name once. */
export const remarksOn = (told: readonly Told[]): readonly LocalizedMessage[] =>
  [...Map.groupBy(told, ([kind]) => kind)].map(([kind, those]) =>
    sentences[kind]([...new Set(those.map(([, name]) => name))].slice(0, maxNames).join(', ')),
  );

/** Headers that clients and browsers add by themselves. */
const ordinary = /^(content-(type|length)|accept(-.*)?|a2a-version|user-agent|host|connection|origin|referer|sec-.*)$/i;

/** A call of an agent by its address, method and body, as `importCurl` reads it from a command. @throws Problem as `importJsonRpc` */
export function importCall(command: Command): Imported & { readonly told: readonly Told[] } {
  const headers = command.headers
    .map(header => header.split(':', 2)[0]!.trim())
    .filter(name => name !== '' && !ordinary.test(name))
    .map((name): Told => ['headers', name]);
  const url = new URL(command.url);
  const user = url.username + url.password === '' ? [] : ['user:password@'];
  const names = [...url.searchParams.keys()];
  const called = routeOf(command.method, url.pathname);
  if (called === undefined) {
    const kept = [...user, ...names.filter(namesCredential)].map((name): Told => ['kept', name]);
    return { ...importJsonRpc(command.body, command.url), told: [...headers, ...kept] };
  }
  const { text: json, repairs } = command.body.trim() === '' ? { text: '{}', repairs: [] } : repairJson(command.body);
  const body = exactJson(json);
  const params = called.read({ ...Object.fromEntries(url.searchParams), ...(isObject(body) ? body : {}) });
  const left = [...user, ...names.filter(name => !(name in params))].map((name): Told => ['address', name]);
  return { request: requestOf(called.operation, params, url.origin + called.base), remarks: repairs, told: [...headers, ...left] };
}

function readCommand(text: string): Command {
  if (!isCurl(text)) throw unreadable(sentence('This is not a cURL command.'));
  const line = text.replace(prompt, '').trim();
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
  if (data.some(one => one.startsWith('@'))) throw unreadable(sentence('The command takes its body from a file, which is not read.'));
  const address = url === undefined || /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`;
  if (address === undefined || !URL.canParse(address)) throw unreadable(sentence('The command has no address.'));
  return { url: address, method: method ?? (data.length > 0 ? 'POST' : 'GET'), headers, body: data.join('&') };
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
  readonly operation: Operation;
  /** The part of the path before the route. */
  readonly base: string;
  readonly read: (params: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The operation for a method and path over HTTP+JSON (A2A 1.0 §11.3), in the newest version that has the route. */
function routeOf(method: string, pathname: string): Route | undefined {
  for (const version of releases) {
    for (const operation of operations) {
      const route = version.routes?.[operation];
      if (route === undefined || route.method !== method) continue;
      const found = new RegExp(`^(.*?)${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')}$`).exec(pathname);
      if (found === null) continue;
      const form = version.protoForm ?? version;
      const named = Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
      return {
        operation,
        base: found[1] || '/',
        read: params => form.readParams(operation, { ...numbered(params), ...named }, ignoreFindings),
      };
    }
  }
  return undefined;
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
