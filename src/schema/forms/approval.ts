import { isNumber } from '../../protocol/exactNumber.ts';
import type { FormButton, InputForm } from './inputForm.ts';
import { isObject } from '../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

type Fields = Readonly<Record<string, unknown>>;
type Approval = Pick<InputForm, 'title' | 'instructions'> & { readonly buttons: readonly FormButton[] };

/** Most answers to choose from, and the longest words of one. */
const maxChoices = 20;
const maxWords = 1_000;

/**
 * The answers that a data part offers to choose from. A2A has no shape for it; these are the ones that agents use: a tool call that
 * awaits approval (Gemini CLI), a confirmation of the Agent Development Kit, requests with decisions that are allowed (LangChain), and a
 * list of options, choices, actions or decisions. Undefined for any other data.
 *
 * To add a shape in which agents offer answers: a reader here and a case of `approval.test.ts`.
 */
export function approvalOf(data: Fields, metadata: Fields | undefined): Approval | undefined {
  return toolCall(data) ?? confirmation(data, metadata) ?? decisions(data) ?? options(data);
}

function toolCall({ request, status, confirmationDetails }: Fields): Approval | undefined {
  const callId = isObject(request) ? request['callId'] : undefined;
  if (!isObject(request) || typeof callId !== 'string' || status !== 'awaiting_approval') return undefined;
  const details = isObject(confirmationDetails) ? confirmationDetails : {};
  return {
    ...words('title', details['title'] ?? request['name']),
    ...words('instructions', details['command'] ?? details['prompt']),
    buttons: [
      { label: sentence('Allow Once'), data: { callId, outcome: 'proceed_once' } },
      { label: sentence('Always Allow'), data: { callId, outcome: 'proceed_always' } },
      { label: sentence('Reject'), data: { callId, outcome: 'cancel' } },
    ],
  };
}

/** A call of the function that asks for confirmation; the answer is what the function gives. */
function confirmation({ name, id, args }: Fields, metadata: Fields | undefined): Approval | undefined {
  if (name !== 'adk_request_confirmation' || typeof id !== 'string') return undefined;
  const { toolConfirmation, originalFunctionCall } = isObject(args) ? args : {};
  const prefix = metadata !== undefined && 'kagent_type' in metadata ? 'kagent' : 'adk';
  const button = (label: LocalizedMessage, confirmed: boolean): FormButton => ({
    label,
    data: { id, name, response: { confirmed } },
    metadata: { [`${prefix}_type`]: 'function_response' },
  });
  return {
    ...words('title', isObject(originalFunctionCall) ? originalFunctionCall['name'] : undefined),
    ...words('instructions', isObject(toolConfirmation) ? toolConfirmation['hint'] : undefined),
    buttons: [button(sentence('Approve'), true), button(sentence('Reject'), false)],
  };
}

/** One request with decisions that need nothing more to be written. */
function decisions(data: Fields): Approval | undefined {
  const requests = data['action_requests'] ?? data['actionRequests'];
  const configs = data['review_configs'] ?? data['reviewConfigs'];
  if (!Array.isArray(requests) || requests.length !== 1 || !Array.isArray(configs) || !isObject(configs[0])) return undefined;
  const allowed = configs[0]['allowed_decisions'] ?? configs[0]['allowedDecisions'];
  const plain = (Array.isArray(allowed) ? allowed : []).filter(decision => decision === 'approve' || decision === 'reject');
  const request: unknown = requests[0];
  if (plain.length === 0) return undefined;
  return {
    ...(isObject(request) && { ...words('title', request['name'] ?? request['action']), ...words('instructions', request['description']) }),
    buttons: plain.map(type => ({ label: type === 'approve' ? sentence('Approve') : sentence('Reject'), data: { decisions: [{ type }] } })),
  };
}

/** Members that list answers, and the member of the answer that has the chosen one. */
const lists: Readonly<Record<string, string>> = {
  options: 'choice',
  choices: 'choice',
  allowed_decisions: 'decision',
  allowedDecisions: 'decision',
  decisions: 'decision',
  actions: 'action',
  allowed_actions: 'action',
  allowedActions: 'action',
  buttons: 'choice',
};
/** Members that may hold such a list, besides the data itself. */
const holders = [
  'confirmation_request',
  'confirmationRequest',
  'approval_request',
  'approvalRequest',
  'approval',
  'request',
  'question',
  'prompt',
];
/** Members of the data that say which question it is; they are answered along. */
const identities = [
  'id',
  'requestId',
  'request_id',
  'approvalId',
  'approval_id',
  'tool_call_id',
  'toolCallId',
  'callId',
  'call_id',
  'questionId',
  'question_id',
  'interruptId',
  'interrupt_id',
];

function options(data: Fields): Approval | undefined {
  for (const holder of [data, ...holders.map(name => data[name]).filter(isObject)]) {
    const list = Object.keys(lists).find(name => isChoices(holder[name]));
    if (list === undefined) continue;
    const choices = holder[list] as readonly (string | Fields)[];
    const known = Object.fromEntries(
      [...identities, ...identities].flatMap((name, index) => {
        const of = index < identities.length ? holder : data;
        return Object.hasOwn(of, name) && ['string', 'number'].includes(typeof of[name]) ? [[name, of[name]]] : [];
      }),
    );
    const wanted = ['response_key', 'responseKey', 'answer_key', 'answerKey', 'field']
      .map(name => holder[name])
      .find(name => typeof name === 'string' && name !== '') as string | undefined;
    // The extension for development tools names the member itself.
    const tool = ['tool_call_id', 'toolCallId'].find(name => name in known);
    const member =
      wanted ??
      (tool === 'tool_call_id' ? 'selected_option_id' : tool === 'toolCallId' && list === 'options' ? 'selectedOptionId' : lists[list]!);
    const said = [holder, data]
      .flatMap(of => [of['question'], of['prompt'], of['message'], of['description'], of['instructions']])
      .find(value => typeof value === 'string');
    return {
      ...words('title', holder['title'] ?? data['title']),
      ...words('instructions', said),
      buttons: choices.map(choice => {
        if (typeof choice === 'string') return { label: choice.slice(0, maxWords), data: { ...known, [member]: choice } };
        const [name, value] = valueOf(choice);
        const label =
          ['label', 'title', 'name', 'text'].map(each => choice[each]).find(each => typeof each === 'string' && each !== '') ?? value;
        return {
          label: String(label).slice(0, maxWords),
          ...words('description', choice['description']),
          data: { ...known, [name === 'optionId' && wanted === undefined ? name : member]: value },
        };
      }),
    };
  }
  return undefined;
}

const valueOf = (choice: Fields): readonly [name: string, value: unknown] =>
  ['value', 'id', 'optionId', 'key', 'action', 'decision', 'label', 'title', 'name']
    .map(name => [name, choice[name]] as const)
    .find(([, value]) => isAnswer(value)) ?? ['', undefined];

const isAnswer = (value: unknown): boolean => (typeof value === 'string' && value !== '') || isNumber(value) || typeof value === 'boolean';

/** A list of words, or of objects that each have a value and a name, is a set of answers; other lists are data. */
const isChoices = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxChoices &&
  (value.every(item => typeof item === 'string' && item.trim() !== '' && item.length <= 200) ||
    value.every(
      item => isObject(item) && valueOf(item)[0] !== '' && ['label', 'title', 'name', 'text'].some(name => typeof item[name] === 'string'),
    ));

function words<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: string } {
  return (typeof value === 'string' && value !== '' ? { [name]: value.slice(0, maxWords) } : {}) as { readonly [key in Name]?: string };
}
