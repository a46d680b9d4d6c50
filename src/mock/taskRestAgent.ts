import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { ignoreFindings } from '../protocol/finding.ts';
import type { Operation, OperationParams, UnaryOperation } from '../protocol/message/operations.ts';
import { Problem } from '../protocol/problem.ts';
import type { Task } from '../protocol/message/task.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import { guarded, listenOnLoopback, refuse, callListener } from '../receiver/loopbackServer.ts';
import { foreignReason } from '../receiver/requestGuard.ts';
import { bodyOf, jsonOf } from './body.ts';
import { decoded } from './httpJson.ts';
import { minimalCard } from './minimalCard.ts';
import type { ReceivedRequest, Script, Step, Turn } from './script.ts';
import type { ScriptedAgent, ScriptedAgentOptions } from './scriptedAgent.ts';
import { httpOutput, playTaskRest, webSocketOutput, type TaskRestOutput } from './taskRestPlayback.ts';
import { TaskStore } from './taskStore.ts';

/** Most tasks that are kept. */
const maxTasks = 200;

interface Call {
  readonly operation: Operation;
  readonly params: OperationParams[Operation];
}

/**
 * A scripted agent with the task API. `POST /task` plays the steps of SendMessage, whose first answer is the response, or else those of
 * SendStreamingMessage: then the response is the new task, and the events go to every WebSocket. Posting the same name again returns the
 * task unchanged and plays nothing. GET and cancel return the task with its events applied, unless the script has steps for them.
 * WebSockets are accepted only where the script has steps for SubscribeToTask, which are sent first.
 */
export class TaskRestAgent implements ScriptedAgent {
  readonly requests: ReceivedRequest[] = [];
  url = '';
  readonly #version: Version;
  readonly #script: Script;
  readonly #card: (url: string) => unknown;
  readonly #onError: (error: unknown) => void;
  readonly #keepsRequests: boolean;
  readonly #isOwnHost: ((host: string) => boolean) | undefined;
  readonly #tasks = new TaskStore();
  readonly #sockets = new Map<WebSocket, Socket>();
  #server: Server | undefined;
  #stopped = new AbortController();

  constructor(
    version: Version,
    { script, card, onError, keepsRequests = true, isOwnHost }: Required<Pick<ScriptedAgentOptions, 'onError'>> & ScriptedAgentOptions,
  ) {
    this.#version = version;
    this.#script = script;
    this.#card = card ?? (url => minimalCard(url, version.protocolVersion));
    this.#onError = onError;
    this.#keepsRequests = keepsRequests;
    this.#isOwnHost = isOwnHost;
  }

  async start(port = 0): Promise<void> {
    const { WebSocketServer } = await import('./webSocketServer.ts');
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    this.#stopped = new AbortController();
    const server = createServer((message, response) => {
      void guarded(
        response,
        () => this.#answer(message, response),
        error => {
          response.destroy();
          if (message.complete) this.#onError(error);
        },
      );
    });
    server.on('upgrade', (message: IncomingMessage, connection: Socket, head: Buffer) => {
      // Node does not listen to the connection any more: a client that breaks off is no error of this program.
      connection.on('error', () => {});
      if (foreignReason(message, this.#isOwnHost) !== undefined) return void connection.end(bare('403 Forbidden'));
      const turn = this.#script.SubscribeToTask;
      const request = { ...received(message, '', this.#stopped.signal), operation: 'SubscribeToTask' as const };
      this.#keep(request);
      if (turn === undefined) connection.end(bare('404 Not Found'));
      else
        sockets.handleUpgrade(message, connection, head, socket => {
          this.#greet(socket, connection, turn as Turn, request).catch((error: unknown) => {
            socket.terminate();
            callListener(() => this.#onError(error));
          });
        });
    });
    const own = await listenOnLoopback(server, port, this.#onError);
    this.#server = server;
    this.url = `http://127.0.0.1:${own}/`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#stopped.abort();
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets.keys()) socket.terminate();
    server.closeAllConnections();
    await closed;
  }

  async #greet(socket: WebSocket, connection: Socket, turn: Turn, request: ReceivedRequest): Promise<void> {
    const left = new AbortController();
    this.#sockets.set(socket, connection);
    socket
      .on('error', () => {})
      .on('close', () => {
        this.#sockets.delete(socket);
        left.abort();
      });
    const output = webSocketOutput(socket, connection, { ...this.#writing, signal: left.signal }, event =>
      this.#version.writeStreamResponse(event),
    );
    await playTaskRest(typeof turn === 'function' ? turn({ ...request, signal: left.signal }) : turn, output);
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (foreignReason(message, this.#isOwnHost) !== undefined) return refuse(message, response, 403);
    const left = new AbortController();
    // A script may continue after the answer: its later steps go to the WebSockets.
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    const signal = AbortSignal.any([left.signal, this.#stopped.signal]);
    const body = await bodyOf(message);
    const base = received(message, body ?? '', signal);
    if (body === undefined) {
      this.#keep(base);
      const error = { code: 'TOO_LARGE', message: 'The body is too large' };
      return refuse(message, response, 413, { 'content-type': 'application/json' }, JSON.stringify({ error }));
    }
    let call: Call | undefined;
    let fault: string | undefined;
    try {
      call = callOf(this.#version, message, body);
    } catch (error) {
      fault = error instanceof Problem ? error.message : 'Invalid request';
    }
    const request: ReceivedRequest = { ...base, operation: call?.operation, params: call?.params };
    this.#keep(request);
    const output = httpOutput(response, {
      ...this.#writing,
      event: event => {
        this.#tasks.apply(event);
        const words = JSON.stringify(this.#version.writeStreamResponse(event));
        for (const socket of this.#sockets.keys()) socket.send(words);
      },
      signal,
    });
    if (fault !== undefined) output.say({ error: { code: 'INVALID_INPUT', message: fault } }, 400);
    else if (call === undefined) await this.#page(request, output);
    else if (call.operation === 'SendMessage') await this.#submit(request, output);
    else
      await this.#play(request, output, this.#script[call.operation], () =>
        this.#tell(call as Call & { readonly operation: UnaryOperation }, output),
      );
    if (!response.writableEnded && !response.destroyed) output.raw('', 'application/json');
  }

  #keep(request: ReceivedRequest): void {
    if (this.#keepsRequests) this.requests.push(request);
  }

  get #writing(): Pick<TaskRestOutput, 'written'> {
    // The script is responsible for the type of the answer; every answer of this API is a task.
    return {
      written: answer => this.#version.writeResult('task' in answer || 'message' in answer ? 'SendMessage' : 'GetTask', answer as never),
    };
  }

  async #page(request: ReceivedRequest, output: TaskRestOutput): Promise<void> {
    await this.#play(request, output, request.method === 'GET' ? this.#script.AgentCard : undefined, () => {
      if (request.method === 'GET' && request.url === this.#version.cardPath) output.say(this.#card(this.url));
      else output.say({ error: { code: 'NOT_FOUND', message: 'Not found' } }, 404);
    });
  }

  async #submit(request: ReceivedRequest, output: TaskRestOutput): Promise<void> {
    const { message } = request.params as OperationParams['SendMessage'];
    const id = message.taskId ?? message.messageId;
    const known = this.#tasks.get(id);
    if (known !== undefined) return output.say(this.#version.writeResult('GetTask', known));
    const [data] = message.parts.map(part => ('data' in part ? part.data : undefined));
    const task: Task = { id, status: { state: 'TASK_STATE_SUBMITTED' }, metadata: { ...message.metadata, data } };
    const { SendMessage, SendStreamingMessage } = this.#script;
    this.#tasks.put(task);
    this.#tasks.weigh(id, request.body.length);
    this.#tasks.shrink(maxTasks);
    if (SendMessage !== undefined) {
      const keep = (answer: Extract<Step, { answer: unknown }>['answer']): unknown => {
        const told = 'task' in answer ? answer.task : 'status' in answer ? answer : undefined;
        if (told === undefined) return output.written(answer);
        // The name that the client sent is the task's id.
        const named = { ...told, id };
        this.#tasks.put(named);
        return output.written(named);
      };
      return this.#play(request, { ...output, written: keep }, SendMessage, () => {});
    }
    output.say(this.#version.writeResult('GetTask', task));
    // The script continues after the answer, until the agent stops.
    const turn = (SendStreamingMessage as Turn | undefined) ?? [];
    const working = { ...request, signal: this.#stopped.signal };
    await playTaskRest(typeof turn === 'function' ? turn(working) : turn, { ...output, signal: this.#stopped.signal });
  }

  #tell({ operation, params }: Call, output: TaskRestOutput): void {
    const task = operation === 'GetTask' ? this.#tasks.get((params as OperationParams['GetTask']).id) : undefined;
    if (task === undefined) output.say({ error: { code: 'NOT_FOUND', message: 'Not found' } }, 404);
    else output.say(this.#version.writeResult('GetTask', task));
  }

  async #play(request: ReceivedRequest, output: TaskRestOutput, turn: unknown, otherwise: () => void): Promise<void> {
    if (turn === undefined) return otherwise();
    const steps = typeof turn === 'function' ? (turn as Exclude<Turn, readonly Step[]>)(request) : (turn as readonly Step[]);
    await playTaskRest(steps, output);
  }
}

const bare = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

const received = ({ method = '', url = '', headers }: IncomingMessage, body: string, signal: AbortSignal): ReceivedRequest => ({
  method,
  url,
  headers,
  body,
  operation: undefined,
  params: undefined,
  signal,
});

/** The call that a request makes; undefined for a path outside the API. @throws Problem `invalid-params` */
function callOf(version: Version, { method = '', url = '' }: IncomingMessage, body: string): Call | undefined {
  if (method === 'POST' && url === '/task') {
    return { operation: 'SendMessage', params: version.readParams('SendMessage', parsed(body), ignoreFindings) };
  }
  const [, name, cancel] = /^\/task\/([^/]+)(\/cancel)?$/.exec(url) ?? [];
  if (name === undefined) return undefined;
  const operation =
    method === 'GET' && cancel === undefined ? 'GetTask' : method === 'POST' && cancel !== undefined ? 'CancelTask' : undefined;
  return operation === undefined
    ? undefined
    : { operation, params: version.readParams(operation, { taskId: decoded(name) }, ignoreFindings) };
}

function parsed(body: string): unknown {
  try {
    return jsonOf(body);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // Handled like any other body without the required members.
    return undefined;
  }
}
