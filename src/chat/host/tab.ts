/** What the panel shows of its context: what was said, what depends on what, or what went over the wire. */
export type Tab = 'chat' | 'tasks' | 'wire';
