import type { CheckReport } from '../conformance/checkReport.ts';
import type { Agent } from '../model/agents/agent.ts';
import type { Agents } from '../model/agents/agents.ts';
import type { AgentContexts } from '../model/contexts/agentContexts.ts';
import type { RequestRun } from '../model/requests/requestRun.ts';
import type { RuleId } from '../protocol/ruleId.ts';

/** The port of the tools, which each front implements. */
export interface World {
  /** The program that models call the tools in, for people. */
  readonly client: string;
  /** The agents of this workspace: no others are read or sent to. */
  readonly agents: Pick<Agents, 'all'>;
  readonly contexts: Pick<AgentContexts, 'get' | 'page' | 'create' | 'forTask' | 'history' | 'patiently'>;
  /** A further history that is read, and in which nothing is sent or written. */
  readonly archive?: Pick<AgentContexts, 'get' | 'page' | 'forTask' | 'history'>;
  readonly consent: Consent;
  /** Checks an agent with requests that start no work. Rejects with a `Problem`. @param rules all where undefined */
  readonly check: (agent: Agent, rules: readonly RuleId[] | undefined, signal: AbortSignal) => Promise<CheckReport>;
  /**
   * Sends requests of a file once `mayRun` has resolved. Rejects with a `Problem`: for a file outside of the workspace, an environment that is
   * marked as production, a request without an agent.
   */
  readonly run: (
    wanted: WantedRequests,
    mayRun: (action: Omit<Action, 'kind'>) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<readonly RequestRun[]>;
  /** Shows the person where a tool acts. */
  readonly show: (place: Place) => void;
  /** How long a message waits for its answer where the call does not say, in seconds: 60 if left out. */
  readonly waitSeconds?: number;
  /** An address that opens a row of the workbench; undefined where there is none. */
  readonly link: (place: Place) => string | undefined;
  /** Called with defects of ours. */
  readonly onError: (error: unknown) => void;
  /** Masks every known secret value. */
  readonly mask: (text: string) => string;
}

/** A row: an agent, one of its contexts, or an exchange in that. */
export interface Place {
  readonly agent: string;
  /** Key of the context. */
  readonly context?: string;
  readonly exchange?: string;
}

/** Requests of a file: all where none is named, in the environment that the person has chosen where none is. */
interface WantedRequests {
  readonly file: string;
  readonly request?: string | undefined;
  readonly environment?: string | undefined;
}

/** The consent of the person. Rejections are a `Problem` that says what they can do. */
export interface Consent {
  /** Reading the history and the cards of the workspace's agents. */
  mayRead(): Promise<void>;
  mayAct(action: Action): Promise<void>;
  /** A model has words of these agents from now on. */
  hasRead(agents: ReadonlySet<string>): void;
}

/** The work of a tool at agents, before it is done. */
export interface Action {
  readonly kind: 'send' | 'cancel' | 'check' | 'run';
  readonly agents: readonly Recipient[];
  /** The message, the id of the task, the rules or the file. */
  readonly payload: string;
  /** Set where agents besides these are known only when it is done. */
  readonly isOpen?: boolean;
}

export interface Recipient {
  readonly name: string;
  /** The origin that is asked, as `URL.origin` writes it. */
  readonly origin: string;
}
