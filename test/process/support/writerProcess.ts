import { readSync, writeSync } from 'node:fs';
import { openStore } from '../../../src/store/openStore.ts';

/**
 * Appends numbered chunks to an artifact of its own, one transaction each, and tells each number once it is committed.
 * Arguments: history, context, task, how many. Says `ready` and begins when a byte comes on its standard input.
 */
const [path = '', context = '', taskId = '', count = ''] = process.argv.slice(2);
const store = openStore(path, { busyTimeoutMs: 5_000 });
const owner = `writer of ${taskId}`;
const at = Date.now();
store.leases.enter(owner, { at });
store.leases.claim(context, taskId, owner, { at, force: true });
let next = store.taskDocument(context, taskId)?.task.artifacts?.[0]?.parts.length ?? 0;
writeSync(1, 'ready\n');
readSync(0, Buffer.alloc(1));
for (const end = next + Number(count); next < end; next++) {
  store.record(context, [{ kind: 'append', taskId, artifactId: 'a', parts: [{ data: next }], complete: false }], {
    at: Date.now(),
    owner,
    follow: true,
  });
  writeSync(1, `${next}\n`);
}
store.close();
