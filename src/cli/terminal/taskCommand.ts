/** A command about a task, as a person can paste it into a shell: an agent chooses its ids. */
export const taskCommand = (name: 'get' | 'subscribe', agent = 'URL', taskId: string): string =>
  ['a2a task', name, shellWord(agent), shellWord(taskId)].join(' ');

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
