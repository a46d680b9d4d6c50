import type { Scope } from '../../request/resolve/fill.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import type { FunctionHost } from '../../request/template/functions.ts';
import type { Values } from '../../request/text/value.ts';
import type { AssistantCall } from '../../protocol/message/transcript.ts';
import type { SecretOrigins } from '../agents/secretOrigins.ts';
import type { SnapshotFile } from '../snapshotFile.ts';
import type { EarlierRun } from './requestContinuation.ts';
import type { RequestModel } from './requestPorts.ts';

/** A question to the person before a request is sent. */
export interface Confirmation {
  readonly entry: RequestEntry;
  /** The question in the file; absent where the file has none of its own. */
  readonly question?: string;
}

/** Options of a sending besides its file. */
export interface SendRequestOptions {
  /** The agent for requests that name none. */
  readonly agent?: string;
  /** A test sends them: contexts that they make are listed apart. */
  readonly testRun?: boolean;
  /** The call of a language model that sends them. */
  readonly assistant?: AssistantCall;
  /** How long requests may take that set no limit, in milliseconds. */
  readonly timeoutMs?: number;
  /** Messages return at once, unless a request says otherwise: tasks are followed only where something needs how they end. */
  readonly noWait?: boolean;
  /** Without it, templates reach nothing beyond the file. */
  readonly host?: FunctionHost;
  /** Variables of the environment and the command line. */
  readonly values?: Values;
  /** Asks the person before a request that is marked so; without it such a request is not sent. */
  readonly confirm?: (question: Confirmation) => Promise<boolean>;
  /** Where secrets may go; left out, each to the origin alone that it is first sent to from the file. */
  readonly secretOrigins?: SecretOrigins;
  /** The snapshots of the file; left out, an expected one is a failure. */
  readonly snapshots?: SnapshotFile;
  /** Called with secrets as they are filled in. */
  readonly onDraw?: Scope['onUse'];
}

/** One sending of a request of a file: made once, and handed through to all that takes part in it. */
export interface SendContext extends SendRequestOptions {
  readonly file: RequestFile;
  readonly model: RequestModel;
  readonly secretOrigins: SecretOrigins;
  /** The last run of another request, by its key, or by the name that the file has for it. */
  readonly earlier: (name: string) => EarlierRun | undefined;
  /** Ids of the tasks that requests of the file have asked their agents to cancel. */
  readonly canceled: Set<string>;
  /** Its end stops the sending: what is under way at the agent by `stop`. */
  readonly signal: AbortSignal;
  /** Something that is shown changed. */
  readonly onDidChange: () => void;
  /** Defects of ours, which a person cannot do anything about. */
  readonly onError: (error: unknown) => void;
}
