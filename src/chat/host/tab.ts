/** The tabs of the panel: conversation, graph of tasks, and exchanges on the wire. */
export type Tab = 'chat' | 'tasks' | 'wire';
