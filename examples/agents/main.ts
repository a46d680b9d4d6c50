import { parseArgs } from 'node:util';
import { readFault, type ChosenFault } from '../../src/mock/chosenFault.ts';
import { FaultRelay } from '../../src/model/mocks/faultRelay.ts';
import { startSampleAgents } from './sampleAgents.ts';

const usage = `Usage: main.ts [--port PORT] [--fault NAME[=VALUE]]…
Starts the sample agents on loopback, the first on PORT and the others on the ports after it, or all on free ports.
With --fault, they misbehave: "a2a help serve" lists the ways.
Prints one line of JSON, {"agents":[{"name","url"}]}, when they are ready. Ends when its standard input closes.
`;

interface Options {
  readonly basePort: number | undefined;
  readonly faults: readonly ChosenFault[];
}

function optionsGiven(): Options {
  const { port, fault = [] } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string', multiple: true } } }).values;
  const faults = fault.map(readFault);
  if (port === undefined) return { basePort: undefined, faults };
  // Five agents need five ports.
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_531) throw new Error(`--port ${port}: a number from 1 to 65531 is needed.`);
  return { basePort: Number(port), faults };
}

/** Starts the sample agents; where they have faults, each behind a relay. */
async function startAgents({ basePort, faults }: Options): ReturnType<typeof startSampleAgents> {
  if (faults.length === 0) return startSampleAgents({ basePort });
  const behind = await startSampleAgents();
  const relays = behind.agents.map(({ url }) => new FaultRelay(url, error => process.stderr.write(`${String(error)}\n`)));
  const agents = await Promise.all(
    relays.map(async (relay, at) => {
      relay.faults.choose(faults);
      return { name: behind.agents[at]!.name, url: await relay.start(basePort === undefined ? 0 : basePort + at) };
    }),
  );
  return {
    agents,
    stop: async () => {
      await Promise.all(relays.map(relay => relay.stop()));
      await behind.stop();
    },
  };
}

let given: Options;
try {
  given = optionsGiven();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exit(2);
}

const { agents, stop } = await startAgents(given).catch((error: Error) => {
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
