import * as assert from 'node:assert/strict';
import { askedForm } from '../../../../src/schema/forms/inputForm.ts';
import { english } from '../../../../src/protocol/problem.ts';

suite('protocol: answers to choose from', () => {
  const offered: readonly (readonly [
    what: string,
    data: unknown,
    answers: Readonly<Record<string, unknown>> | undefined,
    facts?: object,
  ])[] = [
    [
      'words',
      { question: 'Delete it?', options: ['approve', 'reject'] },
      { approve: { choice: 'approve' }, reject: { choice: 'reject' } },
      { instructions: 'Delete it?' },
    ],
    [
      'objects with an id',
      {
        requestId: 'r-1',
        title: 'Delete it?',
        choices: [
          { id: 'y', label: 'Yes' },
          { id: 'n', label: 'No' },
        ],
      },
      { Yes: { requestId: 'r-1', choice: 'y' }, No: { requestId: 'r-1', choice: 'n' } },
      { title: 'Delete it?' },
    ],
    [
      'values of any kind',
      {
        actions: [
          { value: true, label: 'Go' },
          { value: 2, label: 'Wait' },
        ],
      },
      { Go: { action: true }, Wait: { action: 2 } },
    ],
    ['the name of the answer', { field: 'verdict', options: ['yes'] }, { yes: { verdict: 'yes' } }],
    [
      'decisions that are allowed',
      { approval_request: { id: 'a', allowed_decisions: ['approve', 'deny'] } },
      { approve: { id: 'a', decision: 'approve' }, deny: { id: 'a', decision: 'deny' } },
    ],
    [
      'the extension for development tools',
      {
        tool_call_id: 'c-1',
        status: 'PENDING',
        confirmation_request: {
          options: [
            { id: 'proceed_once', name: 'Allow once' },
            { id: 'cancel', name: 'Cancel' },
          ],
        },
      },
      {
        'Allow once': { tool_call_id: 'c-1', selected_option_id: 'proceed_once' },
        Cancel: { tool_call_id: 'c-1', selected_option_id: 'cancel' },
      },
    ],
    [
      'a tool call that awaits approval',
      {
        request: { callId: 'c-1', name: 'run_shell_command' },
        status: 'awaiting_approval',
        confirmationDetails: { type: 'exec', title: 'Confirm Shell Command', command: 'rm x' },
      },
      {
        'Allow Once': { callId: 'c-1', outcome: 'proceed_once' },
        'Always Allow': { callId: 'c-1', outcome: 'proceed_always' },
        Reject: { callId: 'c-1', outcome: 'cancel' },
      },
      { title: 'Confirm Shell Command', instructions: 'rm x' },
    ],
    ['a tool call that runs', { request: { callId: 'c-1', name: 'x' }, status: 'executing' }, undefined],
    [
      'a confirmation by function call',
      {
        name: 'adk_request_confirmation',
        id: 'f-1',
        args: { originalFunctionCall: { name: 'reimburse' }, toolConfirmation: { hint: 'Pay?' } },
      },
      {
        Approve: { id: 'f-1', name: 'adk_request_confirmation', response: { confirmed: true } },
        Reject: { id: 'f-1', name: 'adk_request_confirmation', response: { confirmed: false } },
      },
      { title: 'reimburse', instructions: 'Pay?' },
    ],
    [
      'a request with decisions',
      {
        action_requests: [{ name: 'mail', description: 'Send it?' }],
        review_configs: [{ allowed_decisions: ['approve', 'edit', 'reject'] }],
      },
      { Approve: { decisions: [{ type: 'approve' }] }, Reject: { decisions: [{ type: 'reject' }] } },
      { title: 'mail', instructions: 'Send it?' },
    ],
    [
      'the options of an ACP permission',
      { options: [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }], toolCallId: 't' },
      { Allow: { toolCallId: 't', optionId: 'allow' } },
    ],
    [
      'a schema with one choice that is needed',
      { type: 'object', properties: { decision: { enum: ['approve', 'reject'], title: 'Decision' } }, required: ['decision'] },
      { approve: { decision: 'approve' }, reject: { decision: 'reject' } },
      { title: 'Decision' },
    ],
    ['a list of other things', { options: [{ width: 1 }, { width: 2 }] }, undefined],
    ['no list', { options: 'approve' }, undefined],
    ['an empty list', { options: [] }, undefined],
    ['more than anybody reads', { options: Array.from({ length: 100 }, (_, index) => String(index)) }, undefined],
  ];
  for (const [what, data, answers, facts] of offered) {
    test(what, () => {
      const form = askedForm([{ data }])?.form;
      const { fields, kept, buttons, ...others } = form ?? { fields: [], kept: {} };
      assert.deepEqual(
        buttons &&
          Object.fromEntries(buttons.map(button => [typeof button.label === 'string' ? button.label : english(button.label), button.data])),
        answers,
      );
      assert.deepEqual([fields, kept], [[], {}]);
      if (facts !== undefined) assert.deepEqual(others, facts);
    });
  }

  test('the answer to a function call says in its metadata what it is', () => {
    const form = askedForm([
      { data: { name: 'adk_request_confirmation', id: 'f', args: {} }, metadata: { adk_type: 'function_call' } },
    ])?.form;
    assert.deepEqual(form?.buttons?.[0]?.metadata, { adk_type: 'function_response' });
  });
});
