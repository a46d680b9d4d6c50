import type { Operation } from '../../protocol/message/operations.ts';
import { cardAddress, indented, requestTypes, type Call } from './callCode.ts';
import { jsonText, piecesOf, variablesIn, type Text } from '../text/pieced.ts';

/** For each operation: the function that reads its parameters and the client's method. */
const calls: Readonly<Record<Operation, readonly [reader: string, call: string]>> = {
  SendMessage: ['messageSendParams', 'client.sendMessage(request, consumers, problems, context);'],
  SendStreamingMessage: ['messageSendParams', 'client.sendMessage(request, consumers, problems, context);'],
  GetTask: ['taskQueryParams', 'System.out.println(client.getTask(request, context));'],
  ListTasks: ['listTasksParams', 'System.out.println(client.listTasks(request, context));'],
  CancelTask: ['cancelTaskParams', 'System.out.println(client.cancelTask(request, context));'],
  SubscribeToTask: ['taskIdParams', 'client.subscribeToTask(request, consumers, problems, context);'],
  CreateTaskPushNotificationConfig: [
    'createTaskPushNotificationConfig',
    'System.out.println(client.createTaskPushNotificationConfiguration(request, context));',
  ],
  GetTaskPushNotificationConfig: [
    'getTaskPushNotificationConfigParams',
    'System.out.println(client.getTaskPushNotificationConfiguration(request, context));',
  ],
  ListTaskPushNotificationConfigs: [
    'listTaskPushNotificationConfigsParams',
    'System.out.println(client.listTaskPushNotificationConfigurations(request, context));',
  ],
  DeleteTaskPushNotificationConfig: [
    'deleteTaskPushNotificationConfigParams',
    'client.deleteTaskPushNotificationConfigurations(request, context);',
  ],
};

/** A class that makes the call with the official Java SDK 1.x over JSON-RPC. */
export function java({ agentUrl, operation, params, headers }: Call): string {
  const [reader, call] = calls[operation];
  const streams = call.includes('consumers');
  const card = cardAddress(agentUrl);
  const secrets = variablesIn(params).length > 0;
  const type = requestTypes[operation];
  return [
    '// Dependency: org.a2aproject.sdk:a2a-java-sdk-client',
    'import com.google.protobuf.util.JsonFormat;',
    'import java.util.List;',
    'import java.util.Map;',
    ...(streams
      ? ['import java.util.concurrent.CountDownLatch;', 'import java.util.function.BiConsumer;', 'import java.util.function.Consumer;']
      : []),
    'import org.a2aproject.sdk.A2A;',
    'import org.a2aproject.sdk.client.Client;',
    ...(streams ? ['import org.a2aproject.sdk.client.ClientEvent;'] : []),
    ...(operation === 'SendMessage' ? ['import org.a2aproject.sdk.client.config.ClientConfig;'] : []),
    'import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransport;',
    'import org.a2aproject.sdk.client.transport.jsonrpc.JSONRPCTransportConfig;',
    'import org.a2aproject.sdk.client.transport.spi.interceptors.ClientCallContext;',
    `import org.a2aproject.sdk.grpc.${type};`,
    'import org.a2aproject.sdk.grpc.utils.ProtoUtils;',
    ...(streams ? ['import org.a2aproject.sdk.spec.AgentCard;'] : []),
    '',
    'public class Main {',
    ...(secrets
      ? [
          '    /** An environment variable, as it stands inside a text of JSON. */',
          '    static String secret(String name) {',
          '        return System.getenv(name).replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"");',
          '    }',
          '',
        ]
      : []),
    '    public static void main(String[] args) throws Exception {',
    `        var card = A2A.getAgentCard(${card === undefined ? text(agentUrl) : `${text(card.base)}, ${text(card.path)}, Map.of()`});`,
    '        var client = Client.builder(card)',
    ...(operation === 'SendMessage' ? ['            .clientConfig(ClientConfig.builder().setStreaming(false).build())'] : []),
    '            .withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig())',
    '            .build();',
    `        var json = ${indented(block(params), '            ')};`,
    `        var builder = ${type}.newBuilder();`,
    '        JsonFormat.parser().merge(json, builder);',
    `        var request = ProtoUtils.FromProto.${reader}(builder);`,
    `        var context = new ClientCallContext(Map.of(), Map.of(${Object.entries(headers)
      .flatMap(([name, value]) => [JSON.stringify(name), text(value)])
      .join(', ')}));`,
    ...(streams
      ? [
          '        List<BiConsumer<ClientEvent, AgentCard>> consumers = List.of((event, agent) -> System.out.println(event));',
          '        var ended = new CountDownLatch(1);',
          '        Consumer<Throwable> problems = problem -> {',
          '            if (problem != null) problem.printStackTrace();',
          '            ended.countDown();',
          '        };',
        ]
      : []),
    `        ${call}`,
    ...(streams && operation !== 'SendMessage' ? ['        ended.await();'] : []),
    '        client.close();',
    '    }',
    '}',
    '',
  ]
    .join('\n')
    .replace('import java.util.List;\n', streams ? 'import java.util.List;\n' : '');
}

/** A text as a Java expression. */
const text = (value: Text): string =>
  piecesOf(value)
    .map(piece => ('text' in piece ? JSON.stringify(piece.text) : `System.getenv(${JSON.stringify(piece.variable)})`))
    .join(' + ');

/** JSON as a text block; with holes it is a format, whose arguments are inserted at run time. */
function block(value: unknown): string {
  const json = jsonText(value, '  ');
  const escaped = (text: string): string => text.replaceAll('\\', '\\\\');
  if (typeof json === 'string') return `"""\n${escaped(json)}"""`;
  const format = json.pieces.map(piece => ('text' in piece ? escaped(piece.text).replaceAll('%', '%%') : '%s')).join('');
  const values = json.pieces.flatMap(piece => ('text' in piece ? [] : [`secret(${JSON.stringify(piece.variable)})`]));
  return `"""\n${format}""".formatted(${values.join(', ')})`;
}
