import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { cardProblems } from '../../../src/card/cardProblems.ts';
import { cardValue, readCardText } from '../../../src/card/cardText.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { writeExactly } from '../../../src/protocol/json/exactJson.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { readEnvironments } from '../../../src/request/environment/environments.ts';
import { pasted } from '../../../src/request/import/paste.ts';
import { memberOf, valueOf } from '../../../src/request/text/jsonNode.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { parseUserJson } from '../../../src/workbench/platform/userJson.ts';
import { caught, figure, sampleOf } from '../../support/figure.ts';
import { type JsonCase, jsonCases } from '../../support/jsonCases.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks } from '../../support/client/says.ts';

/** What an entrance made of a value that stands in a text of its own. Refusing is a `Problem`, or an error that the text is shown with. */
type Taken = { readonly value: unknown } | 'refused';

interface Entrance {
  /** The text around the value. */
  readonly around: readonly [before: string, after: string];
  /** It reads more than JSON has: what is not JSON may be read, too. */
  readonly reads?: (text: string) => boolean;
  readonly take: (bytes: Uint8Array) => Promise<Taken> | Taken;
}

const task = '{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"metadata":{"value":';
/** JSON with comments and trailing commas. */
const isJsonc = (text: string): boolean => /\/\/|\/\*|,\s*[\]}]/.test(text);
const jsonOf = (text: string): Taken => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'refused';
  }
};

/** `JSON.stringify` writes -0 as 0. Numbers that people write keep all of their digits. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || JSON.stringify(JSON.parse(JSON.stringify(one))) === JSON.stringify(other);

/** What could have been changed for everyone. */
const globals = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype]
      .map(Reflect.ownKeys)
      .map(keys => keys.map(String)),
  );

const cases = sampleOf(jsonCases);

suite('JSON at every entrance', function () {
  this.timeout(300_000);
  const open = new OpenThings();
  let answered: { readonly type: string; readonly status: number; readonly bytes: Uint8Array } = {
    type: '',
    status: 200,
    bytes: new Uint8Array(),
  };
  let url: string;
  const clients = new Map<string, AgentClient>();

  suiteSetup(async () => {
    const card = (at: string): string =>
      JSON.stringify({
        ...minimalCard(at, '1.0'),
        supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map(protocolBinding => ({ url: at, protocolBinding, protocolVersion: '1.0' })),
      });
    url = await open.web((request, response) => {
      request.resume();
      const isCard = request.url === '/.well-known/agent-card.json';
      response
        .writeHead(isCard ? 200 : answered.status, { 'content-type': isCard ? 'application/json' : answered.type })
        .end(isCard ? card(url) : answered.bytes);
    });
    const http = open.http();
    const { card: found, cardUrl, agentUrl } = await resolveAgentCard(url, { http });
    for (const protocolBinding of ['JSONRPC', 'HTTP+JSON']) {
      clients.set(
        protocolBinding,
        new AgentClient({
          chosen: chooseInterface(found, cardUrl, { protocolBinding, protocolVersion: '1.0' }),
          http,
          agentUrl,
          card: found,
        }),
      );
    }
  });
  suiteTeardown(() => open.close());

  const asked = async (binding: string, bytes: Uint8Array, status = 200): Promise<Taken> => {
    answered = { type: 'application/json', status, bytes };
    const { result } = await clients.get(binding)!.call('GetTask', { id: 't' });
    return { value: result.metadata?.['value'] };
  };
  const streamed = async (bytes: Uint8Array): Promise<Taken> => {
    answered = { type: 'text/event-stream', status: 200, bytes };
    const events: StreamResponse[] = [];
    for await (const batch of clients.get('JSONRPC')!.stream('SendStreamingMessage', asks('hi'))) events.push(...batch.events);
    const [event] = events;
    return event !== undefined && 'task' in event ? { value: event.task.metadata?.['value'] } : 'refused';
  };

  const entrances: Readonly<Record<string, Entrance>> = {
    'an answer over JSON-RPC': { around: [`{"jsonrpc":"2.0","id":1,"result":${task}`, '}}}'], take: bytes => asked('JSONRPC', bytes) },
    'an answer over HTTP+JSON': { around: [task, '}}'], take: bytes => asked('HTTP+JSON', bytes) },
    'an error over HTTP+JSON': {
      around: ['{"error":{"code":404,"status":"NOT_FOUND","message":"none","details":[{"value":', '}]}}'],
      reads: () => true,
      take: bytes => asked('HTTP+JSON', bytes, 404),
    },
    'an event': {
      around: [`{"jsonrpc":"2.0","id":1,"result":{"task":${task}`, '}}}}'],
      // An event in several lines is put together in more than one way, and a text sequence (RFC 7464) is read.
      reads: text => ['\n', '\r', '\u001e'].some(character => text.includes(character)),
      take: bytes =>
        streamed(
          Buffer.concat([
            Buffer.from('data: '),
            Buffer.from(
              Buffer.from(bytes)
                .toString('latin1')
                .replaceAll(/\r\n|\n|\r/g, '\ndata: '),
              'latin1',
            ),
            Buffer.from('\n\n'),
          ]),
        ),
    },
    'a card of an agent': {
      around: [JSON.stringify(minimalCard('http://a/', '1.0')).replace(/\}$/, ',"value":'), '}'],
      take: async bytes => {
        const at = await cardAt(bytes);
        const { source } = await resolveAgentCard(at, { http: open.http() });
        return jsonOf(source) === 'refused' ? 'refused' : { value: (JSON.parse(source) as { value?: unknown }).value };
      },
    },
    'a file of requests': {
      around: ['{"agent":"A","method":"GetTask","params":{"id":"1","value":', '}}'],
      reads: isJsonc,
      take: bytes => {
        const { sections, syntaxErrors, problems } = readRequestFile(new TextDecoder().decode(bytes));
        assert.ok(Array.isArray(problems));
        const value = memberOf(memberOf(sections[0]?.root, 'params')?.value, 'value')?.value;
        return syntaxErrors.length > 0 || value === undefined ? 'refused' : { value: valueOf(value) };
      },
    },
    'a card in the editor': {
      around: ['{"name":"A","supportedInterfaces":[],"value":', '}'],
      // Of more members than are checked while one types the rest is not read.
      reads: text => isJsonc(text) || (readCardText(text)?.omitted.length ?? 0) > 0,
      take: bytes => {
        const text = new TextDecoder().decode(bytes);
        assert.ok(Array.isArray(cardProblems(text)));
        const card = readCardText(text);
        const whole = card === undefined ? undefined : cardValue(card);
        return whole === undefined ? 'refused' : { value: (whole as { value?: unknown }).value };
      },
    },
    'a file of environments': {
      around: ['{"dev":{"value":', '}}'],
      reads: () => true,
      take: bytes => {
        const { problems } = readEnvironments([{ path: 'a2a.env.json', private: false, text: new TextDecoder().decode(bytes) }]);
        return problems.length > 0 ? 'refused' : jsonOf(new TextDecoder().decode(bytes));
      },
    },
    'a text that is pasted': {
      around: ['{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"1","value":', '}}'],
      reads: () => true,
      take: bytes => {
        pasted(new TextDecoder().decode(bytes), { whole: true });
        return 'refused';
      },
    },
    'data that is written by hand': {
      around: ['{"value":', '}'],
      take: bytes => {
        const value = parseUserJson(new TextDecoder().decode(bytes));
        // Numbers keep their digits there; what is written has to be JSON again.
        return { value: (JSON.parse(writeExactly(value)) as { value?: unknown } | null)?.value };
      },
    },
  };

  async function cardAt(bytes: Uint8Array): Promise<string> {
    shownCard = bytes;
    cardServer ??= await open.web((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(shownCard));
    return cardServer;
  }
  let shownCard: Uint8Array = new Uint8Array();
  let cardServer: string | undefined;

  /** What an entrance did wrong with a case; undefined where nothing. */
  async function wrongWith(
    { around: [before, after], reads, take }: Entrance,
    one: JsonCase,
    embedded: boolean,
  ): Promise<string | undefined> {
    const bytes = embedded ? Buffer.concat([Buffer.from(before), one.bytes, Buffer.from(after)]) : one.bytes;
    let taken: Taken;
    try {
      taken = await take(bytes);
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'defect') return `it threw ${error instanceof Error ? error.stack : String(error)}`;
      taken = 'refused';
    }
    // What it makes of a text that is nothing but the value is its own affair; so is what is left open.
    if (!embedded || (one.kind === 'i' && one.name.includes('depth'))) return undefined;
    const text = new TextDecoder().decode(bytes);
    const expected = jsonOf(text);
    if (expected === 'refused') return taken === 'refused' || reads?.(text) ? undefined : `it was read as ${JSON.stringify(taken.value)}`;
    if (taken === 'refused') return reads?.(text) || one.kind === 'i' ? undefined : 'it was refused';
    const value = expected.value as Record<string, Record<string, unknown>>;
    return one.kind === 'i' || reads?.(text) || isSame(taken.value, inner(value))
      ? undefined
      : `it was read as ${JSON.stringify(taken.value)?.slice(0, 200)}`;
  }

  /** The one member called `value`, wherever the text around has it. */
  function inner(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Object.hasOwn(value, 'value')) return (value as { value: unknown }).value;
    return Object.values(value)
      .map(inner)
      .find(found => found !== undefined);
  }

  test('the cases are of the kind that they say', () => {
    for (const { name, kind, bytes } of jsonCases) {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      if (kind !== 'i') assert.equal(jsonOf(text) === 'refused', kind === 'n', `${name}: ${JSON.stringify(text.slice(0, 100))}`);
    }
  });

  test('what is JSON is read, what is none is refused, and nothing else happens', async () => {
    const before = globals();
    const wrong: string[] = [];
    let count = 0;
    for (const [name, entrance] of Object.entries(entrances)) {
      for (const one of cases) {
        for (const embedded of [true, false]) {
          count++;
          const fault = await wrongWith(entrance, one, embedded);
          if (fault !== undefined)
            wrong.push(
              `${name}, ${one.name}${embedded ? '' : ' alone'}, ${JSON.stringify(Buffer.from(one.bytes.subarray(0, 60)).toString())}: ${fault}`,
            );
        }
      }
    }
    const polluted = Number(globals() !== before || 'polluted' in {});
    figure(
      'F9',
      {
        'parsing cases': cases.length,
        entrances: Object.keys(entrances).length,
        'read wrongly': wrong.length,
        'changed prototypes': polluted,
      },
      `${cases.length} parsing cases at ${Object.keys(entrances).length} entrances, in a text of theirs and alone: ${count} readings, ${wrong.length} wrong`,
    );
    assert.deepEqual([wrong.slice(0, 40), polluted], [[], 0]);
  });

  test('an entrance that merges what it reads, and one that takes anything, are caught', async () => {
    const merge = (into: Record<string, unknown>, from: unknown): void => {
      if (typeof from !== 'object' || from === null) return;
      for (const [name, value] of Object.entries(from)) {
        if (typeof value === 'object' && value !== null) merge((into[name] ??= {}) as Record<string, unknown>, value);
        else into[name] = value;
      }
    };
    const merging: Entrance = {
      around: ['{"value":', '}'],
      take: bytes => {
        const read = jsonOf(new TextDecoder().decode(bytes));
        if (read !== 'refused') merge({}, (read.value as { value?: unknown } | null)?.value);
        return read === 'refused' ? read : { value: (read.value as { value?: unknown } | null)?.value };
      },
    };
    const before = globals();
    const polluter = jsonCases.find(({ bytes }) => Buffer.from(bytes).toString() === '{"a":{"__proto__":{"polluted":true}}}')!;
    await wrongWith(merging, polluter, true);
    assert.notEqual(globals(), before);
    delete (Object.prototype as { polluted?: unknown }).polluted;
    assert.equal(globals(), before);
    caught('F9', 'a reader that merges what it reads');

    // Quotation marks are made whole and commas forgiven, as by many who mean well.
    const lenient: Entrance = {
      around: ['{"value":', '}'],
      take: bytes =>
        jsonOf(
          new TextDecoder()
            .decode(bytes)
            .replaceAll(/,\s*(?=[\]}])/g, '')
            .replaceAll("'", '"'),
        ),
    };
    const wrong = await Promise.all(jsonCases.map(one => wrongWith(lenient, one, true)));
    assert.ok(wrong.filter(fault => fault?.startsWith('it was read as') === true).length > 2);
    caught('F9', 'a reader that forgives');
  });
});
