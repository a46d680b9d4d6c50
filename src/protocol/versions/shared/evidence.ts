/** Member of an object that indicates its protocol version. */
export interface Evidence {
  /** RFC 6901 pointer; `""` is the whole object. */
  readonly pointer: string;
  /** English text that names members and never quotes their values. */
  readonly message: string;
}

export const evidence = (pointer: string, message: string): Evidence => ({ pointer, message });
