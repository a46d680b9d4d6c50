import { parseArgs } from 'node:util';
import { startSampleAgents } from './sampleAgents.ts';

const usage = `Usage: main.ts [--port PORT]
Starts the sample agents on loopback, the first on PORT and the others on the ports after it, or all on free ports.
Prints one line of JSON, {"agents":[{"name","url"}]}, when they are ready. Ends when its standard input closes.
`;

function basePort(): number | undefined {
  const { port } = parseArgs({ options: { port: { type: 'string' } } }).values;
  if (port === undefined) return undefined;
  // Five agents need five ports.
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_531) throw new Error(`--port ${port}: a number from 1 to 65531 is needed.`);
  return Number(port);
}

let base: number | undefined;
try {
  base = basePort();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exit(2);
}

const { agents, stop } = await startSampleAgents({ basePort: base }).catch((error: Error) => {
  process.stderr.write(`The sample agents cannot start: ${error.message}\n`);
  process.exit(3);
});

let stopping = false;
async function end(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await stop();
  process.exit(0);
}
process.on('SIGTERM', () => void end());
process.on('SIGINT', () => void end());
// Whoever started this holds the other end of standard input: when it dies, however it dies, the agents go too.
process.stdin.on('close', () => void end());
process.stdin.on('end', () => void end());
process.stdin.resume();

process.stdout.write(`${JSON.stringify({ agents })}\n`);
