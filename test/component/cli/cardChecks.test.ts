import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a2a card and what is wrong with the card', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const tell = async (change: (card: Record<string, unknown>) => object, options: readonly string[] = []) => {
    const agent = await open.agent({}, '1.0', { card: url => ({ ...change(minimalCard(url, '1.0') as Record<string, unknown>) }) });
    return program.run(['card', agent.url, ...options]);
  };

  for (const [title, binding, ends] of [
    ['of a card that can be used all the same', 'JSONRPC', 0],
    ['of a card without a usable interface ends it with 1', 'CARRIER-PIGEON', 1],
  ] as const)
    test(`a broken MUST is told on standard error: ${title}`, async () => {
      const { status, out, err } = await tell(card => ({
        ...card,
        supportedInterfaces: [{ url: 'http://0.0.0.0:1/', protocolBinding: binding, protocolVersion: '1.0' }],
      }));
      assert.match(err, /^CARD-06 \/supportedInterfaces\/0\/url: /m);
      assert.match(out, /^Card: /m);
      assert.equal(status, ends);
    });

  test('advice is told alike, and changes no status', async () => {
    const { status, err } = await tell(card => ({
      ...card,
      skills: [{ id: 'a', name: 'A', description: 'A.', tags: ['a'], exmaples: [] }],
    }));
    assert.match(err, /^CARD-20 \/skills\/0\/exmaples: /m);
    assert.equal(status, 0);
  });

  for (const options of [[], ['--json']])
    test(`credentials in an address are masked, ${options.join('') || 'in sentences'}`, async () => {
      const url = 'http://u:c4nary-1@127.0.0.1:1/rpc?api_key=c4nary-2&tenant=harbour';
      const { out, err } = await tell(
        card => ({ ...card, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
        options,
      );
      assert.ok(out.includes('http://u:••••••@127.0.0.1:1/rpc?api_key=••••••&tenant=harbour'), out);
      assert.doesNotMatch(out + err, /c4nary/);
    });

  test('extensions are listed, and which of them the agent requires', async () => {
    const { out } = await tell(card => ({
      ...card,
      capabilities: { extensions: [{ uri: 'urn:harbour:tides', description: 'Tides.', required: true }, { uri: 'urn:harbour:stamps' }] },
    }));
    assert.match(out, /^Extension: urn:harbour:tides \(required\) – Tides\.\nExtension: urn:harbour:stamps$/m);
  });

  test('no text of the card is a line of its own, and none is longer than a screen or two', async () => {
    const lines = [
      'Card: https://forged.example/',
      'Interface: JSONRPC 1.0 https://forged.example/',
      'Spoken: forged',
      'Skill: forged – forged',
    ];
    const words = [...lines, ...lines, 'x'.repeat(1_000_000)].join('\n');
    const { out } = await tell(card => ({
      ...card,
      name: `N\n${words}`,
      version: words,
      description: words,
      skills: [{ id: 'a', name: words, description: words, tags: ['a'] }],
    }));
    const told = out.split('\n').filter(line => /^(?:Card|Interface|Spoken|Skill): .*forged/.test(line));
    assert.deepEqual(told, ['Skill: Card: https://forged.example/']);
    assert.match(out, /^Description: Card: https:\/\/forged\.example\/\n {2}\| Interface: /m);
    assert.ok(out.length < 50_000, String(out.length));
  });
});
