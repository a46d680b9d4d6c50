import { chatHelp } from './chat/chatCommand.ts';
import { commands, commonOptionsOf, unknownCommand } from './commands.ts';
import { manual } from './manual.ts';
import type { OptionName } from './terminal/options.ts';
import { commonOptions, exitStatuses, network, placeholders, runOptions, signIns, synopses, usage, UsageError } from './terminal/usage.ts';
import { version } from './version.ts';

/** The output of `--help`, `help` and `--version`; undefined where the arguments are a command. @throws UsageError */
export function helpOutput(args: readonly string[]): string | undefined {
  if (args[0] === 'help') return args[1] === 'files' ? manual() : helpOf(args.slice(1));
  if (args.includes('--help') || args.includes('-h')) {
    // A word before the command's name may be the value of an option.
    const at = args.findIndex(word => Object.keys(commands).some(name => name.split(' ')[0] === word));
    return helpOf(at < 0 ? args.slice(0, 1).filter(word => !word.startsWith('-')) : args.slice(at));
  }
  return args.includes('--version') || args.includes('-V') ? `${version}\n` : undefined;
}

/** The whole usage, or the part about one command. @param words the command, possibly followed by others. @throws UsageError */
function helpOf(words: readonly string[]): string {
  const names = Object.keys(commands);
  if (words.length === 0) return usage;
  const [first = ''] = words;
  const name = names.find(one => one === words.slice(0, 2).join(' ') && one !== first);
  const wanted = name === undefined ? names.filter(one => one === first || one.startsWith(`${first} `)) : [name];
  if (wanted.length === 0) throw new UsageError(unknownCommand(first));
  // The help of `run` describes its options itself.
  const meant = wanted.flatMap(one => commands[one] ?? []);
  const common = meant.flatMap(commonOptionsOf).filter(one => !wanted.includes('run') || !ofRunItself.includes(one));
  const options = new Set([...common, ...(wanted.includes('run') ? [] : meant.flatMap(one => one.options))]);
  const blocks = [
    `Usage:\n${linesFor(synopses, line => wanted.some(one => line.startsWith(`  a2a ${one} `)))}`,
    linesFor(placeholders, line =>
      wanted.some(one =>
        synopses.some(synopsis => synopsis.startsWith(`  a2a ${one} `) && synopsis.includes(/^ {2}(\S+)/.exec(line)?.[1] ?? '')),
      ),
    ),
    ...(wanted.includes('chat') ? [`What can be typed:\n${chatHelp}`] : []),
    `Options:\n${linesFor(commonOptions, isOneOf(options))}`,
    ...(wanted.includes('run') ? [runOptions] : []),
    ...(meant.every(one => one.asksNobody === true) ? [] : [network, signIns]),
    exitStatuses,
  ];
  return `${blocks.map(block => block.trimEnd()).join('\n\n')}\n`;
}

/** What `run` does not take, or describes in its own way. */
const ofRunItself: readonly OptionName[] = ['raw', 'header', 'allow-origin', 'cert', 'key', 'pfx', 'ca', 'insecure'];

const linesFor = (entries: readonly string[], isMeant: (entry: string) => boolean): string => entries.filter(isMeant).join('\n');

const isOneOf =
  (options: ReadonlySet<OptionName>) =>
  (entry: string): boolean =>
    options.has(/^ {2}--([a-z\d-]+)/.exec(entry)?.[1] as OptionName);
