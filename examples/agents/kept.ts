import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startSampleAgents } from './sampleAgents.ts';

/*
 * The sample agents in a process of their own, for the extension. Its host ends whenever the window is loaded anew, and the agents shall
 * still have their tasks afterwards. Sends its parent `{ agents, port, token }` or `{ error }` once. Who connects to the port on loopback
 * and writes the token as a line is answered `{ agents }` in a line and keeps the agents for as long as the connection lasts; the line
 * "stop" ends them at once. They end by themselves when nobody has kept them for so many milliseconds: the first argument, 60,000
 * where it is left out.
 */
const graceMs = Number(process.argv[2] ?? 60_000);
/** Longest line that is read; tokens are shorter. */
const maxLineLength = 200;

async function run(): Promise<void> {
  const { agents, stop } = await startSampleAgents();
  const token = randomBytes(24).toString('base64url');
  const keepers = new Set<Socket>();
  let alone: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    clearTimeout(alone);
    for (const keeper of keepers) keeper.destroy();
    await stop().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    process.exit(0);
  };
  const waitAlone = (): void => {
    clearTimeout(alone);
    if (keepers.size === 0) alone = setTimeout(() => void end(), graceMs);
  };
  const take = (line: string, socket: Socket): void => {
    if (keepers.has(socket)) {
      if (line === 'stop') void end();
    } else if (line === token) {
      keepers.add(socket);
      clearTimeout(alone);
      socket.write(`${JSON.stringify({ agents })}\n`);
    } else socket.destroy();
  };

  const server = createServer(socket => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
        take(text.slice(0, at), socket);
        if (socket.destroyed) return;
        text = text.slice(at + 1);
      }
      if (text.length > maxLineLength) socket.destroy();
    });
    // A keeper that is killed resets its connection: 'close' follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (keepers.delete(socket)) waitAlone();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A connection that cannot be accepted ends nothing; nor does a parent that is gone: then nobody keeps the agents.
  server.on('error', error => process.stderr.write(`${error.stack}\n`));
  waitAlone();
  process.send?.({ agents, port: (server.address() as AddressInfo).port, token }, () => {});
}

// No top-level await: the bundle is CommonJS.
run().catch((error: unknown) => {
  const told = { error: error instanceof Error ? error.stack ?? error.message : String(error) };
  if (process.send === undefined) process.exit(1);
  process.send(told, () => process.exit(1));
});
