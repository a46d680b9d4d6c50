import * as vscode from 'vscode';
import { logError } from '../platform/log.ts';
import { explained } from '../platform/report.ts';
import { AgentSession, type AgentSessionNeeds, type WriteToConsole } from './agentSession.ts';
import type { Launch } from './launch.ts';

/** A request of the Debug Adapter Protocol. */
interface DebugRequest {
  readonly seq: number;
  readonly type: 'request';
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Speaks the Debug Adapter Protocol with VS Code for an agent that runs. It has no threads: breakpoints belong to the debugger of its language. */
export class AgentDebugAdapter implements vscode.DebugAdapter {
  readonly #messages = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly #agents: AgentSession;
  readonly #launchOf: (configuration: object) => Launch;
  #seq = 0;
  readonly onDidSendMessage = this.#messages.event;

  /** @param launchOf throws a `Problem` */
  constructor(session: vscode.DebugSession, needs: AgentSessionNeeds, launchOf: (configuration: object) => Launch) {
    this.#launchOf = launchOf;
    const write: WriteToConsole = (output, category = 'console') => this.#event('output', { category, output });
    this.#agents = new AgentSession(session, needs, write, () => this.#event('terminated'));
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    const request = message as DebugRequest;
    if (request.type === 'request') void this.#answer(request);
  }

  dispose(): void {
    this.#agents.kill();
    this.#messages.dispose();
  }

  async #answer(request: DebugRequest): Promise<void> {
    try {
      this.#respond(request, { success: true, body: await this.#handle(request) });
      if (request.command === 'initialize') this.#event('initialized');
    } catch (error) {
      if (request.command === 'launch' || request.command === 'restart') await this.#agents.stop().catch(logError);
      this.#respond(request, {
        success: false,
        message: explained(error),
        body: { error: { id: 1, format: '{_text}', variables: { _text: explained(error) }, showUser: true } },
      });
      if (request.command === 'restart') this.#event('terminated');
    }
  }

  async #handle({ command, arguments: given = {} }: DebugRequest): Promise<object | undefined> {
    switch (command) {
      case 'initialize':
        return { supportsConfigurationDoneRequest: true, supportsRestartRequest: true };
      case 'launch':
        await this.#agents.start(this.#launchOf(given));
        return undefined;
      case 'restart':
        await this.#agents.restart(this.#launchOf((given['arguments'] as object | undefined) ?? {}));
        return undefined;
      case 'disconnect':
        await this.#agents.stop();
        return undefined;
      case 'threads':
        return { threads: [] };
      case 'evaluate':
        throw new Error(vscode.l10n.t("Output only: the debugger of the agent's language evaluates expressions."));
      default:
        // Breakpoints of all languages are sent to all adapters; other requests need a capability.
        return command.startsWith('set') ? { breakpoints: [] } : undefined;
    }
  }

  #respond({ seq, command }: DebugRequest, result: object): void {
    this.#send({ type: 'response', request_seq: seq, command, ...result });
  }

  #event(event: string, body?: object): void {
    this.#send({ type: 'event', event, body });
  }

  #send(message: object): void {
    this.#messages.fire({ seq: ++this.#seq, ...message });
  }
}
