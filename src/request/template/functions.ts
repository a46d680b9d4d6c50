import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { fileValue, readFileArgument } from './fileValue.ts';
import type { ValueSources } from '../values/valueSources.ts';
import { promptVariable, secretVariable } from './variableNames.ts';

/** The environment of template functions; passed in, so that a test or a replay can fix it. */
export interface FunctionHost {
  readonly now: () => Date;
  readonly uuid: () => string;
  /** Absent in an untrusted workspace: nothing outside the file is read, and a template that needs it is refused. */
  readonly sources?: ValueSources;
}

export const systemHost: FunctionHost = { now: () => new Date(), uuid: () => crypto.randomUUID() };

export interface TemplateFunction {
  readonly description: LocalizedMessage;
  /** Name of the argument, for people; absent for functions without one. */
  readonly argument?: string;
  /** May return a promise; `undefined` means no value. */
  evaluate(argument: string, host: FunctionHost): unknown;
  /** Whether the value is secret. */
  readonly isSecret?: (argument: string) => boolean;
  /** The next step where there is no value. */
  readonly nextStep?: (argument: string) => LocalizedMessage;
}

/** The functions of `{{$name argument}}`, by name without the dollar sign. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  uuid: {
    description: sentence('A new random UUID, another one at each place.'),
    evaluate: (_argument, host) => host.uuid(),
  },
  timestamp: {
    description: sentence('The time of sending, ISO 8601 in UTC with milliseconds.'),
    evaluate: (_argument, host) => host.now().toISOString(),
  },
  env: {
    description: sentence('A variable of the process environment.'),
    argument: 'NAME',
    evaluate: (name, host) => reachOf(host, 'env').env(name),
    nextStep: name => sentence('Set the environment variable {0}.', name),
  },
  secret: {
    description: sentence(
      'A secret that is kept outside the file: the editor has it in its own secret storage, a terminal in the environment variable `A2A_SECRET_NAME`.',
    ),
    argument: 'NAME',
    isSecret: () => true,
    evaluate: (name, host) => reachOf(host, 'secret').secret(name),
    nextStep: name =>
      hint(sentence('Set the secret {0} with "A2A: Set Secret…".', name, secretVariable(name)), 'Set the environment variable {1}.'),
  },
  prompt: {
    description: sentence(
      'What you answer when the request is sent. The same label is asked once. Where the label mentions a password, secret, token, key or credential, the answer is a secret: it is shown nowhere, and goes to the origin alone that it is first sent to. In a terminal the environment variable `A2A_PROMPT_LABEL` answers it, too.',
    ),
    argument: 'LABEL',
    isSecret: asksForSecret,
    evaluate: (label, host) => reachOf(host, 'prompt').prompt(label),
    nextStep: label =>
      hint(
        sentence('"{0}" was not answered.', label, promptVariable(label)),
        '"{0}" was not answered: a terminal asks, or the environment variable {1} answers it.',
      ),
  },
  file: {
    description: sentence(
      'A file beside this one: text as text, JSON as its value, anything else as a part with its media type. `as text`, `as json`, `as part` or `as base64` after the path says otherwise.',
    ),
    argument: 'PATH',
    evaluate: async (argument, host) => {
      const { path, form } = readFileArgument(argument);
      return fileValue(await reachOf(host, 'file').file(path), form);
    },
  },
};

export function functionOf(name: string): TemplateFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

const secretLabel = /pass(word|phrase)|secret|token|\bkey\b|credential|密码|密钥|令牌/i;

/** Whether the answer to the question is secret. */
export function asksForSecret(label: string): boolean {
  return secretLabel.test(label);
}

function reachOf({ sources }: FunctionHost, name: string): ValueSources {
  if (sources !== undefined) return sources;
  throw new Problem('untrusted', sentence('{0} was not read, because this workspace is not trusted.', `$${name}`), {
    nextStep: sentence('Look at the request files, then trust the workspace with "Workspaces: Manage Workspace Trust".'),
  });
}
