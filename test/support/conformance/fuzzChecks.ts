import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { UnaryOperation } from '../../../src/protocol/message/operations.ts';
import { PassiveObserver } from '../../../src/conformance/rules/passiveObserver.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { CoreValues } from '../protocol/coreValues.ts';
import { has } from '../protocol/operationsOf.ts';
import { Random } from '../protocol/random.ts';
import { spoil } from '../protocol/spoil.ts';

const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
const spoken = ['1.0', '0.3', '0.2', '0.1'] as const;
const statuses = [200, 200, 200, 201, 400, 401, 404, 500] as const;

/** Something that an agent may answer, in the form of a version. */
interface Sound {
  readonly operation: string;
  readonly body: unknown;
  readonly isEvent: boolean;
}

function sound(version: Version, binding: string, random: Random): Sound {
  const values = new CoreValues(random);
  const form = binding === 'JSONRPC' ? version : (version.protoForm ?? version);
  const wrapped = (result: unknown): unknown => (binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, result } : result);
  switch (random.below(4)) {
    case 0:
      return { operation: 'SendStreamingMessage', body: wrapped(form.writeStreamResponse(values.event())), isEvent: true };
    case 1: {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }];
      const error = { code: random.pick([-32001, -32004, 404]), status: 'NOT_FOUND', message: 'No', details, data: details };
      return { operation: 'GetTask', body: binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, error } : { error }, isEvent: false };
    }
    case 2: {
      const signatures = [{ protected: Buffer.from('{"alg":"ES256","kid":"k"}').toString('base64url'), signature: 'c2ln' }];
      const security = { securitySchemes: { x: { type: 'http', scheme: 'bearer' } }, security: [{ x: [] }], signatures };
      const card = { ...minimalCard('https://a/', version.protocolVersion), ...security };
      return { operation: 'AgentCard', body: card, isEvent: false };
    }
    default: {
      const results = values.results();
      const operation = random.pick((Object.keys(results) as UnaryOperation[]).filter(name => has(version, name)));
      return { operation, body: wrapped(form.writeResult(operation, results[operation])), isEvent: false };
    }
  }
}

/** The text of a spoilt answer; one that is nested too deeply for that, or that is cut off, is no JSON any more. */
function spoilt(body: unknown, random: Random): string {
  let text: string;
  try {
    text = JSON.stringify(spoil(structuredClone(body) as Parameters<typeof spoil>[0], random)) ?? '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    text = '['.repeat(20_000);
  }
  return random.below(20) === 0 ? text.slice(0, random.below(text.length + 1)) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface FuzzedChecks {
  readonly answers: number;
  /** Deviations that were told. */
  readonly findings: number;
}

/**
 * Gives spoilt answers, those of the seeds `from` up to `to`, to all passive checks, as exchanges do.
 * @param also looks at each answer too
 * @throws Error that names the seed
 */
export function fuzzChecks(from: number, to: number, also: (json: unknown) => void = () => {}): FuzzedChecks {
  let findings = 0;
  for (let seed = from; seed < to; seed++) {
    const random = new Random(seed);
    const protocolVersion = random.pick(spoken);
    const protocolBinding = random.pick(bindings);
    const { operation, body, isEvent } = sound(versionOf(protocolVersion)!, protocolBinding, random);
    const text = spoilt(body, random);
    const json = parsed(text);
    const exchange: Exchange = {
      id: 'e',
      operation,
      protocolBinding,
      protocolVersion,
      request: {
        method: 'POST',
        url: 'https://a/',
        headers: [],
        body: random.pick(['', '{"params":{"historyLength":1}}', text.slice(0, 5_000)]),
      },
      startedAt: 0,
      response: {
        status: operation === 'AgentCard' ? 200 : random.pick(statuses),
        headers: [['Content-Type', 'application/json']],
        ...(!isEvent && { body: text }),
        ...(random.below(2) === 0 && { trailers: [['grpc-status', String(random.below(17))]] }),
      },
      findings: [],
    };
    try {
      also(json);
      const observer = new PassiveObserver(exchange, () => findings++);
      const result = protocolBinding === 'JSONRPC' ? (json as { result?: unknown } | null | undefined)?.result : json;
      if (isEvent) for (let seq = 0; seq < 3; seq++) observer.event({ seq, at: 0, data: text }, result);
      observer.end(exchange);
    } catch (error) {
      throw new Error(`seed ${seed}: ${operation} over ${protocolBinding} ${protocolVersion}`, { cause: error });
    }
  }
  return { answers: to - from, findings };
}
