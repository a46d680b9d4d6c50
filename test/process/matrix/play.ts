/** One message to the agent and what the agent can do with it, in no SDK's words. */
export interface Stage {
  readonly text: string;
  /** The message is for a task that waits for it. */
  readonly continues: boolean;
  /** Aborted when the task is cancelled. */
  readonly signal: AbortSignal;
  /** A message and no task: the first and last thing of a turn. */
  reply(text: string): void;
  work(text: string): void;
  /** A piece of the one artifact of the task. */
  chunk(text: string, piece: { readonly append: boolean; readonly lastChunk: boolean }): void;
  ask(text: string): void;
  complete(text: string): void;
}

/** Lets a test say when an agent goes on. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  #gate(name: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(name) ?? Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }

  open(name: string): void {
    this.#gate(name).resolve();
  }

  passed(name: string): Promise<void> {
    return this.#gate(name).promise;
  }
}

const pieces = ['Eins é, ', 'zwei 二, ', 'drei 🙂, ', 'vier ✓'] as const;

/** The artifact of a story, piece by piece: every one has characters of several bytes, and no two are the same. */
export const storyPieces = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    index < pieces.length ? pieces[index]! : `, ${index + 1} ${pieces[index % pieces.length]!}`,
  );

const whole = { append: false, lastChunk: true };

/** What the agent of the matrix does: the same behind every SDK and in every generation. The first word of the message decides. */
export async function play(stage: Stage, gates: Gates): Promise<void> {
  const [word, rest = ''] = stage.text.split(' ');
  if (stage.continues) {
    stage.chunk(`painted ${stage.text}`, whole);
    return stage.complete('done');
  }
  switch (word) {
    case 'hello':
      return stage.reply('hello to you');
    case 'paint':
      return stage.ask('which colour?');
    case 'count':
      stage.work('counting');
      stage.chunk('one ', { append: false, lastChunk: false });
      stage.chunk('two ', { append: true, lastChunk: false });
      stage.chunk('three', { append: true, lastChunk: true });
      return stage.complete('done');
    case 'pause':
      stage.work('counting');
      stage.chunk('one ', { append: false, lastChunk: false });
      await gates.passed(rest);
      stage.chunk('two', { append: true, lastChunk: true });
      return stage.complete('done');
    case 'story':
      return tell(stage, gates, rest);
    case 'wait':
      stage.work('waiting');
      return cancelled(stage.signal);
    default:
      stage.chunk('the result', whole);
      return stage.complete('done');
  }
}

/**
 * A status, pieces of an artifact, an end. `plan` is `gate@n*count`: before its event n (the task itself is event 0) it waits for the gate, and has
 * so many pieces.
 */
async function tell(stage: Stage, gates: Gates, plan: string): Promise<void> {
  const [gate = '', rest = ''] = plan.split('@');
  const [hold = '', count = '4'] = rest.split('*');
  const texts = storyPieces(Number(count));
  const acts = [
    () => stage.work('erzähle'),
    ...texts.map((text, index) => () => stage.chunk(text, { append: index > 0, lastChunk: index === texts.length - 1 })),
    () => stage.complete('erzählt'),
  ];
  for (const [index, act] of acts.entries()) {
    if (hold !== '' && Number(hold) === index + 1) await gates.passed(gate);
    act();
  }
}

/** Rejects when the signal aborts. */
function cancelled(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
