/** What in an object shows its generation. */
export interface Evidence {
  /** RFC 6901 pointer to it; `""` is the whole. */
  readonly pointer: string;
  /** In English; names members and never quotes their values. */
  readonly message: string;
}

export const evidence = (pointer: string, message: string): Evidence => ({ pointer, message });
