import type { LocalizedMessage } from '../../problem.ts';

/** Member of an object that indicates its protocol version. */
export interface Evidence {
  /** RFC 6901 pointer; `""` is the whole object. */
  readonly pointer: string;
  /** Names members and never quotes their values. */
  readonly message: LocalizedMessage;
}

export const evidence = (pointer: string, message: LocalizedMessage): Evidence => ({ pointer, message });
