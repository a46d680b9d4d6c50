import * as assert from 'node:assert/strict';
import { fromBinary, fromJson, toBinary, type DescMessage, type JsonValue } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { a2aV1 } from '../../../src/client/grpc/bundle/a2aV1.ts';
import { lfA2aV1 } from '../../../src/client/grpc/bundle/lfA2aV1.ts';
import { messagesIn } from '../../../src/client/grpc/bundle/messagesIn.ts';
import { protoJson } from '../../../src/client/grpc/bundle/protoJson.ts';
import { schemaOf } from '../../../src/client/grpc/bundle/schema.ts';
import { collect } from '../../../src/protocol/finding.ts';
import type { Operation, OperationParams, UnaryOperation } from '../../../src/protocol/message/operations.ts';
import { formOf, readResult, readStreamResponse } from '../../../src/protocol/versions/index.ts';
import { figure, full, seed } from '../../support/figure.ts';
import { CoreValues } from '../../support/protocol/coreValues.ts';
import { Random } from '../../support/protocol/random.ts';
import { Sayable } from '../../support/protocol/sayable.ts';

/** Seeds, from {@link seed} on. */
const rounds = full ? 1500 : 10;
const forms = { 'lf.a2a.v1': [lfA2aV1, '1.0'], 'a2a.v1': [a2aV1, '0.3-proto'] } as const;

/** Without what protocol buffers leave out: empty texts and lists, false, and the first of an enumeration. Contents and what is nobody's business stay as they are. */
function elided(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(elided);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (['text', 'raw', 'url', 'data', 'metadata'].includes(name)) return [[name, inner]];
      return inner === '' ||
        inner === false ||
        (name === 'status' && inner === 'TASK_STATE_UNSPECIFIED') ||
        inner === undefined ||
        (Array.isArray(inner) && inner.length === 0)
        ? []
        : [[name, elided(inner)]];
    }),
  );
}

/** In a2a.v1 to want no history, and to say nothing of it, are the same bytes. */
function withHistory<P extends OperationParams[Operation]>(params: P): P {
  if ('historyLength' in params) return { ...params, historyLength: params.historyLength || 1 };
  return 'configuration' in params && params.configuration?.historyLength === 0
    ? { ...params, configuration: { ...params.configuration, historyLength: 1 } }
    : params;
}

/** What gRPC makes of what the codecs write: the bytes in between lose nothing that the codecs say. */
suite('round trip through protocol buffers', function () {
  if (full) this.timeout(300_000);
  for (const [name, [source, form]] of Object.entries(forms)) {
    const version = formOf(form)!;
    const methods: typeof lfA2aV1.methods = source.methods;
    const service = schemaOf(source).getService(`${name}.${source.service}`)!;
    const descOf = (operation: Operation, side: 'input' | 'output'): DescMessage =>
      service.methods.find(method => method.name === methods[operation]![0])![side];
    const through = (desc: DescMessage, wire: unknown): unknown => {
      const bytes = toBinary(desc, fromJson(desc, JSON.parse(JSON.stringify(wire)) as JsonValue));
      const message = fromBinary(desc, bytes);
      return protoJson(desc, message, [...messagesIn(reflect(desc, message))]);
    };

    test(`${name}: core to bytes to core is the same`, () => {
      const sayable = new Sayable(version.unsupported);
      let count = 0;
      for (let at = seed; at < seed + rounds; at++) {
        const values = new CoreValues(new Random(at));
        const { note, findings } = collect();
        const params = values.params();
        for (const operation of (Object.keys(params) as Operation[]).filter(each => methods[each] !== undefined)) {
          const said = form === '0.3-proto' ? withHistory(params[operation]) : params[operation];
          const read = version.readParams(operation, through(descOf(operation, 'input'), version.writeParams(operation, said)), note);
          assert.deepEqual(
            elided(sayable.params(operation, read)),
            elided(sayable.params(operation, said)),
            `${operation} params, seed ${at}`,
          );
        }
        const results = values.results();
        for (const operation of (Object.keys(results) as UnaryOperation[]).filter(each => methods[each] !== undefined)) {
          const read = readResult(
            operation,
            through(descOf(operation, 'output'), version.writeResult(operation, results[operation])),
            version,
            note,
          );
          assert.deepEqual(
            elided(sayable.result(operation, read)),
            elided(sayable.result(operation, results[operation])),
            `${operation} result, seed ${at}`,
          );
        }
        const event = values.event();
        const read = readStreamResponse(
          through(descOf('SendStreamingMessage', 'output'), version.writeStreamResponse(event)),
          version,
          note,
        );
        assert.deepEqual(elided(sayable.event(read)), elided(sayable.event(event)), `event, seed ${at}`);
        // The context of an update may be missing in core; an empty page, which the transport knows of, and a state that says nothing
        // are missing in ProtoJSON.
        assert.deepEqual(
          findings.filter(({ rule, pointer }) => rule !== 'DATA-06' && !/^\/tasks$|\/status\/state$/.test(pointer)),
          [],
          `seed ${at}`,
        );
        count++;
      }
      figure('F31', { 'round trips': count }, `${count} values through the protocol buffers of ${name}`);
    });
  }
});
