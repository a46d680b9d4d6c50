import * as z from 'zod';
import { Draft } from './draft.ts';

/**
 * Content of a field: typed text; checked or not; indexes of selected options, separated by commas. `json` is a value that the field's
 * control cannot show.
 */
const FieldContent = z.union([z.string(), z.boolean(), z.object({ json: z.string() }).readonly()]);
export type FieldContent = z.infer<typeof FieldContent>;

/** Content of a form; unchanged fields are left out. */
const FormState = z.object({
  /** By field key. */
  typed: z.record(z.string(), FieldContent).readonly(),
  /** The whole form as JSON, while it is edited as JSON. */
  json: z.string().optional(),
  /** Text sent along with the form. */
  words: z.string(),
});
export type FormState = Readonly<z.infer<typeof FormState>>;

/** Contents of forms that are not sent yet, by the seq of the status that asks, or `card`. */
const KeptForms = z.record(z.string(), FormState);
export type KeptForms = Readonly<z.infer<typeof KeptForms>>;

/**
 * Webview state that survives a hidden tab and a reload of the window. A page of another version of the extension may have kept it: the next page
 * sends it to the host, which leaves out what it cannot read.
 */
export const KeptState = z.object({
  /** Key of the context, by which the host restores the tab. */
  context: z.string(),
  draft: Draft.optional().catch(undefined),
  forms: KeptForms.optional().catch(undefined),
});
export type KeptState = Readonly<z.infer<typeof KeptState>>;
