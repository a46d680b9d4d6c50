import { DatabaseSync } from 'node:sqlite';

/** Another program that keeps the history to itself. Arguments: the history, for how many milliseconds. Sends `held`, then `free`. */
const [path = '', ms = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 10_000 });
database.exec('BEGIN EXCLUSIVE');
process.send?.('held');
setTimeout(() => {
  database.exec('ROLLBACK');
  process.send?.('free', () => database.close());
  process.disconnect();
}, Number(ms));
