import { createRequire, registerHooks } from 'node:module';

// Loaded into VS Code's server, and with that into its extension hosts, before anything else.

// The server's native modules are installed without their binaries. The two whose absence can be noticed have stand-ins: without the
// logger a log channel stays empty, without the watchdog an extension host outlives its server.
const standIns = new Map([
  ['@vscode/spdlog', './logger.cjs'],
  ['@vscode/native-watchdog', './watchdog.cjs'],
]);

// The extension hosts of VS Code 1.105, which run on Node 22, have hooks in another thread: theirs and ours would wait for each other for ever. Their
// log channels stay empty, and what they say of the missing watchdog is one line in the log.
const isOldExtensionHost = process.argv.includes('--type=extensionHost') && process.versions.node.startsWith('22.');

if (isOldExtensionHost) createRequire(import.meta.url)('./watchdog.cjs').start(process.ppid);
else
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const standIn = standIns.get(specifier);
      return standIn === undefined ? nextResolve(specifier, context) : { url: new URL(standIn, import.meta.url).href, shortCircuit: true };
    },
  });

// The server's standard input is a pipe from the process that started it, so the end of that pipe means that process is gone, however
// it ended; the server and the processes it started (they share its group) then go too.
if (process.argv[1]?.endsWith('server-main.js') && !process.argv.includes('--install-extension')) {
  const end = () => {
    if (process.platform === 'win32') process.exit(0);
    process.kill(-process.pid, 'SIGKILL');
  };
  process.stdin.on('end', end);
  process.stdin.on('error', end);
  process.stdin.resume();
}
