import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildProduct } from './build.ts';
import { desktopUnavailable, startDesktop } from './desktopVscode.ts';
import { printFailure } from './failure.ts';
import { startAgentProcess } from './sampleAgentProcess.ts';
import { readStartOptions, startUsage } from './startOptions.ts';
import { startVscodeServer } from './vscodeServer.ts';

// Runs the product for a person: builds it, starts the sample agents and opens VS Code with the extension on the example workspace. The
// desktop's own VS Code where there is one, else VS Code's server, whose address it prints. Ctrl+C ends all of it.
//
//     npm start -- [--server] [--port N]      --server: not the desktop's VS Code; --port: the server's

const root = join(import.meta.dirname, '..');
const workspace = join(root, 'examples', 'workspace');

interface Part {
  /** Resolves with a sentence when the part ends unexpectedly. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const temporary = await mkdtemp(join(tmpdir(), 'a2a-start-'));
const parts: Part[] = [];
/** Resolves with the exit code. */
const end = Promise.withResolvers<number>();
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end.resolve(0));

start().catch(error => {
  printFailure(error);
  end.resolve(1);
});
const code = await end.promise;
ending = true;
for (const part of parts.reverse()) await part.stop();
await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
process.exit(code);

async function start(): Promise<void> {
  const options = readStartOptions(process.argv.slice(2));
  if (options.help) {
    console.log(startUsage);
    end.resolve(0);
    return;
  }
  console.log('Building …');
  await buildProduct();
  console.log('Starting the sample agents …');
  const agents = await startAgentProcess();
  add(agents);
  for (const { name, url } of agents.agents) console.log(`  ${name.padEnd(12)} ${url}`);
  const settings = { 'a2a.agents': Object.fromEntries(agents.agents.map(({ name, url }) => [name, { url }])) };
  const reason = options.server ? 'asked for' : await desktopUnavailable();
  if (reason === undefined) {
    console.log('Opening VS Code. Closing its window, or Ctrl+C here, ends everything.');
    add(await startDesktop({ userDataDir: join(temporary, 'user-data'), settings, extension: root, folder: workspace }));
    return;
  }
  console.log(`Starting VS Code's server (${reason}) …`);
  const server = await startVscodeServer({
    userDataDir: join(temporary, 'user-data'),
    extensionsDir: join(temporary, 'extensions'),
    settings,
    extension: root,
    port: options.port,
  });
  add({ ended: server.ended.then(() => `VS Code's server has ended:\n${server.log().slice(-2_000)}`), stop: () => server.stop() });
  console.log(
    `\nOpen this address in a browser (Chrome, Edge or Chromium are best):\n\n  ${server.url}?folder=${pathToFileURL(workspace).pathname}\n\nCtrl+C ends everything.`,
  );
}

function add(part: Part): void {
  parts.push(part);
  void part.ended.then(why => {
    if (ending) return;
    if (why !== '') console.log(why);
    end.resolve(why === '' ? 0 : 1);
  });
}
