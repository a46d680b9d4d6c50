import { registerHooks } from 'node:module';

// Loaded into VS Code's server, and with that into its extension hosts, before anything else.

// The server's native modules are installed without their binaries. The two whose absence can be noticed have stand-ins: without the
// logger a log channel stays empty, without the watchdog an extension host outlives its server.
const standIns = new Map([
  ['@vscode/spdlog', './logger.cjs'],
  ['@vscode/native-watchdog', './watchdog.cjs'],
]);

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
