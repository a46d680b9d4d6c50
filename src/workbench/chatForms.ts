import type { DataFault, RequestHandlers } from '../chat/messages.ts';
import type { Agent } from '../model/agent.ts';
import type { AgentContext } from '../model/agentContext.ts';
import { askedForm, formOf, type InputForm } from '../protocol/inputForm.ts';
import { inputSchemaOf, type SchemaFault, schemaFaults } from '../protocol/inputSchema.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { translate } from './report.ts';

export interface FoundForm {
  readonly form: InputForm;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly part?: number;
  /** The task that asks; a card's form starts a new one. */
  readonly taskId?: string;
}

/** The form with which an agent's tasks begin, as its card says (`schema.input` of task APIs); undefined where it says nothing. */
export function cardForm(agent: Agent | undefined): FoundForm | undefined {
  const schema = agent?.card === undefined ? undefined : inputSchemaOf(agent.card);
  const form = schema === undefined ? undefined : formOf(schema);
  return schema === undefined || form === undefined ? undefined : { form, schema };
}

/** Faults in the language of the workbench. */
export const shownFaults = (faults: readonly SchemaFault[]): readonly DataFault[] => faults.map(({ pointer, what }) => ({ pointer, message: translate(what) }));

/** What the panel asks about forms: those in a status of the context, and the one of the agent's card. */
export function chatForms(context: AgentContext): Pick<RequestHandlers, 'form' | 'checkForm' | 'sendForm'> {
  const find = (seq: number | undefined): FoundForm | undefined => {
    if (seq !== undefined) {
      const entry = context.entry(seq);
      const asked = entry?.kind === 'status' ? askedForm(entry.message?.parts ?? []) : undefined;
      return asked === undefined ? undefined : { ...asked, taskId: entry?.taskId };
    }
    return cardForm(context.agent);
  };
  const found = (seq: number | undefined): FoundForm => {
    const form = find(seq);
    if (form === undefined) throw new Problem('gone', sentence('This form is no longer in the history.'));
    return form;
  };
  return {
    form: async ({ seq }) => {
      const form = find(seq);
      return form === undefined ? null : { form: form.form, part: form.part };
    },
    checkForm: async ({ seq, data }) => shownFaults(schemaFaults(found(seq).schema, data)),
    sendForm: async ({ seq, data, text }) => {
      const { taskId } = found(seq);
      const parts = [{ data, mediaType: 'application/json' }, ...(text === undefined ? [] : [{ text }])];
      context.send({ parts, target: taskId === undefined ? 'new-task' : { taskId } });
      return null;
    },
  };
}
