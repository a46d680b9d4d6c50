import * as assert from 'node:assert/strict';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { offeredInterfaces, type OfferedInterface } from '../../../src/client/interfaces/offeredInterface.ts';
import type { AgentCard, AgentInterface } from '../../../src/protocol/card/agentCard.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import type { InterfaceSelector } from '../../../src/protocol/card/interfaceSelector.ts';
import { readAgentCard, versions } from '../../../src/protocol/versions/index.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';

const cardUrl = 'https://agent.example/a/.well-known/agent-card.json';

function cardWith(...supportedInterfaces: readonly AgentInterface[]): AgentCard {
  return readAgentCard({ ...minimalCard('/', '1.0'), supportedInterfaces }, ignoreFindings);
}

const entry = (
  protocolBinding: string,
  protocolVersion: string,
  url = `https://agent.example/${protocolBinding}/${protocolVersion}`,
): AgentInterface => ({ url, protocolBinding, protocolVersion });

interface Case {
  readonly offered: readonly AgentInterface[];
  readonly wanted?: InterfaceSelector;
  readonly chosen: readonly [url: string, version: string];
}

const choices: Readonly<Record<string, Case>> = {
  'the first of the card': {
    offered: [entry('JSONRPC', '0.3'), entry('JSONRPC', '1.0')],
    chosen: ['https://agent.example/JSONRPC/0.3', '0.3'],
  },
  'the first that is spoken': {
    offered: [entry('SOAP', '1.0'), entry('JSONRPC', '9.0'), entry('JSONRPC', '1.0')],
    chosen: ['https://agent.example/JSONRPC/1.0', '1.0'],
  },
  'another spelling of the binding': {
    offered: [entry('json-rpc', '1.0', 'https://agent.example/x')],
    chosen: ['https://agent.example/x', '1.0'],
  },
  'a version with a patch number': {
    offered: [entry('JSONRPC', '0.3.0', 'https://agent.example/x')],
    chosen: ['https://agent.example/x', '0.3'],
  },
  'a path from the origin': { offered: [entry('JSONRPC', '1.0', '/rpc')], chosen: ['https://agent.example/rpc', '1.0'] },
  'a path without a slash': { offered: [entry('JSONRPC', '1.0', 'rpc')], chosen: ['https://agent.example/a/.well-known/rpc', '1.0'] },
  'an address of all interfaces': {
    offered: [entry('JSONRPC', '1.0', 'https://0.0.0.0:9000/rpc')],
    chosen: ['https://agent.example:9000/rpc', '1.0'],
  },
  'a slash at the end that is kept': {
    offered: [entry('JSONRPC', '1.0', 'https://agent.example/a2a/')],
    chosen: ['https://agent.example/a2a/', '1.0'],
  },
  'an address that is none is passed over': {
    offered: [entry('JSONRPC', '1.0', 'http://'), entry('JSONRPC', '0.3')],
    chosen: ['https://agent.example/JSONRPC/0.3', '0.3'],
  },
  'the wanted version': {
    offered: [entry('JSONRPC', '1.0'), entry('JSONRPC', '0.3')],
    wanted: { protocolVersion: '0.3.0' },
    chosen: ['https://agent.example/JSONRPC/0.3', '0.3'],
  },
  'the wanted address': {
    offered: [entry('JSONRPC', '1.0'), entry('JSONRPC', '0.3')],
    wanted: { url: '/JSONRPC/0.3' },
    chosen: ['https://agent.example/JSONRPC/0.3', '0.3'],
  },
  'a wanted address the card does not know, spoken like the first': {
    offered: [entry('SOAP', '1.0'), entry('JSONRPC', '0.3')],
    wanted: { url: 'http://localhost:9/rpc' },
    chosen: ['http://localhost:9/rpc', '0.3'],
  },
  'a wanted address and version the card does not know': {
    offered: [entry('JSONRPC', '0.3')],
    wanted: { url: 'http://localhost:9/rpc', protocolVersion: '1.0' },
    chosen: ['http://localhost:9/rpc', '1.0'],
  },
};

suite('agent interface', () => {
  for (const [name, { offered, wanted, chosen }] of Object.entries(choices)) {
    test(name, () => {
      const choice = chooseInterface(cardWith(...offered), cardUrl, wanted);
      assert.deepEqual([choice.interface.url, choice.version.protocolVersion], chosen);
      assert.equal(choice.transport.protocolBinding, 'JSONRPC');
      assert.ok(choice.reason.args.includes(choice.interface.url));
    });
  }

  for (const { protocolVersion } of versions) {
    test(`a wanted version that the card does not declare: ${protocolVersion}`, () => {
      const card = cardWith(entry('JSONRPC', protocolVersion === '1.0' ? '0.3' : '1.0', 'https://agent.example/x'));
      const {
        version,
        interface: { url },
        transport,
      } = chooseInterface(card, cardUrl, { protocolVersion });
      assert.deepEqual([version.protocolVersion, transport.supports(version), url], [protocolVersion, true, 'https://agent.example/x']);
    });
  }

  const trust = { agent: new URL('https://agent.example/'), approved: new Set<string>(), otherPorts: false };
  test('an address that is not allowed gives way to the next that is, and the reason says so', () => {
    const card = cardWith(
      entry('JSONRPC', '1.0', 'https://agent.example:8443/'),
      entry('JSONRPC', '1.0', 'https://other.example/'),
      entry('HTTP+JSON', '1.0', 'https://agent.example/rest'),
    );
    const choice = chooseInterface(card, cardUrl, {}, { trust });
    assert.equal(choice.interface.url, 'https://agent.example/rest');
    assert.match(
      english(choice.reason),
      /at https:\/\/agent\.example\/rest, because the address https:\/\/agent\.example:8443\/, .* is not allowed/,
    );
    const free = chooseInterface(card, cardUrl, {}, { trust: { ...trust, otherPorts: true } });
    assert.equal(free.interface.url, 'https://agent.example:8443/');
    const only = chooseInterface(cardWith(entry('JSONRPC', '1.0', 'https://other.example/')), cardUrl, {}, { trust });
    assert.equal(only.interface.url, 'https://other.example/');
  });

  test('the tenant stays with the interface', () => {
    const { interface: chosen } = chooseInterface(cardWith({ ...entry('JSONRPC', '1.0'), tenant: 'acme' }), cardUrl);
    assert.equal(chosen.tenant, 'acme');
  });

  test('the reason tells preference, second choice and settings apart', () => {
    const reasons = [
      chooseInterface(cardWith(entry('JSONRPC', '1.0')), cardUrl),
      chooseInterface(cardWith(entry('SOAP', '1.0'), entry('JSONRPC', '1.0')), cardUrl),
      chooseInterface(cardWith(entry('JSONRPC', '1.0')), cardUrl, { protocolVersion: '1.0' }),
    ].map(({ reason }) => reason.template);
    assert.equal(new Set(reasons).size, 3);
  });

  test("an address whose scheme is mistyped is no path of the card's host", () => {
    for (const url of ['htp:/agent.example/rpc', 'https:/agent.example/rpc', 'htps://agent.example/rpc']) {
      const [{ isSupported, obstacle }] = offeredInterfaces(cardWith(entry('JSONRPC', '1.0', url)), cardUrl) as [OfferedInterface];
      assert.equal(isSupported, false, url);
      assert.match(english(obstacle!), /is not an address that can be connected to\. Did you mean https?:\/\/agent\.example\/rpc\?$/, url);
    }
  });

  const refusals: Readonly<
    Record<string, { readonly offered: readonly AgentInterface[]; readonly wanted?: InterfaceSelector; readonly says: RegExp }>
  > = {
    'nothing that is spoken': {
      offered: [entry('SOAP', '1.0'), entry('JSONRPC', '9.0')],
      says: /offers SOAP 1\.0, JSONRPC 9\.0; this tool supports JSONRPC 1\.0, JSONRPC 0\.3/,
    },
    'a wanted version that does not exist': {
      offered: [entry('JSONRPC', '0.3')],
      wanted: { protocolVersion: '9.0' },
      says: /No interface matches 9\.0: the agent offers JSONRPC 0\.3; this tool supports .*JSONRPC 1\.0-draft.*TASK-REST/,
    },
    'a wanted version that the only binding does not have': {
      offered: [entry('GRPC', '1.0')],
      wanted: { protocolVersion: '0.1' },
      says: /No interface matches 0\.1: the agent offers GRPC 1\.0/,
    },
    'a wanted binding that is not spoken': {
      offered: [entry('SOAP', '1.0')],
      wanted: { protocolBinding: 'SOAP' },
      says: /No interface matches SOAP/,
    },
    'a scheme that is not spoken': { offered: [entry('JSONRPC', '1.0', 'ftp://agent.example/')], says: /offers JSONRPC 1\.0/ },
  };
  for (const [name, { offered, wanted, says }] of Object.entries(refusals)) {
    test(`no interface: ${name}`, () => {
      assert.throws(
        () => chooseInterface(cardWith(...offered), cardUrl, wanted),
        error => {
          assert.ok(error instanceof Problem);
          assert.equal(error.code, 'no-interface');
          assert.match(error.message, says);
          assert.ok(error.nextStep !== undefined);
          return true;
        },
      );
    });
  }
});
