import type { Operation } from '../../protocol/message/operations.ts';
import { cardAddress, indented, requestTypes, type Call } from './callCode.ts';
import { literal, type LiteralStyle } from './literal.ts';
import { Pieced, variablesIn } from '../text/pieced.ts';

const style: LiteralStyle = {
  true: 'True',
  false: 'False',
  null: 'None',
  text: pieces =>
    pieces.map(piece => ('text' in piece ? JSON.stringify(piece.text) : `os.environ[${JSON.stringify(piece.variable)}]`)).join(' + '),
  json: ({ variable }) => `json.loads(os.environ[${JSON.stringify(variable)}])`,
};

const hasJson = (value: unknown): boolean =>
  value instanceof Pieced ? value.isJson : typeof value === 'object' && value !== null && Object.values(value).some(hasJson);

/** The client's method for each operation, and whether it returns an iterator. Both ways to send a message do. */
const methods: Readonly<Record<Operation, readonly [name: string, streams: boolean]>> = {
  SendMessage: ['send_message', true],
  SendStreamingMessage: ['send_message', true],
  GetTask: ['get_task', false],
  ListTasks: ['list_tasks', false],
  CancelTask: ['cancel_task', false],
  SubscribeToTask: ['subscribe', true],
  CreateTaskPushNotificationConfig: ['create_task_push_notification_config', false],
  GetTaskPushNotificationConfig: ['get_task_push_notification_config', false],
  ListTaskPushNotificationConfigs: ['list_task_push_notification_configs', false],
  DeleteTaskPushNotificationConfig: ['delete_task_push_notification_config', false],
};

/** A script that makes the call with the official Python SDK 1.x. */
export function python({ agentUrl, operation, params, headers, over }: Call): string {
  const [method, streams] = methods[operation];
  const card = cardAddress(agentUrl);
  const address =
    card === undefined ? literal(agentUrl, style) : `${literal(card.base, style)}, relative_card_path=${literal(card.path, style)}`;
  const wishes = [
    ...(operation === 'SendMessage' ? ['streaming=False'] : []),
    ...(over === undefined ? [] : [`supported_protocol_bindings=[${literal(over.protocolBinding, style)}]`]),
  ];
  const config = wishes.length === 0 ? '' : `, client_config=ClientConfig(${wishes.join(', ')})`;
  const context = Object.keys(headers).length === 0 ? '' : ', context=context';
  const imported = ['ClientCallContext', 'ClientConfig', 'create_client'].filter(
    name => (name === 'ClientCallContext' ? context : name === 'ClientConfig' ? config : 'x') !== '',
  );
  return [
    '# pip install a2a-sdk',
    'import asyncio',
    ...(hasJson(params) ? ['import json'] : []),
    ...(variablesIn([params, headers]).length > 0 ? ['import os'] : []),
    '',
    `from a2a.client import ${imported.join(', ')}`,
    `from a2a.types import ${requestTypes[operation]}`,
    'from google.protobuf.json_format import ParseDict',
    '',
    '',
    'async def main():',
    `    request = ParseDict(${indented(literal(params, style), '    ')}, ${requestTypes[operation]}())`,
    ...(context === '' ? [] : [`    context = ClientCallContext(service_parameters=${indented(literal(headers, style), '    ')})`]),
    `    async with await create_client(${address}${config}) as client:`,
    ...(streams
      ? [`        async for event in client.${method}(request${context}):`, '            print(event)']
      : [`        print(await client.${method}(request${context}))`]),
    '',
    '',
    'asyncio.run(main())',
    '',
  ].join('\n');
}
