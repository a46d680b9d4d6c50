import type { Problem } from '../protocol/problem.ts';
import type { VersionListener } from './interfaces/interfaceInUse.ts';

/** A refusal for want of (other) credentials. */
export interface ReceivedChallenge {
  /** `WWW-Authenticate` as received. */
  readonly challenge: string;
  /** Address of the request. */
  readonly url: string;
}

/** Called with what the client learns about its agent. */
export interface AgentClientListener extends VersionListener {
  /** The extensions that an answer lists as active. Called for every answer to a request with extensions. */
  extensionsActivated?(uris: ReadonlySet<string>): void;
  /** The agent refused a request with a challenge (RFC 9110 §11.6.1). */
  challenged?(challenge: ReceivedChallenge): void;
  /** An answer began that is no error. @param version the one of its shape; undefined where nothing of it could be read */
  answered?(version: string | undefined): void;
  failed?(problem: Problem): void;
}
