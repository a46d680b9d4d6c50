// What VS Code uses of @vscode/native-watchdog: ends this process when the one with the given id is gone.
/** @param {number} pid */
exports.start = pid => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  }, 1_000).unref();
};
