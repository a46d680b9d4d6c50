/**
 * Content of a field: typed text; checked or not; indexes of selected options, separated by commas. `json` is a value that the field's
 * control cannot show.
 */
export type FieldContent = string | boolean | { readonly json: string };

/** Content of a form; unchanged fields are left out. */
export interface FormState {
  /** By field key. */
  readonly typed: Readonly<Record<string, FieldContent>>;
  /** The whole form as JSON, while it is edited as JSON. */
  readonly json?: string;
  /** Text sent along with the form. */
  readonly words: string;
}
