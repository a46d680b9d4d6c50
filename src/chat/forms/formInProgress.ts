import { useEffect, useRef, useState } from 'preact/hooks';
import { writeExactly } from '../../protocol/json/exactJson.ts';
import type { InputForm } from '../../schema/forms/inputForm.ts';
import { parseTypedJson } from '../text/jsonText.ts';
import type { DataFault } from '../host/messages.ts';
import type { FormState, FieldContent } from '../host/keptState.ts';
import type { Panel } from '../panel/panel.ts';
import { t } from '../text/strings.ts';
import type { Fault } from './fieldValue.ts';
import { emptyState, formData, isMembers, stateOf, contentIn, withSecrets } from './formState.ts';
import { passwordKeys, withoutPasswords, withoutSecrets } from './secretFields.ts';

/** Delay after the last key before the host is asked, in milliseconds. */
const pause = 200;

/** A form while it is filled in. */
export interface FormInProgress {
  readonly form: InputForm;
  readonly state: FormState;
  /** Unique in the document. */
  readonly id: string;
  /** The error of a field that was left, or of any field after an attempt to send. */
  readonly faultOf: (key: string) => Fault | undefined;
  /** A field inside this one shows an error. */
  readonly hasFaultIn: (key: string) => boolean;
  /** The data to be sent has a value for the field. */
  readonly isSent: (key: string) => boolean;
  readonly type: (key: string, typed: FieldContent) => void;
  readonly leave: (key: string) => void;
  /** The HTML id of a field. */
  readonly idOf: (key: string) => string;
}

/** State and actions of a form's view. */
export interface FormSession {
  readonly filling: FormInProgress;
  /** Errors of the whole form: in field mode those that belong to no field, in JSON mode all. */
  readonly faults: readonly string[];
  /** Number of errors in the JSON if it is sent; 0 while unknown. */
  readonly sentFaults: number;
  readonly sent: boolean;
  /** Sends the answer; resolves to true where the host accepted it. */
  readonly send: () => Promise<boolean>;
  readonly press: (button: number) => Promise<void>;
  readonly writeJson: (json: string) => void;
  readonly writeWords: (words: string) => void;
  /** Switches from the fields to JSON. */
  readonly toJson: () => void;
  /**
   * Switches from JSON to the fields, without the JSON's changes where `discard`. Returns false, and does nothing, where the JSON is not an
   * object.
   */
  readonly toFields: (discard: boolean) => boolean;
}

export function useFormSession(panel: Panel, form: InputForm, seq: number | undefined): FormSession {
  const key = String(seq ?? 'card');
  const [state, setState] = useState<FormState>(() => panel.forms.content(key) ?? emptyState);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState(false);
  const [checked, setChecked] = useState<Checked>({ json: '', faults: [] });
  const [sent, setSent] = useState(false);
  const ids = useRef(new Map<string, string>());
  const afterPress = useAfterPress();
  const { data, faults: unread, places } = formData(form, state);
  const written = state.json === undefined ? undefined : readObject(state.json);
  const json = answerOf(form, state, data, written);
  const readable = written === undefined ? unread.size === 0 : 'value' in written;
  const begun = Object.keys(state.typed).length > 0 || state.json !== undefined;

  useEffect(() => {
    if (!readable || !begun) return undefined;
    let current = true;
    const timer = setTimeout(
      () =>
        void panel.forms.check(seq, json).then(faults => {
          if (current) setChecked({ json, faults });
        }),
      pause,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [json, readable, begun]);

  const change = (next: FormState): void => {
    setState(next);
    setSent(false);
    panel.forms.keep(key, withoutSecrets(form.fields, next));
  };
  const { byKey, others } = placed(checked.faults, places);
  const faultOf = (field: string): Fault | undefined => (wanted || left.has(field) ? (unread.get(field) ?? byKey.get(field)) : undefined);
  const isInside = (field: string, outer: string): boolean =>
    field === outer || field.startsWith(`${outer}/`) || field.startsWith(`${outer}?`);
  const shown = new Set([...unread.keys(), ...byKey.keys()].filter(field => faultOf(field) !== undefined));
  const sentKeys = new Set([...places].filter(([pointer]) => at(data, pointer) !== undefined).map(([, field]) => field));

  const filling: FormInProgress = {
    form,
    state,
    id: `form-${key}`,
    faultOf,
    hasFaultIn: outer => [...shown].some(field => isInside(field, outer)),
    isSent: field => sentKeys.has(field),
    type: (field, typed) => change({ ...state, typed: { ...state.typed, [field]: typed } }),
    leave: field => afterPress(() => setLeft(before => new Set([...before, field]))),
    idOf: field => {
      const known = ids.current.get(field) ?? `form-${key}-${ids.current.size}`;
      ids.current.set(field, known);
      return known;
    },
  };
  const take = (faults: readonly DataFault[] | undefined): boolean => {
    if (faults === undefined) return false;
    setChecked({ json, faults });
    if (faults.length > 0) return false;
    setSent(true);
    setWanted(false);
    panel.forms.keep(key, undefined);
    return true;
  };
  const inJson = checked.json === json ? checked.faults : [];
  return {
    filling,
    faults:
      written === undefined
        ? (wanted ? others : []).map(sentenceOf)
        : 'fault' in written
          ? [written.fault]
          : checked.faults.map(sentenceOf),
    sentFaults: written === undefined ? 0 : inJson.length,
    sent,
    send: async () => {
      setWanted(true);
      if (!readable) return false;
      return take(await panel.forms.send(seq, { json, ...(written !== undefined && inJson.length > 0 && { anyway: true }) }, state.words));
    },
    press: async button => {
      take(await panel.forms.send(seq, { button }, state.words));
    },
    writeJson: text => change({ ...state, json: text }),
    writeWords: words => change({ ...state, words }),
    toJson: () => change({ ...state, json: writeExactly(withoutValues(form, state, data)) }),
    toFields: discard => {
      const { json: _, ...others } = state;
      if (discard) change(others);
      else if (written !== undefined && 'value' in written) change(stateOf(form, written.value, state));
      else return false;
      return true;
    },
  };
}

interface Checked {
  /** The JSON that the host was asked to check. */
  readonly json: string;
  readonly faults: readonly DataFault[];
}

const sentenceOf = ({ pointer, message }: DataFault): string => `${pointer || '/'} ${message}`;

type ReadObject = { readonly value: Readonly<Record<string, unknown>> } | Fault;

function readObject(json: string): ReadObject {
  const meant = parseTypedJson(json);
  return 'fault' in meant ? meant : isMembers(meant.value) ? { value: meant.value } : { fault: t('Form data must be a JSON object.') };
}

/** JSON is sent as typed, with the passwords that it does not show added. */
function answerOf(form: InputForm, state: FormState, data: Readonly<Record<string, unknown>>, written: ReadObject | undefined): string {
  if (state.json === undefined || written === undefined) return writeExactly(data, 0);
  const secret = passwordKeys(form.fields).some(key => (contentIn(state, key) ?? '') !== '');
  return secret && 'value' in written ? writeExactly(withSecrets(form, written.value, state), 0) : state.json;
}

/** The initial JSON: the data without typed passwords. */
function withoutValues(form: InputForm, state: FormState, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (form.buttons !== undefined) return form.buttons[0]?.data ?? {};
  return passwordKeys(form.fields).length === 0 ? data : formData(form, withoutPasswords(form.fields, state)).data;
}

/** Puts each error at the field of its pointer, or at the innermost field that contains it. */
function placed(
  faults: readonly DataFault[],
  places: ReadonlyMap<string, string>,
): { readonly byKey: ReadonlyMap<string, Fault>; readonly others: readonly DataFault[] } {
  const byKey = new Map<string, Fault>();
  const others: DataFault[] = [];
  for (const fault of faults) {
    let pointer = fault.pointer;
    while (pointer !== '' && !places.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf('/'));
    const key = places.get(pointer);
    if (key === undefined) others.push(fault);
    else if (!byKey.has(key))
      byKey.set(key, {
        fault: pointer === fault.pointer ? upperFirst(fault.message) : `${fault.pointer.slice(pointer.length)} ${fault.message}`,
      });
  }
  return { byKey, others };
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function at(data: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, data);
}

/**
 * Runs a function once the mouse button is released: a field loses the focus on mouse down, and an error message inserted then would move
 * the pressed button away from the pointer.
 */
function useAfterPress(): (run: () => void) => void {
  const waiting = useRef<(() => void)[] | undefined>(undefined);
  useEffect(() => {
    const down = (): void => {
      waiting.current ??= [];
    };
    // After the click event, which follows immediately.
    const up = (): void =>
      void setTimeout(() => {
        const runs = waiting.current ?? [];
        waiting.current = undefined;
        runs.forEach(run => run());
      });
    const listeners = [
      ['pointerdown', down],
      ['pointerup', up],
      ['pointercancel', up],
      ['dragend', up],
    ] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener, true);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener, true);
    };
  }, []);
  return run => {
    if (waiting.current === undefined) run();
    else waiting.current.push(run);
  };
}
