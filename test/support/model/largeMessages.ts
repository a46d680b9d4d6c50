const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const artifact = (part: object): string =>
  JSON.stringify({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [part] } } });
const data = (count: number): string =>
  artifact({ data: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])) });

/** Messages of many megabytes as the `result` of an event, by what there is so much of. */
export const largeMessages = {
  'a million members': () => data(1_000_000),
  'as many members as are read': () => data(190_000),
  'one text': () => artifact({ text: 'x'.repeat(13_000_000) }),
  'too many artifacts': () =>
    JSON.stringify({
      task: { ...task, artifacts: Array.from({ length: 45_000 }, (_, index) => ({ artifactId: `a${index}`, parts: [] })) },
    }),
} as const satisfies Record<string, () => string>;

export type LargeMessage = keyof typeof largeMessages;
