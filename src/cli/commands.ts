import { card } from './card.ts';
import { commonOptionNames, parse, type OptionName, type Values } from './terminal/options.ts';
import { listen } from './listen.ts';
import { run } from './run/run.ts';
import { send } from './send.ts';
import { list, getOrCancel, subscribe } from './task.ts';
import type { Terminal } from './terminal/terminal.ts';
import { UsageError } from './terminal/usage.ts';

export interface Command {
  /** Options besides those that every command takes. */
  readonly options: readonly OptionName[];
  /** Minimum and maximum number of positional arguments after the command's name. */
  readonly positionals: readonly [number, number];
  readonly run: (terminal: Terminal, positionals: readonly string[]) => Promise<number>;
}

export const commands: Readonly<Record<string, Command>> = {
  card: { options: ['trusted-key'], positionals: [1, 1], run: card },
  send: { options: ['stream', 'no-wait', 'timeout', 'task', 'context', 'file'], positionals: [1, 2], run: send },
  run: {
    options: ['env', 'name', 'reporter', 'bail', 'parallel', 'var', 'agent', 'timeout', 'no-wait', 'yes'],
    positionals: [1, Infinity],
    run,
  },
  'task get': { options: [], positionals: [2, 2], run: (terminal, positionals) => getOrCancel(terminal, 'GetTask', positionals) },
  'task list': { options: ['context', 'status'], positionals: [1, 1], run: list },
  'task cancel': { options: [], positionals: [2, 2], run: (terminal, positionals) => getOrCancel(terminal, 'CancelTask', positionals) },
  listen: { options: ['port', 'path', 'token', 'respond'], positionals: [0, 0], run: listen },
  'task subscribe': { options: ['timeout'], positionals: [2, 2], run: subscribe },
};

/** Parses and checks the command line. @throws UsageError */
export function parseCommand(args: readonly string[]): { command: Command; values: Values; positionals: readonly string[] } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  const { values, positionals: words } = parsed;
  const name = words.slice(0, words[0] === 'task' ? 2 : 1).join(' ');
  const positionals = words.slice(name.split(' ').length);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'Which command?' : `There is no command ${name}.`);
  const foreign = (Object.keys(values) as OptionName[]).find(
    option => !commonOptionNames.includes(option) && !command.options.includes(option),
  );
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not for ${name}.`);
  const [fewest, most] = command.positionals;
  if (positionals.length < fewest) throw new UsageError(`${name} needs more arguments.`);
  if (positionals.length > most) throw new UsageError(`${name} takes fewer arguments; put a text of several words in quotes.`);
  return { command, values, positionals };
}
