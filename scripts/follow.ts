import { open } from 'node:fs/promises';

/** Prints what another process writes to a file, as it grows; the file may not exist yet. */
export function follow(path: string): { stop(): Promise<void> } {
  let position = 0;
  let reading = Promise.resolve();
  const read = async (): Promise<void> => {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (file === undefined) return;
    try {
      const { size } = await file.stat();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.max(0, size - position)), { position });
      position += bytesRead;
      process.stdout.write(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  };
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, 250);
  return {
    async stop() {
      clearInterval(timer);
      await reading;
      await read();
    },
  };
}
