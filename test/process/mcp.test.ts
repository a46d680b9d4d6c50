import * as assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mcpClient } from '../support/cli/mcpTerminal.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

const page = resolve(import.meta.dirname, '../../docs/assistants.md');

interface McpSettings {
  readonly mcpServers: { readonly a2a: { readonly command: string; readonly args: readonly string[] } };
}

suite('a2a mcp, the program', () => {
  let program: TerminalProgram;
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    [program, agents] = await Promise.all([TerminalProgram.build(), startSampleAgents({ pace: 0 })]);
  });
  suiteTeardown(() => Promise.all([agents.stop(), program.remove()]));

  test('starts as the documentation has it, and a client uses every tool', async () => {
    const [, text = ''] = /^```json\n([^]*?)^```/m.exec(await readFile(page, 'utf8')) ?? assert.fail('no settings in the page');
    const { command, args } = (JSON.parse(text) as McpSettings).mcpServers.a2a;
    assert.ok(args.includes('Currency=http://localhost:41241'));
    const folder = await program.workspace({ 'x.a2a': { agent: 'Currency', message: '10 USD in EUR', expect: { state: 'completed' } } });
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await symlink(program.path, join(bin, 'a2a'));
    const transport = new StdioClientTransport({
      command,
      args: args.map(each => each.replace('http://localhost:41241', agents.urls.Currency)),
      cwd: folder,
      env: { PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter) },
      stderr: 'pipe',
    });
    const client = mcpClient('2025-11-25');
    await client.connect(transport);
    try {
      const call = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
        const { content, isError } = await client.callTool({ name, arguments: input });
        const [part] = content;
        assert.ok(part?.type === 'text' && isError !== true, `${name}: ${JSON.stringify(content)}`);
        return part.text;
      };
      assert.match(await call('a2a_agents'), /"name": "Currency"/);
      const sent = await call('a2a_send', { agent: 'Currency', text: 'How much is 10 USD in EUR?' });
      const [, context] = /^Context: (.+)$/m.exec(sent) ?? assert.fail(sent);
      const [, task] = /"task": "(.+?)"/.exec(sent) ?? assert.fail(sent);
      assert.match(await call('a2a_task', { agent: 'Currency', task }), /State of the task: completed/);
      assert.match(await call('a2a_history', { context }), /How much is 10 USD/);
      assert.match(await call('a2a_wire', { context }), /"operation": "SendStreamingMessage"/);
      assert.match(await call('a2a_check', { agent: 'Currency', rules: ['CORE-01'] }), /^Verdicts: /);
      assert.match(await call('a2a_run', { file: 'x.a2a' }), /^Requests: 1 sent, 0 failed/);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 8);
    } finally {
      await client.close();
    }
  });

  test('has nothing but messages of the protocol on standard output, and ends with standard input', async () => {
    const child = program.start(['mcp', '--agent', `Currency=${agents.urls.Currency}`]);
    const request = (id: number, method: string, params: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const clientInfo = { name: 'raw', version: '1' };
    child.stdin.write(request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\nno message\n{"no":"message"}\n');
    child.stdin.write(request(2, 'tools/call', { name: 'a2a_agents', arguments: { agent: 'Currency' } }));
    let out = '';
    child.stdout.on('data', chunk => {
      out += String(chunk);
      if (out.includes('"id":2')) child.stdin.end();
    });
    const { status, err } = await ended(child);
    const messages = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly jsonrpc: string; readonly id: number });
    assert.deepEqual(
      messages.map(({ jsonrpc, id }) => [jsonrpc, id]),
      [
        ['2.0', 1],
        ['2.0', 2],
      ],
    );
    assert.equal(status, 0, err);
    assert.match(err, /^MCP: .{1,300}\n$/);
  });

  test('ends with Ctrl+C', async () => {
    const child = program.start(['mcp', '--agent', `Writer=${agents.urls.Writer}`, '--allow-send', 'Writer']);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } } })}\n`,
    );
    child.stdout.once('data', () => child.kill('SIGINT'));
    assert.equal((await ended(child)).status, 130);
  });
});
