import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { chunk, status, taskOf } from './world.ts';

/** A task that the agent works on whether or not anyone listens: chunks of text, then its end. */
export class LiveTask {
  readonly #chunks: string[] = [];
  readonly #messages: Task['history'] = [];
  #over: 'COMPLETED' | 'CANCELED' | undefined;
  #news = Promise.withResolvers<void>();

  /** Says more. */
  say(text: string): void {
    this.#chunks.push(text);
    this.#tell();
  }

  end(how: 'COMPLETED' | 'CANCELED' = 'COMPLETED'): void {
    this.#over = how;
    this.#tell();
  }

  get text(): string {
    return this.#chunks.join('');
  }

  get task(): Task {
    const artifacts = this.#chunks.length === 0 ? undefined : [{ artifactId: 'a', parts: this.#chunks.map(text => ({ text })) }];
    return taskOf(this.#over ?? 'WORKING', { artifacts, history: [...(this.#messages ?? [])] });
  }

  get script(): Script {
    return {
      SendStreamingMessage: request => {
        if (request.params !== undefined) this.#messages?.push(request.params.message);
        return this.#listen(request);
      },
      SubscribeToTask: request => this.#listen(request),
      GetTask: () => [{ answer: this.task }],
      CancelTask: () => {
        this.end('CANCELED');
        return [{ answer: this.task }];
      },
    };
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async *#listen({ signal }: ReceivedRequest): AsyncGenerator<Step> {
    let heard = this.#chunks.length;
    yield { event: { task: this.task } };
    while (!signal.aborted && this.#over === undefined) {
      await Promise.race([this.#news.promise, new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))]);
      while (heard < this.#chunks.length) {
        yield chunk(this.#chunks[heard] ?? '', { append: heard > 0 });
        heard++;
      }
    }
    if (!signal.aborted && this.#over !== undefined) yield status(this.#over);
  }
}
