import type { RequestHandlers } from '../chat/messages.ts';
import type { AgentContext } from '../model/agentContext.ts';
import { askedForm, formOf, type InputForm } from '../protocol/inputForm.ts';
import { inputSchemaOf, schemaFaults } from '../protocol/inputSchema.ts';
import { Problem, sentence } from '../protocol/problem.ts';

interface Found {
  readonly form: InputForm;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly part?: number;
  /** The task that asks; a card's form starts a new one. */
  readonly taskId?: string;
}

/** What the panel asks about forms: those in a status of the context, and the one of the agent's card. */
export function chatForms(context: AgentContext): Pick<RequestHandlers, 'form' | 'checkForm' | 'sendForm'> {
  const find = (seq: number | undefined): Found | undefined => {
    if (seq !== undefined) {
      const entry = context.entry(seq);
      const asked = entry?.kind === 'status' ? askedForm(entry.message?.parts ?? []) : undefined;
      return asked === undefined ? undefined : { ...asked, taskId: entry?.taskId };
    }
    const schema = context.agent?.card === undefined ? undefined : inputSchemaOf(context.agent.card);
    const form = schema === undefined ? undefined : formOf(schema);
    return schema === undefined || form === undefined ? undefined : { form, schema };
  };
  const found = (seq: number | undefined): Found => {
    const form = find(seq);
    if (form === undefined) throw new Problem('gone', sentence('This form is no longer in the history.'));
    return form;
  };
  return {
    form: async ({ seq }) => {
      const form = find(seq);
      return form === undefined ? null : { form: form.form, part: form.part };
    },
    checkForm: async ({ seq, data }) => schemaFaults(found(seq).schema, data),
    sendForm: async ({ seq, data, text }) => {
      const { taskId } = found(seq);
      const parts = [{ data, mediaType: 'application/json' }, ...(text === undefined ? [] : [{ text }])];
      context.send({ parts, target: taskId === undefined ? 'new-task' : { taskId } });
      return null;
    },
  };
}
