import * as assert from 'node:assert/strict';
import { withItem } from '../../../src/request/text/jsonc.ts';
import { launchOf } from '../../../src/workbench/debug/launch.ts';

const others = [
  { name: 'Node', type: 'node', request: 'launch' },
  { name: 'Attach', type: 'node', request: 'attach' },
  { name: 'Other', type: 'a2a', request: 'launch' },
];

suite('a launch configuration of an agent', () => {
  const read = (configuration: object) => launchOf({ type: 'a2a', request: 'launch', name: 'x', ...configuration }, others, '/folder');

  test('with a command, in a folder', () => {
    assert.deepEqual(read({ command: 'npm start', port: '9999', cwd: 'agent', env: { A: 'b', C: null } }), {
      open: true,
      agents: [{ url: 'http://localhost:9999', start: { command: 'npm start', cwd: '/folder/agent', env: { A: 'b', C: null } } }],
    });
  });

  test('several, one with another configuration', () => {
    const agents = [
      { command: 'a', port: 1 },
      { configuration: 'Node', url: 'http://localhost:2/card' },
      { configuration: 'Attach', port: 3 },
    ];
    assert.deepEqual(read({ agents, open: false }), {
      open: false,
      agents: [
        { url: 'http://localhost:1', start: { command: 'a', cwd: '/folder', env: {} } },
        { url: 'http://localhost:2/card', start: { configuration: 'Node', attaches: false } },
        { url: 'http://localhost:3', start: { configuration: 'Attach', attaches: true } },
      ],
    });
  });

  const wrong: readonly (readonly [configuration: object, message: RegExp])[] = [
    [{ port: 1 }, /^Neither "command" nor "configuration"/],
    [{ command: 'a', configuration: 'Node', port: 1 }, /^"command" and "configuration" both/],
    [{ command: 'a' }, /^Neither "port" nor "url"/],
    [{ command: 'a', port: 1, url: 'http://localhost:1' }, /^"port" and "url" both/],
    [{ configuration: 'Nod', port: 1 }, /^There is no launch configuration "Nod"\. Did you mean "Node"\?$/],
    [{ configuration: 'Quite another', port: 1 }, /^There is no launch configuration "Quite another"\.$/],
    [{ configuration: 'Other', port: 1 }, /^"Other" is a configuration of the type a2a itself/],
    [{ command: 'a', port: 70_000 }, /^"port" is not as it has to be/],
    [{ agents: [] }, /^"agents" is not as it has to be/],
    [{ agents: [{ command: 'a', port: 1 }], command: 'b' }, /^"command" stands beside "agents"/],
    [
      {
        agents: [
          { command: 'a', port: 1 },
          { command: 'b', port: 1 },
        ],
      },
      /^Two agents have the address http:\/\/localhost:1\.$/,
    ],
    [{ command: 'a', port: 1, env: { A: 1 } }, /^"env\.A" is not as it has to be/],
  ];
  for (const [configuration, message] of wrong)
    test(`is refused: ${JSON.stringify(configuration)}`, () => assert.throws(() => read(configuration), { code: 'bad-launch', message }));
});

suite('one more item in a file', () => {
  const otherwise = { version: '0.2.0' };

  test('keeps comments and indentation', () => {
    const written = (first: string): string =>
      `{\n    // Mine.\n    "configurations": [${first}\n        { "name": "a" }, // first\n        { "name": "c" }\n    ]\n}\n`;
    const item = '\n        {\n            "name": "b"\n        },';
    assert.equal(withItem(written(''), 'configurations', { name: 'b' }, {}), written(item));
  });

  for (const text of ['', '// Nothing yet.\n', '{}', '{ "version": "0.2.0" }', '{ "configurations": [] }'])
    test(`begins where there is none: ${JSON.stringify(text)}`, () => {
      const written = JSON.parse(withItem(text, 'configurations', { name: 'b' }, otherwise)) as Record<string, unknown>;
      assert.deepEqual(written['configurations'], [{ name: 'b' }]);
    });
});
