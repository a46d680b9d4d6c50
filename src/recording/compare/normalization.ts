/** Choice of differences that do not count where answers are compared. */
export interface Normalization {
  /** Names of tasks, contexts, messages and artifacts and other UUIDs do not count, only which of them are the same. */
  readonly ids: boolean;
  readonly times: boolean;
  /** The order of the members of an object does not count. */
  readonly keyOrder: boolean;
  /** Numbers no further apart than this are equal. */
  readonly tolerance?: number;
  /** Members that do not count: their names, or JSON Pointers (RFC 6901) into what is compared. */
  readonly without?: readonly string[];
}

/** Leaves out all that differs with every run. */
export const usual: Normalization = { ids: true, times: true, keyOrder: true };
