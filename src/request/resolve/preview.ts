import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { mask } from '../../protocol/secrets/secretValues.ts';
import { fill, withValues, type Scope } from './fill.ts';
import { valueOf } from '../text/jsonNode.ts';
import type { RequestEntry } from '../file/requestEntry.ts';
import { filledBody } from './filledBody.ts';
import { plainCredential } from '../template/plainCredential.ts';
import { isCredentialVariable } from '../template/variableNames.ts';

/**
 * A request as it would be sent, for display: templates filled in, secrets and private values masked, without prompts. A template without a
 * value, such as the result of a request that was not sent, is shown as written. Nothing is checked.
 */
export async function previewRequest(entry: RequestEntry, scope: Scope): Promise<Readonly<Record<string, unknown>>> {
  const shown = forEyes(scope);
  if (entry.raw !== undefined) {
    const agent = entry.agent && (await tolerant(entry.agent.value, shown));
    return { agent, body: await filledBody(entry.raw, shown, node => tolerant(valueOf(node), shown)) };
  }
  const written = ['method', 'message', 'params'] as const;
  const headers = Object.assign(
    {},
    ...(await Promise.all(
      entry.headers.map(({ node, isPrivate }) => (isPrivate === true ? masked(valueOf(node)) : tolerant(valueOf(node), shown))),
    )),
  ) as Readonly<Record<string, string>>;
  return Object.fromEntries(
    [
      ['agent', entry.agent === undefined ? undefined : await tolerant(entry.agent.value, shown)],
      ['headers', entry.headers.length === 0 ? undefined : withoutCredentials(headers)],
      ...(await Promise.all(
        written.map(async key => {
          const node = entry.members.get(key)?.value;
          return [key, node === undefined ? undefined : await tolerant(valueOf(node), shown)] as const;
        }),
      )),
    ].filter(([, value]) => value !== undefined),
  );
}

/** Credentials that the file has in plain text are not shown either. */
const withoutCredentials = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const plain = typeof value === 'string' ? plainCredential(name, value) : undefined;
      return [name, plain === undefined ? value : `${plain.scheme}${mask}`];
    }),
  );

/** A scope that returns masks for secrets and private values, and never prompts. */
const forEyes = (scope: Scope): Scope =>
  withValues(
    scope,
    sources => ({
      ...sources,
      env: name => (isCredentialVariable(name) && sources.env(name) !== undefined ? mask : sources.env(name)),
      secret: async () => mask,
      prompt: async label => `‹${label}›`,
    }),
    (_name, value) => ({ ...value, value: masked(value.value), literal: true }),
  );

/** A copy of the value with every text and number masked. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
  return typeof value === 'boolean' || value === null ? value : mask;
}

/** Like `fill`, but a string whose templates have no value is kept as written. */
async function tolerant(value: unknown, scope: Scope): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(item => tolerant(item, scope)));
  if (isObject(value)) {
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await tolerant(member, scope)])),
    );
  }
  if (typeof value !== 'string') return value;
  return fill(value, scope).catch((error: unknown) => {
    if (error instanceof Problem) return value;
    throw error;
  });
}
