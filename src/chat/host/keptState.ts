import { isShallow } from '../../protocol/json/depth.ts';
import { emptyDraft, isDraft } from './draftValidation.ts';
import type { Draft } from './draft.ts';
import type { FormState } from './typedForm.ts';

/** What survives a hidden tab and a reload of the window. */
export interface KeptState {
  /** Key of the context: the host finds the context of a restored tab by it. */
  readonly context: string;
  readonly draft: Draft;
  /** What stands in forms that are not sent yet. */
  readonly forms?: KeptForms;
}

/** By the seq of the status that asks, or `card`. */
export type KeptForms = Readonly<Record<string, FormState>>;

/** The draft of a page that was here before; empty where there was none. */
export function draftOf(state: unknown): Draft {
  const draft = isObject(state) ? state['draft'] : undefined;
  return isShallow(draft) && isDraft(draft) ? draft : emptyDraft;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** What stood in its forms. */
export function formsOf(state: unknown): KeptForms {
  const forms = isObject(state) ? state['forms'] : undefined;
  return isShallow(forms) && isObject(forms) && Object.values(forms).every(isFormState) ? (forms as KeptForms) : {};
}

const isFormState = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['words'] === 'string' &&
  ['undefined', 'string'].includes(typeof value['json']) &&
  isObject(value['typed']) &&
  Object.values(value['typed']).every(
    typed => ['string', 'boolean'].includes(typeof typed) || (isObject(typed) && typeof typed['json'] === 'string'),
  );
