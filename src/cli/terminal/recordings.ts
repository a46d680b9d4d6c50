import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { writeAtOnce } from '../../model/writtenFile.ts';
import { Recorder } from '../../recording/recorder.ts';
import { recordingSuffix } from '../../recording/recordingSuffix.ts';
import { maxRecordingLength, readRecording, recordingText, type Recording } from '../../recording/recording.ts';
import { ownReplacement, Replacements, withoutPersonal, type OwnReplacement } from '../../recording/replacements.ts';
import { FreeNames, safeFileName } from '../../model/fileNames.ts';
import { parseJson } from '../../client/http/parseJson.ts';
import { Problem } from '../../protocol/problem.ts';
import { oneLine, type Host, type Output } from './output.ts';
import { FileError, UsageError, WriteError } from './usage.ts';

/** An agent that is recorded. */
interface RecordedAgent {
  readonly name?: string | undefined;
  readonly url: string;
  /** The text of its card, without credentials. */
  readonly source?: string | undefined;
}

/** A recording that gets more. */
interface FilledRecording {
  readonly recording: Recording;
  /** The number of the request in it that one goes on from, by the id of its exchange. */
  readonly after: ReadonlyMap<string, number>;
}

/** The recordings of one command: one for each agent. They are written when it ends, however it ends. */
export class Recordings {
  readonly #path: string;
  readonly #host: Host;
  readonly #output: Output;
  readonly #own: readonly OwnReplacement[];
  readonly #recorders = new Map<string, { readonly recorder: Recorder; readonly agent: () => RecordedAgent | undefined }>();
  #agent: RecordedAgent | undefined;

  /** @throws UsageError, FileError where a file that is no recording would be replaced */
  constructor(path: string, replace: readonly string[], { host, output }: { readonly host: Host; readonly output: Output }) {
    this.#path = path;
    this.#host = host;
    this.#output = output;
    this.#own = replace.map(replacement);
    this.#refuseOther(path);
  }

  /** The log of an agent. @param agent what is known of it at the end */
  of(key: string, agent: () => RecordedAgent | undefined): Recorder {
    const known = this.#recorders.get(key);
    if (known !== undefined) return known.recorder;
    const recorder = new Recorder();
    this.#recorders.set(key, { recorder, agent });
    return recorder;
  }

  /** The log of a command that is about one agent. */
  get ofCommand(): Recorder {
    return this.of('', () => this.#agent);
  }

  /** The agent that the command is about. */
  commandIsFor(agent: RecordedAgent): void {
    this.#agent = agent;
  }

  /**
   * Says what was replaced, then writes the files.
   * @param into what the file already has; it stays before what is recorded
   * @throws WriteError
   */
  write(into?: FilledRecording): void {
    const recorded = [...this.#recorders].filter(([, { recorder }]) => recorder.exchanges.length > 0);
    const names = new FreeNames();
    for (const [key, { recorder, agent }] of recorded) {
      const path = recorded.length === 1 ? this.#path : this.#pathOf(names.take(safeFileName(key, 'agent')));
      this.#refuseOther(path);
      const own = this.#recording(recorder, agent() ?? { url: key });
      const { replaced, exchanges } = own;
      const events = exchanges.reduce((sum, { frames }) => sum + frames.length, 0);
      const what = replaced.length === 0 ? 'nothing' : replaced.map(({ what: one, times }) => `${one} (${times})`).join(', ');
      this.#output.printError(`Recording ${oneLine(path)} (requests: ${exchanges.length}, events: ${events}). Replaced: ${oneLine(what)}.`);
      try {
        const whole = resolve(this.#host.cwd(), path);
        const text = recordingText(into === undefined ? own : filled(into, own));
        if (text.length > maxRecordingLength) throw new Error(`it would exceed the limit of ${maxRecordingLength / 2 ** 20} MiB`);
        writeAtOnce(whole, text);
      } catch (cause) {
        throw new WriteError(`The recording ${path} cannot be written: ${(cause as Error).message}`, { cause });
      }
    }
    if (recorded.length === 0) this.#output.printError('Nothing was recorded: no request was sent.');
  }

  #recording(recorder: Recorder, { name, url, source }: RecordedAgent): Recording {
    const exchanges = recorder.exchanges.map(one => this.#output.maskedExchange(one));
    const card = source === undefined ? undefined : parseJson(this.#output.maskedBody(source));
    const lacks = recorder.isFull ? ['What came after the limit of 128 MiB.'] : [];
    const replacements = new Replacements(homedir(), this.#own);
    return withoutPersonal(
      {
        agent: { url: this.#output.mask(url), ...(name !== undefined && { name: this.#output.mask(name) }) },
        recordedAt: exchanges[0]!.exchange.startedAt,
        ...(card !== undefined && { card }),
        lacks,
        rules: [],
        faults: [],
        exchanges,
      },
      replacements,
    );
  }

  /** `talk.a2a-recording.jsonl` becomes `talk.AGENT.a2a-recording.jsonl` where several agents are recorded. */
  #pathOf(name: string): string {
    const ending = this.#path.endsWith(recordingSuffix) ? recordingSuffix : '';
    return `${this.#path.slice(0, this.#path.length - ending.length)}.${name}${ending}`;
  }

  #refuseOther(path: string): void {
    const whole = resolve(this.#host.cwd(), path);
    const found = statSync(whole, { throwIfNoEntry: false });
    if (found === undefined) return;
    try {
      if (!found.isFile()) throw new Error('it is not a file');
      readRecording(readFileSync(whole, 'utf8'));
    } catch (cause) {
      const why = cause instanceof Problem ? 'it is not a recording' : (cause as Error).message;
      throw new FileError(`${path} is not replaced: ${why}. Choose another name for --record.`, { cause });
    }
  }
}

function filled({ recording, after }: FilledRecording, { replaced, lacks, exchanges }: Recording): Recording {
  const times = new Map(recording.replaced.map(one => [one.what, one.times]));
  for (const one of replaced) times.set(one.what, (times.get(one.what) ?? 0) + one.times);
  return {
    ...recording,
    replaced: [...times].map(([what, count]) => ({ what, times: count })),
    lacks: [...recording.lacks, ...lacks.filter(lack => !recording.lacks.includes(lack))],
    exchanges: [...recording.exchanges, ...exchanges.map(one => ({ ...one, after: after.get(one.exchange.id) }))],
  };
}

/** @throws UsageError */
function replacement(written: string): OwnReplacement {
  const read = ownReplacement(written);
  if (read === undefined)
    throw new UsageError(`--replace has a pattern that is not a regular expression: ${JSON.stringify(written.slice(0, 60))}.`);
  return read;
}
