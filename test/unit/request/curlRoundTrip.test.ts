import * as assert from 'node:assert/strict';
import { addresses, addressOf } from '../../../src/client/httpJson/address.ts';
import { httpJsonRequest } from '../../../src/client/httpJson/request.ts';
import type { Operation, OperationParams } from '../../../src/protocol/message/operations.ts';
import { releases, versionOf } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { curl, jsonRpcRequest, type HttpRequest } from '../../../src/request/export/curl.ts';
import { imported } from '../../../src/request/import/paste.ts';
import { requestFileText } from '../../../src/request/import/requestJson.ts';
import { resolveInterface, resolveRequest } from '../../../src/request/resolve/resolve.ts';

/** How each binding writes a call. */
const writers: Readonly<
  Record<string, (operation: Operation, params: OperationParams[Operation], version: Version, url: string) => HttpRequest | undefined>
> = {
  JSONRPC: (operation, params, version, url) =>
    jsonRpcRequest({ agentUrl: url, operation, params: params as never, headers: {} }, { url, version }),
  'HTTP+JSON': (operation, params, version, url) => {
    const form = version.protoForm ?? version;
    if (form.routes?.[operation] === undefined) return undefined;
    const { method, path, query, body = '' } = httpJsonRequest(operation, params as never, form);
    const headers = version.header === undefined ? [] : [['A2A-Version', version.header] as const];
    return { method, url: addressOf(new URL(url), addresses(new URL(url), path)[0]!, query).href, headers, body };
  },
};

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: "it's so" }], taskId: 't' } as const;
const calls: Readonly<Record<string, object>> = {
  SendMessage: { message, configuration: { historyLength: 2 } },
  SendStreamingMessage: { message },
  GetTask: { id: 't 1', historyLength: 2 },
  ListTasks: { pageSize: 5 },
  CancelTask: { id: 't' },
  SubscribeToTask: { id: 't' },
};

suite('a cURL command of ours is imported as what it was', () => {
  for (const [binding, write] of Object.entries(writers))
    for (const version of releases)
      for (const [operation, params] of Object.entries(calls)) {
        const request = write(operation as Operation, params as never, version, 'http://a/agent');
        if (request === undefined) continue;
        test(`${operation} over ${binding} ${version.protocolVersion}`, async () => {
          const command = curl(request);
          const { requests, raw } = imported(command);
          const file = readRequestFile(requestFileText(requests));
          assert.deepEqual(file.problems, []);
          const [entry] = file.requests;
          assert.ok(entry !== undefined);
          const { url, protocolBinding, protocolVersion } = resolveInterface(entry) ?? {};
          const resolved = await resolveRequest(entry, { file, functions: { now: () => new Date(0), uuid: () => 'm' } } as never, true);
          assert.ok('operation' in resolved && url !== undefined);
          const again = writers[protocolBinding ?? '']?.(
            resolved.operation as never,
            resolved.params as never,
            versionOf(protocolVersion ?? '')!,
            url,
          );
          assert.equal(again && curl(again), command);
          if (raw === undefined) return;
          const [asWritten] = readRequestFile(raw).requests;
          assert.deepEqual(asWritten && [resolveInterface(asWritten), asWritten.body && JSON.parse(asWritten.body)], [
            { url, protocolBinding, protocolVersion },
            request.body,
          ]);
        });
      }
});
