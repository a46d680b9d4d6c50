import { Problem } from '../../protocol/problem.ts';
import type { Output } from '../terminal/output.ts';
import { printProblem } from '../terminal/printProblem.ts';
import { connect, type Terminal } from '../terminal/terminal.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import { chatHelp, readTyped } from './chatCommand.ts';
import { Conversation } from './conversation.ts';
import { pipedLines, typedLines, type LineSource } from './lineSource.ts';

/** Exit statuses by rank: the first that applies counts. */
const ranked: readonly number[] = [exitStatus.taskFailed, exitStatus.usage, exitStatus.agent];

/**
 * A conversation with an agent. In a terminal a person types; otherwise each line of standard input is a message, and the exit status is the
 * worst of its turns.
 */
export async function chat(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { host, output, values, signal } = terminal;
  const client = await connect(terminal, url);
  const isTyped = host.stdin.isTTY && host.stderr.isTTY;
  const conversation = new Conversation(terminal, { url, client }, { contextId: values.context, taskId: values.task });
  const lines = isTyped ? typedLines(host) : pipedLines(host);
  if (isTyped) output.printError(`${client.card.name} ${client.card.version}. /help shows what can be typed.`);
  const onAbort = (): void => lines.close();
  signal.addEventListener('abort', onAbort, { once: true });
  let worst: number = exitStatus.fine;
  try {
    for (;;) {
      const line = await lines.next(conversation.prompt);
      if (line === undefined || signal.aborted) break;
      const status = await turn(line, conversation, { lines, output });
      if (status === 'left') return isTyped ? 130 : worst;
      if (status === 'exit') break;
      worst = ranked.find(each => each === worst || each === status) ?? Math.max(worst, status);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    lines.close();
    conversation.dispose();
  }
  if (signal.aborted) return signal.reason as number;
  return isTyped ? exitStatus.fine : worst;
}

/** One line. `left`: the person has left while the agent worked. */
async function turn(
  line: string,
  conversation: Conversation,
  { lines, output }: { readonly lines: LineSource; readonly output: Output },
): Promise<number | 'left' | 'exit'> {
  const typed = readTyped(line);
  try {
    switch (typed.kind) {
      case 'nothing':
        return exitStatus.fine;
      case 'exit':
        return 'exit';
      case 'help':
        for (const text of chatHelp.split('\n')) output.printError(text);
        return exitStatus.fine;
      case 'unknown':
        throw new UsageError(
          `There is no /${typed.word.slice(0, 40)}. /help lists what there is; // begins a message that begins with a slash.`,
        );
      case 'new':
        conversation.beginAnew();
        output.printError('A new context begins with the next message.');
        return exitStatus.fine;
      case 'attach':
        output.printError(await conversation.attach(typed.path));
        return exitStatus.fine;
      case 'task':
        return await conversation.showTask(typed.id);
      case 'message':
        return await conversation.send(typed.text, act => lines.onInterrupt(act));
    }
  } catch (error) {
    if (error instanceof UsageError) {
      output.printError(error.message);
      return exitStatus.usage;
    }
    if (!(error instanceof Problem)) throw error;
    return printProblem(output, error);
  } finally {
    lines.onInterrupt(undefined);
  }
}
