import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { dateProblem, dateText } from './dateText.ts';
import { fileValue, readFileArgument } from './fileValue.ts';
import type { ValueSources } from '../values/valueSources.ts';
import type { Text } from '../text/pieced.ts';
import { isCredentialVariable, promptVariable, secretVariable } from './variableNames.ts';

/** The environment of template functions; passed in, so that a test or a replay can fix it. */
export interface FunctionHost {
  readonly now: () => Date;
  readonly uuid: () => Text;
  /** A number from 0 to below 1; left out, another one each time. */
  readonly random?: () => number;
  /** Absent in an untrusted workspace: nothing outside the file is read, and a template that needs it is refused. */
  readonly sources?: ValueSources;
}

export const systemHost: FunctionHost = { now: () => new Date(), uuid: () => crypto.randomUUID() };

interface TemplateFunction {
  readonly description: LocalizedMessage;
  /** Name of the argument, for people; absent for functions without one. */
  readonly argument?: string;
  /** The argument may be left out. */
  readonly optional?: true;
  /** The problem of an argument, independent of values. */
  readonly problem?: (argument: string) => LocalizedMessage | undefined;
  /** May return a promise; `undefined` means no value. `value`: of the argument, for `functionsOfValues`. */
  evaluate(argument: string, host: FunctionHost, value?: unknown): unknown;
  /** The value belongs to the person who runs the request, secret or not: it is sent only to its allowed origins. */
  readonly isBound?: true;
  /** True if the value is secret. */
  readonly isSecret?: (argument: string) => boolean;
  /** The next step where there is no value. */
  readonly nextStep?: (argument: string) => LocalizedMessage;
  /**
   * The value in a script that runs later (`request/export`): that of `now`, JavaScript that makes one at each use, or `never` where a value of
   * now would be wrong and there is no JavaScript for it.
   */
  readonly inScript: 'now' | 'never' | ((argument: string) => string);
}

/**
 * The functions of `{{$name argument}}`, by name without the dollar sign.
 *
 * To add one: a row here (its name in `functionsOfValues` of `template.ts` if its argument is a value), rows of `values.test.ts`, the
 * table in `docs/request-files.md`, then `A2A_WRITE=1 npm test -- unit --grep manual`.
 */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  uuid: {
    description: sentence('A new random UUID for each use.'),
    evaluate: (_argument, host) => host.uuid(),
    inScript: () => 'uuid()',
  },
  timestamp: {
    description: sentence('The time of sending, ISO 8601 in UTC with milliseconds.'),
    evaluate: (_argument, host) => host.now().toISOString(),
    inScript: () => 'new Date().toISOString()',
  },
  date: {
    description: sentence(
      'A date in UTC, `2026-01-31`. You can put an offset from now before the format, such as `+1d -2h` (y, M, w, d, h, m, s, ms). The format is `iso`, `http`, `unix` (seconds), `ms`, or a pattern such as `dd.MM.yyyy HH:mm:ss.SSS`.',
    ),
    argument: 'OFFSET FORMAT',
    optional: true,
    problem: argument => dateProblem(argument),
    evaluate: (argument, host) => dateText(argument, host.now()),
    inScript: 'never',
  },
  random: {
    description: sentence('A random whole number between the two, both included; a new one for each use.'),
    argument: 'FROM TO',
    problem: randomProblem,
    evaluate: (argument, host) => randomBetween(argument, (host.random ?? Math.random)()),
    inScript: argument => {
      const [from, to] = argument.trim().split(/\s+/);
      return `random(${Number(from)}, ${Number(to)})`;
    },
  },
  base64: {
    description: sentence("A text in base64: a variable, a path into a result, a function, or a text in quotes ('…')."),
    argument: 'VALUE',
    evaluate: (_argument, _host, value) => Buffer.from(asText(value)).toString('base64'),
    inScript: 'now',
  },
  json: {
    description: sentence('A value as JSON text; a text gets quotes and escapes.'),
    argument: 'VALUE',
    evaluate: (_argument, _host, value) => JSON.stringify(value),
    inScript: 'now',
  },
  lines: {
    description: sentence('The lines of a text as a list. In `each`, every line is a row with the variable `line`.'),
    argument: 'VALUE',
    evaluate: (_argument, _host, value) => linesOf(asText(value)),
    inScript: 'now',
  },
  env: {
    description: sentence(
      'An environment variable. Its value goes only to the first origin that it is sent to. If its name suggests a credential, it is never shown.',
    ),
    argument: 'NAME',
    isBound: true,
    isSecret: isCredentialVariable,
    evaluate: (name, host) => reachOf(host, 'env').env(name),
    inScript: 'now',
    nextStep: name => sentence('Set the environment variable {0}.', name),
  },
  secret: {
    description: sentence(
      "A secret that is kept outside the file: in the editor's secret storage, or, for `a2a`, in an environment variable such as `A2A_SECRET_API_KEY` for `api-key`.",
    ),
    argument: 'NAME',
    isSecret: () => true,
    evaluate: (name, host) => reachOf(host, 'secret').secret(name),
    inScript: 'now',
    nextStep: name =>
      hint(sentence('Set the secret {0} with "A2A: Set Secret…".', name, secretVariable(name)), 'Set the environment variable {1}.'),
  },
  prompt: {
    description: sentence(
      'Your answer when the request is sent. Each label is asked once. If the label mentions a password, secret, token, key or credential, the answer is a secret: it is never shown, and goes only to the first origin that it is sent to. In a terminal, the environment variable `A2A_PROMPT_LABEL` answers it, too.',
    ),
    argument: 'LABEL',
    isSecret: asksForSecret,
    evaluate: (label, host) => reachOf(host, 'prompt').prompt(label),
    inScript: 'now',
    nextStep: label =>
      hint(
        sentence('"{0}" was not answered.', label, promptVariable(label)),
        '"{0}" was not answered: a terminal asks, or the environment variable {1} answers it.',
      ),
  },
  file: {
    description: sentence(
      'A file, by its path from this one: text as text, JSON as its value, anything else as a part with its media type. Add `as text`, `as json`, `as part` or `as base64` to override this.',
    ),
    argument: 'PATH',
    evaluate: async (argument, host) => {
      const { path, form } = readFileArgument(argument);
      return fileValue(await reachOf(host, 'file').file(path), form);
    },
    inScript: 'now',
  },
};

export function functionOf(name: string): TemplateFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Most lines of one text: counted before they are made. */
const maxLines = 100_000;

/** Line breaks at the end begin no other line. */
function linesOf(text: string): readonly string[] {
  let end = text.length;
  while (text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  if (count > maxLines) throw new Problem('bad-data', sentence('The text has {0} lines, more than the limit of {1}.', count, maxLines));
  return text.slice(0, end).split(/\r?\n/);
}

const secretLabel = /pass(word|phrase)|secret|token|\bkey\b|credential|密码|密钥|令牌/i;

/** True if the answer to the question is secret. */
export function asksForSecret(label: string): boolean {
  return secretLabel.test(label);
}

function reachOf({ sources }: FunctionHost, name: string): ValueSources {
  if (sources !== undefined) return sources;
  throw new Problem('untrusted', sentence('{0} was not read, because this workspace is not trusted.', `$${name}`), {
    nextStep: sentence('Look at the request files, then trust the workspace with "Workspaces: Manage Workspace Trust".'),
  });
}

const randomRange = /^(-?\d{1,15})\s+(-?\d{1,15})$/;

function randomProblem(argument: string): LocalizedMessage | undefined {
  const [, from, to] = randomRange.exec(argument) ?? [];
  return from !== undefined && Number(from) <= Number(to)
    ? undefined
    : sentence('{0} takes two whole numbers, the smaller one first, such as {1}.', '$random', '$random 1 6');
}

/** A whole number from the first to the last of the argument. `random`: from 0 to below 1. */
function randomBetween(argument: string, random: number): number {
  const [, from = '0', to = '0'] = randomRange.exec(argument) ?? [];
  return Number(from) + Math.floor(random * (Number(to) - Number(from) + 1));
}
