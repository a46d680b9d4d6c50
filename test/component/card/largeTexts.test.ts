import * as assert from 'node:assert/strict';
import { cardProblems } from '../../../src/card/cardProblems.ts';
import { outline } from '../../../src/request/language/outline.ts';
import { tokens } from '../../../src/request/language/tokens.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { cpuTime } from '../../support/cpuTime.ts';

/**
 * Most time of a processor for what an editor does with a text at each keystroke, in readings of {@link yardstick}: several times what it takes,
 * and less than a second to wait where a reading takes 40 ms.
 */
const most = 15;
const rounds = 8;
const yardstick = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, [index, 'x']])));

const many = (count: number, one: (index: number) => string): string => Array.from({ length: count }, (_, index) => one(index)).join(',');
const card = (...members: readonly string[]): string =>
  `{${['"name":"a"', '"version":"1"', '"protocolVersion":"1.0"', '"supportedInterfaces":[{"url":"http://127.0.0.1:1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]', ...members].join(',')}}`;
const file = (...requests: readonly string[]): string => `{"agent":"http://127.0.0.1:1","requests":[${requests.join(',')}]}`;

function within(work: () => void): void {
  let [least, reading] = [Infinity, Infinity];
  for (let round = 0; round < rounds && least > most * reading; round++) {
    least = Math.min(least, cpuTime(work));
    reading = Math.min(
      reading,
      cpuTime(() => void JSON.parse(yardstick)),
    );
  }
  assert.ok(least <= most * reading, `${least} ms of a processor, ${(least / reading).toFixed(1)} readings`);
}

suite('a text that an editor shows is looked through in a moment', () => {
  const cards: Readonly<Record<string, string>> = {
    'as many undefined security schemes as other ones': card(
      `"securitySchemes":{${many(20_000, index => `"s${index}":{"apiKeySecurityScheme":{"name":"x","location":"header"}}`)}}`,
      `"securityRequirements":[${many(20_000, index => `{"schemes":{"t${index}":{"list":[]}}}`)}]`,
    ),
    '200,000 skills of one id': card(`"skills":[${many(200_000, () => '{"id":"s","name":"n","description":"d","tags":["a"]}')}]`),
    'two million members': card(many(2_000_000, index => `"k${index}":1`)),
    'a long name': card(`"skills":[{"id":"s","name":"${'x'.repeat(8_000_000)}"}]`),
    'an old form of security with 20,000 schemes': card(`"security":[${many(20_000, index => `{"s${index}":[]}`)}]`),
    'a version that no interface speaks, of 20,000': card(
      `"additionalInterfaces":[${many(20_000, index => `{"url":"http://127.0.0.1:${index}"}`)}]`,
    ).replace('"protocolVersion":"1.0"', '"protocolVersion":"2.0"'),
  };
  for (const [what, text] of Object.entries(cards)) {
    test(`a card with ${what}, and what could be done about it`, () => {
      within(() => {
        const problems = cardProblems(text);
        const one = problems.find(({ code }) => code === 'undefined-scheme' || code === 'old-security' || code === 'no-interface');
        for (const { edits } of one?.fixes ?? []) assert.ok(edits.length > 0);
      });
    });
  }

  const files: Readonly<Record<string, string>> = {
    '200,000 requests': file(many(200_000, index => `{"name":"r${index}","message":"hi {{x${index}}}"}`)),
    '200,000 requests, one after the other': file(
      many(200_000, index => `{"name":"r${index}","message":"hi","expect":{"state":"completed"},"after":"r${index - 1}"}`),
    ),
    '200,000 requests of one name': file(many(200_000, () => '{"name":"r","message":"{{r.text}}"}')),
    'a thousand that need ninety others each': file(
      many(990, index => `{"name":"r${index}","message":"${many(90, other => `{{r${(index + other + 1) % 990}.text}}`)}"}`),
    ),
    'ninety thousand templates in one': file(`{"message":"${'{{nobody}} '.repeat(90_000)}"}`),
    'forty thousand keys that nobody knows': file(`{"message":"a",${many(45_000, index => `"k${index}":1`)}}`),
  };
  for (const [what, text] of Object.entries(files)) {
    test(`a request file with ${what}`, () => {
      within(() => {
        const read = readRequestFile(text, { bounded: true });
        assert.ok(read.requests.length > 0);
        assert.ok(read.problems.length + outline(read).length + tokens(read).length > 0);
      });
    });
  }
});
