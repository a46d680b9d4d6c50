import type { Headers } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { mask } from '../../protocol/secrets/secretValues.ts';
import { withValues, type Scope } from '../resolve/fill.ts';
import type { ResolvedHeaders } from '../resolve/resolve.ts';
import { headerPieces } from '../template/headerTemplate.ts';
import { plainCredential } from '../template/plainCredential.ts';
import { promptVariable, secretVariable } from '../template/variableNames.ts';
import { joined, Pieced, type Text } from '../text/pieced.ts';

/**
 * A hole for an environment variable, so that generated code contains no secrets.
 * @param like see `Pieced`
 * @throws Problem `not-copied` for a name that shells do not know
 */
export function placeholder(variable: string, like?: unknown): Pieced {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) return new Pieced([{ variable }], like);
  throw new Problem(
    'not-copied',
    sentence('A copy cannot read the environment variable "{0}", because shells do not allow its name.', variable),
    {
      nextStep: sentence('Give it a name of letters, digits and "_" that does not begin with a digit.'),
    },
  );
}

/** The word that names how a credential is meant; alone before a template it is no part of the secret. */
const scheme = /^(?:basic|bearer|digest|negotiate|dpop|token) $/i;

/** The value of an agent's header without secrets: a stored secret or a variable by its own name, anything else by that of the header. */
export function headerPlaceholder(header: string, value: string): Text {
  const pieces = headerPieces(value);
  if (pieces.every(({ kind }) => kind === 'text') || pieces.some(piece => 'text' in piece && !scheme.test(piece.text)))
    return placeholder(secretVariable(header));
  return joined(
    pieces.map(piece => ('text' in piece ? piece.text : placeholder(piece.kind === 'env' ? piece.name : secretVariable(piece.name)))),
  );
}

/** The same for all headers of an agent. */
export const headerPlaceholders = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, Text>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerPlaceholder(name, value)]));

/** The headers of a recorded request: what is masked in them becomes a hole. */
export const recordedHeaders = (headers: Headers): readonly (readonly [name: string, value: Text])[] =>
  headers.map(([name, value]) => {
    const [first = '', ...rest] = value.split(mask);
    return [name, joined([first, ...rest.flatMap(text => [placeholder(secretVariable(name)), text])])];
  });

/** The headers that a request itself has: credentials in plain text, and values of private files, become holes, too. */
export const ownHeaders = ({ values, secret }: ResolvedHeaders<Text> = { values: {}, secret: [] }): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && (secret.includes(name.toLowerCase()) || plainCredential(name, value) !== undefined)
        ? headerPlaceholder(name, value)
        : value,
    ]),
  );

/** A scope that gives holes for secrets, private values and prompts. */
export function withPlaceholders(scope: Scope): Scope {
  const taken = new Set<string>();
  return withValues(
    scope,
    sources => ({
      ...sources,
      env: name => placeholder(name),
      secret: async name => placeholder(secretVariable(name)),
      prompt: async label => placeholder(promptVariable(label)),
    }),
    (name, { value }) => ({ value: withHoles(name, value, taken), source: 'option', literal: true }),
  );
}

/**
 * A copy of a private value of which nothing is left but its shape: `{ "user": "ann" }` of `login` is read from `A2A_SECRET_LOGIN_USER`.
 * @param taken variables of other values: shells have one name for `a.b` and `a_b`
 */
function withHoles(name: string, value: unknown, taken: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withHoles(`${name}_${index}`, item, taken));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withHoles(`${name}_${member}`, inner, taken)]));
  const usual = secretVariable(name);
  let variable = usual;
  for (let number = 2; taken.has(variable); number++) variable = `${usual}_${number}`;
  taken.add(variable);
  return placeholder(variable, typeof value === 'string' ? undefined : typeof value === 'boolean' ? value : value === null ? null : 1);
}
