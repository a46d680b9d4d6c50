/** Ending of the names of recordings. Alone here, since menus need it before anything is recorded. */
export const recordingSuffix = '.a2a-recording.jsonl';
