import * as assert from 'node:assert/strict';
import { looksLikeCard } from '../../../src/card/looksLikeCard.ts';

const modern = { name: 'Harbour', supportedInterfaces: [{ url: 'https://harbour.example' }], skills: [] };
const older = { name: 'Harbour', url: 'https://harbour.example', capabilities: {}, skills: [] };

const cards: Readonly<Record<string, unknown>> = {
  'of 1.0': modern,
  'of 0.3': older,
  'with a member misspelt': { ...older, skills: undefined, skils: [], defaultInputModes: ['text'] },
};
const others: Readonly<Record<string, unknown>> = {
  'a package': { name: 'harbour', version: '1.0.0', repository: { url: 'https://harbour.example' }, keywords: [] },
  'a package with an address': { name: 'harbour', url: 'https://harbour.example', version: '1.0.0' },
  'a server of tools': { name: 'harbour', url: 'https://harbour.example', capabilities: { tools: {} } },
  'a playing card': { name: 'Ace', suit: 'spades', url: 'https://cards.example' },
  'a list of cards': [modern],
  'a settings file': { 'a2a.agents': { Harbour: older } },
  'a card without a name': { ...modern, name: undefined },
};

suite('agent cards by their content', () => {
  for (const [name, card] of Object.entries(cards)) {
    test(`a card ${name}`, () => assert.equal(looksLikeCard(JSON.stringify(card, null, 2)), true));
  }

  for (const [name, other] of Object.entries(others)) {
    test(`no card: ${name}`, () => assert.equal(looksLikeCard(JSON.stringify(other, null, 2)), false));
  }

  test('one that is half written', () => assert.equal(looksLikeCard(JSON.stringify(modern).slice(0, -1)), true));

  test('text that is no JSON, is nested without end or is very long', () => {
    for (const text of ['', '"name": "url":', '[', `{"name":"x","url":"y","skills":${'['.repeat(5_000)}`])
      assert.equal(looksLikeCard(text), false);
    assert.equal(looksLikeCard(JSON.stringify({ ...modern, padding: 'x'.repeat(600_000) })), false);
  });
});
