import type { Operation } from '../../protocol/message/operations.ts';
import { cardAddress, requestTypes, type Call } from './callCode.ts';
import { literal, scriptName, type LiteralStyle } from './literal.ts';

const style: LiteralStyle = {
  true: 'true',
  false: 'false',
  null: 'null',
  text: pieces => {
    if (pieces.every(piece => 'text' in piece)) return JSON.stringify(pieces.map(({ text }) => text).join(''));
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined && 'variable' in only) return `process.env.${only.variable}`;
    return `\`${pieces.map(piece => ('text' in piece ? escaped(piece.text) : `\${process.env.${piece.variable}}`)).join('')}\``;
  },
  json: ({ variable }) => `JSON.parse(process.env.${variable})`,
  name: scriptName,
};

const escaped = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('`', '\\`').replaceAll('${', '\\${');

/** The statement that calls each operation and prints its answer. */
const calls: Readonly<Record<Operation, string>> = {
  SendMessage: 'console.log(JSON.stringify(await client.sendMessage(request, options), null, 2));',
  SendStreamingMessage:
    'for await (const event of client.sendMessageStream(request, options)) console.log(JSON.stringify(StreamResponse.toJSON(event)));',
  GetTask: 'console.log(JSON.stringify(Task.toJSON(await client.getTask(request, options)), null, 2));',
  ListTasks: 'console.log(JSON.stringify(ListTasksResponse.toJSON(await client.listTasks(request, options)), null, 2));',
  CancelTask: 'console.log(JSON.stringify(Task.toJSON(await client.cancelTask(request, options)), null, 2));',
  SubscribeToTask:
    'for await (const event of client.resubscribeTask(request, options)) console.log(JSON.stringify(StreamResponse.toJSON(event)));',
  CreateTaskPushNotificationConfig:
    'console.log(JSON.stringify(TaskPushNotificationConfig.toJSON(await client.createTaskPushNotificationConfig(request, options)), null, 2));',
  GetTaskPushNotificationConfig:
    'console.log(JSON.stringify(TaskPushNotificationConfig.toJSON(await client.getTaskPushNotificationConfig(request, options)), null, 2));',
  ListTaskPushNotificationConfigs:
    'console.log(JSON.stringify(ListTaskPushNotificationConfigsResponse.toJSON(await client.listTaskPushNotificationConfig(request, options)), null, 2));',
  DeleteTaskPushNotificationConfig: 'await client.deleteTaskPushNotificationConfig(request, options);',
};

/** A module that makes the call with the official JavaScript SDK 1.x. */
export function javascript({ agentUrl, operation, params, headers, over }: Call): string {
  const type = requestTypes[operation];
  const address = `${literal(agentUrl, style)}${cardAddress(agentUrl) === undefined ? '' : ", ''"}`;
  const types = [
    ...new Set([
      type,
      ...['StreamResponse', 'ListTasksResponse', 'Task', 'TaskPushNotificationConfig', 'ListTaskPushNotificationConfigsResponse'].filter(
        name => calls[operation].includes(`(${name}.toJSON`),
      ),
    ]),
  ].sort();
  return [
    '// npm install @a2a-js/sdk',
    `import { ${types.join(', ')} } from '@a2a-js/sdk';`,
    `import { ${over === undefined ? '' : 'AgentCardResolver, '}ClientFactory } from '@a2a-js/sdk/client';`,
    '',
    ...(over === undefined
      ? [`const client = await new ClientFactory().createFromUrl(${address});`]
      : [
          `const card = await AgentCardResolver.default.resolve(${address});`,
          `card.supportedInterfaces = [${literal({ tenant: '', ...over }, style)}];`,
          'const client = await new ClientFactory().createFromAgentCard(card);',
        ]),
    `const request = ${type}.fromJSON(${literal(params, style)});`,
    `const options = ${Object.keys(headers).length === 0 ? '{}' : `{ serviceParameters: ${literal(headers, style)} }`};`,
    calls[operation],
    '',
  ].join('\n');
}
