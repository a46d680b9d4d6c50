import * as z from 'zod';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { CheckPrompts } from '../../request/file/checkPrompts.ts';
import { headerPieces } from '../../request/template/headerTemplate.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** Longest time limit, in milliseconds: one day. */
const maxTimeoutMs = 24 * 60 * 60_000;
const timeoutMs = z.int().min(1).max(maxTimeoutMs).optional();

const Tls = z.object({
  certificate: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  pfx: z.string().min(1).optional(),
  passphrase: z.string().optional(),
  ca: z.string().min(1).optional(),
  rejectUnauthorized: z.boolean().optional(),
});

const AgentSettings = z.object({
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  interface: InterfaceSelector.optional(),
  extensions: z.array(z.string()).optional(),
  origins: z.array(z.string()).optional(),
  tls: Tls.optional(),
  connectTimeoutMs: timeoutMs,
  answerTimeoutMs: timeoutMs,
  http2: z.boolean().optional(),
  auth: z.string().min(1).max(60).optional(),
  check: CheckPrompts.optional(),
});

/** A value of the setting `a2a.agents`. */
export type AgentSettings = z.infer<typeof AgentSettings>;

/** Maximum number of warnings that are reported per entry. */
const maxWarnings = 20;

/** A checked entry of `a2a.agents`: settings that can be used, or the mistake that prevents it. */
type ReadEntry =
  | { readonly settings: AgentSettings; readonly mistake?: undefined; readonly warnings: readonly LocalizedMessage[] }
  | {
      readonly settings?: undefined;
      readonly mistake: LocalizedMessage;
      readonly path: readonly string[];
      readonly warnings: readonly LocalizedMessage[];
    };

/** Checks one entry. `path` of a mistake is the path from the entry to the wrong member; empty for the entry itself. */
export function readEntry(name: string, value: unknown): ReadEntry {
  const warnings = typeof value === 'object' && value !== null ? warningsOf(value) : [];
  if (name.trim() === '') return { mistake: sentence('An agent in "a2a.agents" needs a non-empty name.'), path: [], warnings };
  const parsed = AgentSettings.safeParse(value);
  const wrong = parsed.success ? wrongScheme(parsed.data.url) : undefined;
  if (wrong !== undefined) return { mistake: sentence('{0} {1}', wrong.sentence, wrong.nextStep), path: ['url'], warnings };
  const strange = parsed.success ? (strangeTemplate(parsed.data) ?? mistakeInTls(parsed.data.tls)) : undefined;
  if (strange !== undefined) return { ...strange, warnings };
  if (parsed.success) return { settings: parsed.data, warnings };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  return { mistake: mistakeOf(value, path), path, warnings };
}

interface Mistake {
  readonly mistake: LocalizedMessage;
  readonly path: readonly string[];
}

/** A client certificate is two files in PEM, or one PFX file. */
function mistakeInTls({ certificate, key, pfx }: z.infer<typeof Tls> = {}): Mistake | undefined {
  if (pfx !== undefined && (certificate !== undefined || key !== undefined))
    return {
      mistake: sentence('"tls" must have either "pfx", which contains certificate and key, or "certificate" and "key", not both.'),
      path: ['tls', 'pfx'],
    };
  if ((certificate === undefined) === (key === undefined)) return undefined;
  return {
    mistake: sentence('A client certificate needs both "certificate" and "key" in "tls", or "pfx".'),
    path: ['tls', certificate === undefined ? 'key' : 'certificate'],
  };
}

/** The first value with a template that settings do not have. */
function strangeTemplate({ headers = {}, tls: { passphrase } = {} }: AgentSettings): Mistake | undefined {
  if (passphrase !== undefined && headerPieces(passphrase).some(({ kind }) => kind === 'other'))
    return {
      mistake: sentence('"passphrase" takes {0} and {1}, and no other template.', '{{$secret NAME}}', '{{$env NAME}}'),
      path: ['tls', 'passphrase'],
    };
  for (const [name, value] of Object.entries(headers)) {
    const other = headerPieces(value).find(({ kind }) => kind === 'other');
    if (other?.kind !== 'other') continue;
    const mistake = sentence(
      'The header {0} contains {1}, which settings do not support: use {2} or {3}.',
      name,
      `{{${other.text}}}`,
      '{{$secret NAME}}',
      '{{$env NAME}}',
    );
    return { mistake, path: ['headers', name] };
  }
  return undefined;
}

/** The headers of an entry whose values are written in it, also of an entry with a mistake. */
export function literalHeadersIn(value: unknown): Readonly<Record<string, string>> {
  const headers = typeof value === 'object' && value !== null && 'headers' in value ? value.headers : undefined;
  return typeof headers === 'object' && headers !== null
    ? Object.fromEntries(
        Object.entries(headers).filter(
          (header): header is [string, string] =>
            typeof header[1] === 'string' && headerPieces(header[1]).every(({ kind }) => kind === 'text'),
        ),
      )
    : {};
}

function mistakeOf(value: unknown, path: readonly string[]): LocalizedMessage {
  const [member] = path;
  if (member === undefined) return sentence('The entry must be an object such as { "url": "http://localhost:9999" }.');
  const given = path.reduce<unknown>(
    (inside, step) => (typeof inside === 'object' && inside !== null ? (inside as Readonly<Record<string, unknown>>)[step] : undefined),
    value,
  );
  if (member === 'url') {
    return given === undefined || given === ''
      ? sentence('"url" is missing: the base URL of the agent, or the address of its card.')
      : sentence('"url" must be a string: the base URL of the agent, or the address of its card.');
  }
  if (member === 'tls' && path[1] === 'rejectUnauthorized') return sentence('"tls.rejectUnauthorized" must be true or false.');
  if (path.length > 1) return sentence('{0} must be a string.', `"${path.join('.')}"`);
  switch (member) {
    case 'headers':
      return sentence('"headers" must be an object with string values, such as { "Authorization": "Bearer …" }.');
    case 'tls':
      return sentence('"tls" must be an object with "certificate" and "key", or "pfx", or "ca".');
    case 'interface':
      return sentence('"interface" must be an object with "url", "protocolBinding" or "protocolVersion".');
    case 'connectTimeoutMs':
    case 'answerTimeoutMs':
      return sentence('{0} must be a whole number of milliseconds from 1 to {1}.', `"${member}"`, maxTimeoutMs);
    case 'auth':
      return sentence('"auth" must be the name of a sign-in, or "none".');
    case 'check':
      return sentence('"check" must be an object with string values, such as { "task": "Draw a sailboat" }.');
    case 'http2':
      return sentence('{0} must be true or false.', '"http2"');
    default:
      return sentence('{0} must be a list of strings.', `"${member}"`);
  }
}

/** Warnings for unknown members and for origins that are not URLs: the entry works without them. */
function warningsOf(value: object): LocalizedMessage[] {
  const {
    interface: wanted,
    origins,
    tls,
    check,
  } = value as { readonly interface?: unknown; readonly origins?: unknown; readonly tls?: unknown; readonly check?: unknown };
  return [
    ...unknownMembers(value, Object.keys(AgentSettings.shape), ''),
    ...(typeof wanted === 'object' && wanted !== null ? unknownMembers(wanted, Object.keys(InterfaceSelector.shape), 'interface.') : []),
    ...(typeof tls === 'object' && tls !== null ? warningsOfTls(tls) : []),
    ...(typeof check === 'object' && check !== null ? unknownMembers(check, Object.keys(CheckPrompts.shape), 'check.') : []),
    ...(Array.isArray(origins)
      ? origins
          .filter(origin => typeof origin === 'string' && (!URL.canParse(origin) || wrongScheme(origin) !== undefined))
          .map(origin => sentence('{0} in "origins" is not a web address and is ignored.', JSON.stringify(origin)))
      : []),
  ].slice(0, maxWarnings);
}

function warningsOfTls(tls: object): readonly LocalizedMessage[] {
  const { rejectUnauthorized } = tls as { readonly rejectUnauthorized?: unknown };
  return [
    ...unknownMembers(tls, Object.keys(Tls.shape), 'tls.'),
    ...(rejectUnauthorized === false
      ? [sentence('"tls.rejectUnauthorized" is off: anyone between you and the agent can read and change what is sent.')]
      : []),
  ];
}

function unknownMembers(value: object, known: readonly string[], prefix: string): LocalizedMessage[] {
  return Object.keys(value)
    .filter(member => !known.includes(member))
    .map(member => {
      const like = closestMatch(member, known);
      return like === undefined
        ? sentence('"{0}" is not a setting of an agent and is ignored.', `${prefix}${member}`)
        : sentence('"{0}" is not a setting of an agent and is ignored. Did you mean "{1}"?', `${prefix}${member}`, `${prefix}${like}`);
    });
}
