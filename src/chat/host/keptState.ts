import { isShallow } from '../../protocol/json/depth.ts';
import { emptyDraft, isDraft } from './draftValidation.ts';
import type { Draft } from './draft.ts';
import type { FormState } from './typedForm.ts';

/** Webview state that survives a hidden tab and a reload of the window. */
export interface KeptState {
  /** Key of the context, by which the host restores the tab. */
  readonly context: string;
  readonly draft: Draft;
  /** Content of forms that are not sent yet. */
  readonly forms?: KeptForms;
}

/** By the seq of the status that asks, or `card`. */
export type KeptForms = Readonly<Record<string, FormState>>;

/** The draft in the kept state; empty where there is none. */
export function draftOf(state: unknown): Draft {
  const draft = isObject(state) ? state['draft'] : undefined;
  return isShallow(draft) && isDraft(draft) ? draft : emptyDraft;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The form contents in the kept state. */
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
