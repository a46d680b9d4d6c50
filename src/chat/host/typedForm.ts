/**
 * What stands in a field: what was typed; ticked or not; positions of chosen options with commas between. `json` is a value that the
 * control of the field could not show.
 */
export type Typed = string | boolean | { readonly json: string };

/** What stands in a form; nothing of a field that is as it came. */
export interface FormState {
  /** By the key of the field. */
  readonly typed: Readonly<Record<string, Typed>>;
  /** The whole as JSON, while it is written so. */
  readonly json?: string;
  /** Goes along as text. */
  readonly words: string;
}
