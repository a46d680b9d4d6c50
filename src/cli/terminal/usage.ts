/** Exit statuses, explained by `exitStatuses`. */
export const exitStatus = { fine: 0, taskFailed: 1, usage: 2, agent: 3, incomplete: 4, defect: 70, output: 74 } as const;

/** The meaning of the exit statuses, for the help and the manual. */
export const exitStatuses: readonly (readonly [statuses: string, meaning: string])[] = [
  ['0', 'success'],
  ['1', 'the task, an expectation or a conformance check failed, or a request timed out'],
  ['2', 'the command or a request file has an error, or a value, a sign-in or a permission is missing'],
  ['3', 'the agent could not be reached or returned an error'],
  ['4', 'the program ended before it had a result for everything'],
  ['70', 'a bug in the program'],
  ['74', 'the output could not be written'],
  ['129, 130 and 143', 'stopped by a signal'],
];

/** Points to the help of a command, or to that of the program; errors do not print it. */
export const seeHelp = (command?: string): string => `See: a2a ${command === undefined ? '' : `${command} `}--help`;

/** An invalid command line; the message has the reason. */
export class UsageError extends Error {}

/** An invalid file on a valid command line; the message has the reason. */
export class FileError extends Error {}

/** An output file could not be written. */
export class WriteError extends FileError {}

/** A command about a task, as a person can paste it into a shell: an agent chooses its ids. */
export const taskCommand = (name: 'get' | 'subscribe', agent = 'URL', taskId: string): string =>
  ['a2a task', name, shellWord(agent), shellWord(taskId)].join(' ');

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
