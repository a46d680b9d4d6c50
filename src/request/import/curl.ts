import { exactJson } from '../../protocol/json/exactJson.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { operations, type Operation } from '../../protocol/message/operations.ts';
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
  /^(-[oAuembcTxCDEFPQrtUwYyz]|--(output|user-agent|user|referer|max-time|connect-timeout|cookie|cookie-jar|cert|key|cacert|proxy|retry|form|resolve|write-out|config))$/;

/**
 * Reads a cURL command that calls an agent over JSON-RPC or HTTP+JSON in any protocol version. Headers are left out, since they may contain
 * credentials and belong to the agent's settings.
 * @throws Problem `unreadable-command` for any other command, and those of `importJsonRpc`.
 */
export const importCurl = (text: string): Imported => importCall(readCommand(text));

/** A call of an agent by its address, method and body, as `importCurl` reads it from a command. @throws Problem as `importJsonRpc` */
export function importCall(command: Command): Imported {
  const left = command.headers
    .map(header => header.split(':')[0]?.trim() ?? '')
    .filter(name => !/^(content-type|accept|a2a-version|user-agent)$/i.test(name));
  const remarks: LocalizedMessage[] =
    left.length === 0 ? [] : [sentence('These headers were left out; they belong to the setting a2a.agents: {0}', left.join(', '))];
  const url = new URL(command.url);
  const called = routeOf(command.method, url.pathname);
  if (called === undefined) {
    const imported = importJsonRpc(command.body, command.url);
    return { ...imported, remarks: [...imported.remarks, ...remarks] };
  }
  const { text: json, repairs } = command.body.trim() === '' ? { text: '{}', repairs: [] } : repairJson(command.body);
  const body = exactJson(json);
  const params = called.read({ ...Object.fromEntries(url.searchParams), ...(isObject(body) ? body : {}) });
  return { request: requestOf(called.operation, params, url.origin + called.base), remarks: [...repairs, ...remarks] };
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
    else if (withValue.test(word)) value();
    else if (!word.startsWith('-')) url ??= word;
  }
  if (data.some(one => one.startsWith('@'))) throw unreadable(sentence('The command takes its body from a file, which is not read.'));
  const address = url === undefined || /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`;
  if (address === undefined || !URL.canParse(address)) throw unreadable(sentence('The command has no address.'));
  return { url: address, method: method ?? (data.length > 0 ? 'POST' : 'GET'), headers, body: data.join('&') };
}

/** Splits `-XPOST` and `--request=POST` into option and value. */
function separated(word: string): readonly string[] {
  const short = /^(-[XHdo])(.+)$/s.exec(word);
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
