import type { DataFault, RequestHandlers, Requests } from '../../../chat/host/messages.ts';
import type { Agent } from '../../../model/agents/agent.ts';
import type { AgentContext } from '../../../model/contexts/agentContext.ts';
import { answerOptionsOf } from '../../../model/contexts/chatMessage.ts';
import { passwordsAskedFor } from '../../../model/contexts/passwords.ts';
import { type AskedForm, askedForm, inputFormOf, type InputForm } from '../../../schema/forms/inputForm.ts';
import { inputSchemaOf } from '../../../schema/forms/inputSchema.ts';
import { isObject } from '../../../protocol/json.ts';
import type { Part } from '../../../protocol/message/part.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { sentAnswer } from '../../../schema/forms/sentAnswer.ts';
import { type Matches, type SchemaFault, schemaFaults } from '../../../schema/forms/schemaFaults.ts';
import { partsOf, type StatusEntry } from '../../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../../protocol/versions/shared/fields.ts';
import { matches } from '../../../request/expect/pattern.ts';
import { translate } from '../../platform/report.ts';
import { parseUserJson } from '../../platform/userJson.ts';

export interface FoundForm {
  readonly form: InputForm;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly part?: number;
  /** The task that asks; undefined for the card's form, which starts a new task. */
  readonly taskId?: string;
}

/** The form that starts tasks of an agent, from its card (`schema.input` of task APIs); undefined if the card has none. */
export function cardForm(agent: Agent | undefined): FoundForm | undefined {
  const schema = agent?.card === undefined ? undefined : inputSchemaOf(agent.card);
  const form = schema === undefined ? undefined : inputFormOf(schema);
  return schema === undefined || form === undefined ? undefined : { form, schema };
}

/** Faults with their texts in VS Code's display language. */
export const translatedFaults = (faults: readonly SchemaFault[]): readonly DataFault[] =>
  faults.map(({ pointer, what }) => ({ pointer, message: translate(what) }));

/** Handlers of the panel's requests about forms: those in statuses of the context, and that of the agent's card. */
export function chatForms(context: AgentContext): Pick<RequestHandlers, 'form' | 'checkForm' | 'sendForm' | 'secrets'> {
  const find = (seq: number | undefined): FoundForm | undefined => {
    if (seq === undefined) return cardForm(context.agent);
    const entry = context.entry(seq);
    if (entry?.kind !== 'status') return undefined;
    const asked = askedForm(entry.message?.parts ?? []) ?? offeredBefore(context, entry);
    return asked === undefined ? undefined : { ...asked, taskId: entry.taskId };
  };
  const found = (seq: number | undefined): FoundForm => {
    const form = find(seq);
    if (form === undefined) throw new Problem('gone', sentence('This form is no longer in the history.'));
    return form;
  };
  const bounded = patternsInTime();
  const send = (
    { taskId }: FoundForm,
    part: Part,
    { text, sending, anyway }: Pick<Requests['sendForm']['params'], 'text' | 'sending' | 'anyway'>,
  ): Promise<unknown> =>
    context.patiently(() =>
      context.send({
        parts: [part, ...(text === undefined ? [] : [{ text }])],
        target: taskId === undefined ? 'new-task' : { taskId },
        unchecked: anyway === true,
        ...answerOptionsOf({ sending }),
      }),
    );
  return {
    form: async ({ seq }) => {
      const form = find(seq);
      const answer = form?.taskId === undefined || seq === undefined ? undefined : answerTo(context, form.taskId, seq);
      return form === undefined
        ? null
        : { form: form.form, part: form.part, ...(answer !== undefined && { answer: sentAnswer(form.form, answer.data, translate) }) };
    },
    checkForm: async ({ seq, json }) => translatedFaults(schemaFaults(found(seq).schema, dataOf(json), bounded())),
    sendForm: async ({ seq, json, button, ...more }) => {
      const form = found(seq);
      if (json === undefined) {
        const pressed = form.form.buttons?.[button ?? -1];
        if (pressed === undefined) throw new Problem('gone', sentence('This form is no longer in the history.'));
        await send(form, withoutUndefined({ data: pressed.data, mediaType: 'application/json', metadata: pressed.metadata }), more);
        return [];
      }
      const data = dataOf(json);
      const faults = more.anyway === true ? [] : schemaFaults(form.schema, data, bounded());
      if (faults.length === 0) await send(form, { data, mediaType: 'application/json' }, more);
      return translatedFaults(faults);
    },
    secrets: async ({ seq }) => secretsIn(context, seq),
  };
}

/** The person's answer to the task's question; undefined if the task still waits. */
function answerTo(context: AgentContext, taskId: string, seq: number): { readonly data?: Readonly<Record<string, unknown>> } | undefined {
  const later = context.entriesOfTask(taskId).items.filter(entry => entry.seq > seq);
  const next = later.find(
    entry => entry.kind === 'status' || (entry.kind === 'message' && entry.message.role === 'ROLE_USER' && entry.delivery !== 'refused'),
  );
  if (next === undefined) return undefined;
  const data = partsOf(next).flatMap(part => (next.kind === 'message' && 'data' in part && isObject(part.data) ? [part.data] : []))[0];
  return data === undefined ? {} : { data };
}

/** JSON pointers to passwords in the data of one of the person's messages, according to the forms before it. */
export function secretsIn(context: AgentContext, seq: number): readonly string[] {
  const entry = context.entry(seq);
  return passwordsAskedFor(
    entry?.taskId === undefined ? [] : context.entriesOfTask(entry.taskId).items.filter(other => other.seq < seq),
    context.agent?.card,
  );
}

/** @throws Problem `bad-json` if it is not a JSON object */
function dataOf(json: string): Readonly<Record<string, unknown>> {
  const value = parseUserJson(json);
  if (!isObject(value))
    throw new Problem('bad-json', sentence('Form data must be a JSON object.'), {
      nextStep: sentence('Write its members between { and }.'),
    });
  return value;
}

/** The choices that the task offered before it asked, since the person's last message. */
function offeredBefore(context: AgentContext, { seq, taskId }: StatusEntry): Omit<AskedForm, 'part'> | undefined {
  if (taskId === undefined) return undefined;
  const before = context.entriesOfTask(taskId).items.filter(entry => entry.seq < seq);
  const lastOwn = before.findLastIndex(entry => entry.kind === 'message' && entry.message.role === 'ROLE_USER');
  for (const entry of before.slice(lastOwn + 1).toReversed()) {
    // The newest part that offers choices replaces earlier ones.
    for (const part of partsOf(entry).toReversed()) {
      const { part: _, ...asked } = askedForm([part]) ?? { part: 0, form: undefined };
      if (asked.form?.buttons !== undefined) return asked as Omit<AskedForm, 'part'>;
    }
  }
  return undefined;
}

/**
 * Matches against patterns of agents. An invalid pattern is not tried again; after one that took too long, no other is tried in the same
 * check.
 */
function patternsInTime(): () => Matches {
  const abandoned = new Set<string>();
  return () => {
    let slow = false;
    return (pattern, text) => {
      if (slow || abandoned.has(pattern)) return undefined;
      try {
        return matches(pattern, text);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (abandoned.size < 1000) abandoned.add(pattern);
        slow = error.code === 'slow-pattern';
        return undefined;
      }
    };
  };
}
