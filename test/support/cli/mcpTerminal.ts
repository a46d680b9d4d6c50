import * as assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { Client, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { type ConnectedMcpSessionPort, type TaskEnabledSession, withTasks } from '@modelcontextprotocol/ext-tasks/client';
import { main } from '../../../src/cli/main.ts';
import { Output, type Host } from '../../../src/cli/terminal/output.ts';
import type { RunOptions } from './runTerminal.ts';

/** Revisions of the Model Context Protocol. */
export const mcpVersions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
type McpVersion = (typeof mcpVersions)[number];

interface McpOptions extends RunOptions {
  readonly version?: McpVersion;
}

/** A client of the official SDK that speaks this revision alone. */
export const mcpClient = (version: McpVersion = '2026-07-28'): Client =>
  new Client(
    { name: 'Test Client', version: '1' },
    version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : { supportedProtocolVersions: [version] },
  );

/** `a2a mcp` from its source in this process, with a client of the official SDK at its streams. */
export class McpTerminal {
  readonly client: Client;
  /** The exit status. */
  readonly ended: Promise<number>;
  /** Closes its standard input. */
  readonly hangUp: () => void;
  readonly interrupt: (status: number) => void;
  readonly #err: () => string;

  private constructor(of: Pick<McpTerminal, 'client' | 'ended' | 'hangUp' | 'interrupt'>, err: () => string) {
    ({ client: this.client, ended: this.ended, hangUp: this.hangUp, interrupt: this.interrupt } = of);
    this.#err = err;
  }

  static async start(args: readonly string[], { cwd, env, version }: McpOptions = {}): Promise<McpTerminal> {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let err = '';
    stderr.on('data', chunk => (err += String(chunk)));
    const interrupting = new AbortController();
    const host = { stdin, stdout, stderr, env: { ...process.env, ...env }, cwd: () => cwd ?? process.cwd() } as unknown as Host;
    const never = new AbortController().signal;
    const ended = main(['mcp', ...args], { host, output: new Output(host), interrupt: interrupting.signal, giveUp: never });
    const client = mcpClient(version);
    const connected = client.connect(overStreams(stdin, stdout));
    await Promise.race([connected, ended.then(status => assert.fail(`it ended with ${status}: ${err}`))]);
    return new McpTerminal({ client, ended, hangUp: () => void stdin.end(), interrupt: status => interrupting.abort(status) }, () => err);
  }

  /** Calls of the official client of the tasks extension, on the same streams. */
  withTasks(): TaskEnabledSession {
    return withTasks(this.#port());
  }

  #port(): ConnectedMcpSessionPort {
    const { transport } = this.client;
    assert.ok(transport);
    const { onmessage } = transport;
    const waiting = new Map<unknown, (response: Awaited<ReturnType<ConnectedMcpSessionPort['dispatch']>>) => void>();
    transport.onmessage = (message, ...more) => {
      const answer = 'id' in message ? waiting.get(message.id) : undefined;
      if (answer === undefined) onmessage?.(message, ...more);
      else if ('result' in message) answer({ kind: 'result', result: message.result as never });
      else if ('error' in message) answer({ kind: 'error', error: message.error as never });
    };
    let last = 0;
    const nothing = () => () => {};
    return {
      endpointId: 'a2a mcp',
      taskCapabilities: { generation: 'v2', capabilities: {} },
      invalidated: false,
      onServerRequest: nothing,
      onNotification: nothing,
      onInvalidated: nothing,
      dispatch: async request => {
        const id = `task-${++last}`;
        const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ConnectedMcpSessionPort['dispatch']>>>();
        waiting.set(id, resolve);
        const { method, params } = request as { readonly method: string; readonly params: Readonly<Record<string, unknown>> };
        const meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'Test Client', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
        };
        await transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
        return promise;
      },
    };
  }

  /** All of its standard error so far. */
  get err(): string {
    return this.#err();
  }

  /** The text of a result, and whether it is an error. */
  async call(
    name: string,
    input: Record<string, unknown> = {},
    signal?: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: input }, { ...(signal && { signal }) });
    assert.equal(content.length, 1);
    const [part] = content;
    return { text: part?.type === 'text' ? part.text : assert.fail(JSON.stringify(content)), isError };
  }

  async close(): Promise<void> {
    this.hangUp();
    await this.ended;
  }
}

function overStreams(stdin: PassThrough, stdout: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      stdout.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        // Throws for anything that is no message of the protocol.
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) transport.onmessage?.(message);
      });
    },
    async send(message) {
      stdin.write(serializeMessage(message));
    },
    async close() {
      stdin.end();
      transport.onclose?.();
    },
  };
  return transport;
}
