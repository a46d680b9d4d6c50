import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { RemoteListings } from '../../../src/model/contexts/remoteListings.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';
import { startWorld, task, taskOf, until, type Window, type World } from '../../support/model/world.ts';

const pageSize = 3;
const many = (count: number): Task[] =>
  Array.from({ length: count }, (_, index) =>
    taskOf('COMPLETED', {
      id: `t${index}`,
      contextId: `c${index}`,
      history: [{ messageId: `m${index}`, role: 'ROLE_USER', parts: [{ text: `Question ${index}` }] }],
    }),
  );

/** An agent with these tasks, three a page; a token is the place in the list. */
const lists = (tasks: readonly Task[], tokenOf = (next: number): string => (next < tasks.length ? String(next) : '')): Script => ({
  ListTasks: ({ params }: ReceivedRequest<'ListTasks'>): Step[] => {
    const from = Number(params?.pageToken ?? 0);
    const page = tasks.slice(from, from + pageSize);
    return [{ answer: { tasks: page, nextPageToken: tokenOf(from + pageSize), pageSize, totalSize: tasks.length } }];
  },
  SendStreamingMessage: [task('COMPLETED', { id: 't0', contextId: 'c0' })],
});

suite('the tasks that an agent lists', () => {
  let world: World;
  let window: Window;
  let listings: RemoteListings;
  let log: WireRecording;
  async function begin(script: Script, generation: '1.0' | '0.3' | '0.1' = '1.0'): Promise<void> {
    world = await startWorld({ version: generation, script });
    open();
    await window.agents.get('Ann')?.check();
  }
  function open(): void {
    window = world.open();
    const { contexts, agents } = window;
    log = new WireRecording();
    listings = new RemoteListings({
      contexts,
      agentOf: name => agents.get(name),
      onDidRestart: agents.onDidRestart,
      log,
      onError: error => assert.fail(String(error)),
    });
  }
  teardown(async () => {
    listings.dispose();
    await world.close();
  });
  const listed = (): Promise<void> => until(() => !['listing', undefined].includes(listings.of('Ann')?.state));
  const asked = (): number => world.agent.requests.filter(({ operation }) => operation === 'ListTasks').length;

  test('are counted once each, and end with a page that has no other ones', async () => {
    await begin({
      ListTasks: ({ params }: ReceivedRequest<'ListTasks'>): Step[] => [
        { answer: { tasks: many(3), nextPageToken: String(Number(params?.pageToken ?? 0) + 1), pageSize, totalSize: 1000 } },
      ],
    });
    await listings.refresh('Ann');
    assert.deepEqual([listings.of('Ann')?.tasks, listings.of('Ann')?.more, listings.of('Ann')?.fault, asked()], [3, false, 'known', 2]);
  });

  for (const [what, token, tasks, wanted] of [
    ['the same tasks', (page: number) => String(page + 1), () => many(3), ['LIST-05 /tasks']],
    ['the same token', () => '7', (page: number) => many(page + 3), ['LIST-05 /nextPageToken']],
    ['no tasks', () => '7', () => [], []],
  ] as const)
    test(`of a page with ${what} and one more page, the exchange ${wanted.length === 0 ? 'has no finding' : 'has a finding'}`, async () => {
      let page = 0;
      await begin({
        ListTasks: (): Step[] => [{ answer: { tasks: tasks(page), nextPageToken: token(page++), pageSize: 50, totalSize: 1000 } }],
      });
      await listings.refresh('Ann');
      const { findings } = log.exchanges.at(-1)!;
      assert.deepEqual(
        findings.filter(({ rule }) => rule === 'LIST-05').map(({ rule, pointer }) => `${rule} ${pointer}`),
        wanted,
      );
    });

  test('are asked for once more after a restart, if they were before', async () => {
    let tasks = many(1);
    await begin({ ListTasks: (): Step[] => [{ answer: { tasks, nextPageToken: '', pageSize, totalSize: tasks.length } }] });
    const agent = window.agents.get('Ann')!;
    const restart = async (): Promise<void> => {
      agent.expectRestart();
      await agent.check();
    };
    await restart();
    assert.deepEqual([listings.of('Ann'), asked()], [undefined, 0]);
    await listings.refresh('Ann');
    assert.equal(listings.of('Ann')?.tasks, 1);
    tasks = [];
    await restart();
    await until(() => listings.of('Ann')?.tasks === 0 && listings.of('Ann')?.state === 'listed');
    await agent.check();
    assert.equal(asked(), 2);
  });

  test('whose number changes from page to page: the exchange has a finding, and what was listed is counted', async () => {
    let page = 0;
    await begin({
      ListTasks: (): Step[] => {
        const from = page++ * pageSize;
        return [
          {
            answer: {
              tasks: many(7).slice(from, from + pageSize),
              nextPageToken: page < 3 ? String(page) : '',
              pageSize,
              totalSize: 7 + page,
            },
          },
        ];
      },
    });
    await listings.refresh('Ann');
    const { tasks, reported } = listings.of('Ann')!;
    assert.deepEqual([tasks, reported], [7, 10]);
    const told = log.exchanges.map(({ findings }) => findings.filter(({ rule }) => rule === 'LIST-07').map(({ message }) => message));
    assert.deepEqual(
      told.filter(each => each.length > 0),
      [['totalSize is 9; on the page before it was 8.'], ['totalSize is 10; on the page before it was 9.']],
    );
    page = 0;
    await listings.refresh('Ann');
    assert.equal(listings.of('Ann')?.tasks, 7);
  });

  test('come into the history page by page, five at a time, and the rest when it is asked for', async () => {
    await begin(lists(many(20)));
    const told: string[] = [];
    listings.onDidChange(name => {
      told.push(name);
    });
    assert.equal(listings.of('Ann'), undefined);
    listings.want('Ann');
    assert.equal(listings.of('Ann')?.state, 'listing', 'returns before the agent answers');
    await listed();
    assert.deepEqual([listings.of('Ann')?.tasks, listings.of('Ann')?.more, asked()], [15, true, 5]);
    await listings.more('Ann');
    assert.deepEqual([listings.of('Ann')?.tasks, listings.of('Ann')?.more, asked()], [20, false, 7]);
    await listings.more('Ann');
    assert.equal(asked(), 7);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, 20);
    assert.deepEqual(new Set(told), new Set(['Ann']));
  });

  test('stand with the test runs where a check made them, listed before or after, and those of the person stay', async () => {
    const waits = taskOf('INPUT_REQUIRED', { id: 't9', contextId: 'c9' });
    await begin(lists([...many(2), waits]));
    const { contexts } = window;
    await contexts.create('Ann').send({ parts: [{ text: 'mine' }], target: 'new-task' }).done;
    contexts.noteTestRun('Ann', 'c9');
    await listings.refresh('Ann');
    const ids = (isTest: boolean): ReadonlySet<string | undefined> =>
      new Set(contexts.page({ agent: 'Ann', madeBy: isTest ? ['test'] : ['person', 'agent'] }).items.map(({ contextId }) => contextId));
    assert.deepEqual([ids(false), ids(true), contexts.waiting], [new Set(['c0', 'c1']), new Set(['c9']), 0]);
    contexts.noteTestRun('Ann', 'c1');
    contexts.noteTestRun('Ann', 'c0');
    assert.deepEqual([ids(false), ids(true)], [new Set(['c0']), new Set(['c1', 'c9'])]);
  });

  test('are there once, whether they were sent from here or not, after a restart as well', async () => {
    await begin(lists(many(2)));
    await window.contexts.create('Ann').send({ parts: [{ text: 'mine' }], target: 'new-task' }).done;
    const shown = (): unknown =>
      window.contexts
        .page({ agent: 'Ann' })
        .items.map(({ title, remoteOnly }) => [title, remoteOnly])
        .sort((one, two) => String(one[0]).localeCompare(String(two[0])));
    await listings.refresh('Ann');
    const once = [
      ['mine', undefined],
      ['Question 1', true],
    ];
    assert.deepEqual(shown(), once);
    assert.deepEqual(
      window.contexts.history
        .tasks()
        .map(({ taskId, remoteOnly }) => [taskId, remoteOnly])
        .reverse(),
      [
        ['t0', undefined],
        ['t1', true],
      ],
    );
    listings.dispose();
    window.close();
    open();
    await window.agents.get('Ann')?.check();
    await listings.refresh('Ann');
    assert.deepEqual(shown(), once);
  });

  test('what the agent is asked about one of them makes it one of ours', async () => {
    await begin({
      ...lists(many(1)),
      GetTask: [
        {
          answer: taskOf('COMPLETED', {
            id: 't0',
            contextId: 'c0',
            history: [{ messageId: 'n', role: 'ROLE_AGENT', parts: [{ text: 'more' }] }],
          }),
        },
      ],
    });
    await listings.refresh('Ann');
    const context = window.contexts.forTask('Ann', 't0');
    await context?.refreshTask('t0');
    await until(() => window.contexts.history.tasks()[0]?.remoteOnly === undefined);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items[0]?.remoteOnly, undefined);
  });

  test('an agent that gives the same token for ever is asked no further', async () => {
    await begin(lists(many(3), () => '0'));
    await listings.refresh('Ann');
    await listings.more('Ann');
    assert.deepEqual([listings.of('Ann')?.more, asked()], [false, 2]);
  });

  const failures: readonly (readonly [what: string, script: Script, generation: '1.0' | '0.3' | '0.1', state: string, requests: number])[] =
    [
      ['an agent without the operation', {}, '1.0', 'unsupported', 1],
      ['an agent of a version that does not specify the operation', {}, '0.3', 'unsupported', 1],
      ['a version without the operation', {}, '0.1', 'unsupported', 0],
      ['an error', { ListTasks: [{ error: { code: -32603, message: 'broken' } }] }, '1.0', 'failed', 1],
      ['an answer without a result', { ListTasks: [{ json: { ok: true } }] }, '1.0', 'failed', 1],
      ['no answer', { ListTasks: [{ reset: true }] }, '1.0', 'failed', 1],
    ];
  for (const [what, script, generation, state, requests] of failures) {
    test(`${what} is kept to be shown, and asked once`, async () => {
      await begin(script, generation);
      listings.want('Ann');
      await listed();
      listings.want('Ann');
      listings.want('Ann', { again: true });
      assert.equal(listings.of('Ann')?.state, state);
      assert.ok(listings.of('Ann')?.problem !== undefined);
      assert.equal(world.agent.requests.filter(({ method }) => method === 'POST').length, requests);
    });
  }

  test('with other credentials a list under way is waited for and asked for once more, else it is asked for once', async () => {
    await begin(lists(many(1)));
    listings.want('Ann');
    await Promise.all([listings.refresh('Ann'), listings.refresh('Ann', { anew: true })]);
    assert.deepEqual([listings.of('Ann')?.state, asked()], ['listed', 2]);
  });

  test('an agent whose settings changed is a new one', async () => {
    await begin(lists(many(1)));
    await listings.refresh('Ann');
    window.agents.configure({ Ann: { url: world.agent.url, headers: { 'x-a': 'b' } } });
    assert.equal(listings.of('Ann'), undefined);
    listings.want('Ann');
    assert.equal(listings.of('Ann'), undefined, 'nobody knows yet whether it answers');
  });

  test('a task list under a filter has what fits, and a context that goes by the text itself has all', async () => {
    await begin(lists([...many(3).map(one => ({ ...one, contextId: 'c' })), taskOf('FAILED', { id: 'f', contextId: 'c' })]));
    await listings.refresh('Ann');
    const key = window.contexts.page({ agent: 'Ann' }).items[0]?.key ?? '';
    const ids = (filter: Parameters<typeof window.contexts.history.tasksOf>[1]): string[] =>
      window.contexts.history
        .tasksOf(key, filter)
        .map(({ taskId }) => taskId)
        .sort();
    assert.deepEqual(ids({ states: ['TASK_STATE_FAILED'] }), ['f']);
    assert.deepEqual(ids({ text: 'QUESTION 2' }), ['t2']);
    assert.deepEqual(ids({ text: 'elsewhere' }), ['f', 't0', 't1', 't2']);
    assert.deepEqual(ids({ since: Date.now() + 1000 }), []);
  });

  test('credentials are in no export, also not in one with what went over the wire', async () => {
    await begin(lists(many(1)));
    window.agents.configure({ Ann: { url: world.agent.url, headers: { Authorization: 'Bearer hunter2', 'X-Api-Key': 'swordfish' } } });
    await window.contexts.create('Ann').send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
    assert.match(JSON.stringify(world.agent.requests.map(({ headers }) => headers)), /hunter2.*swordfish|swordfish.*hunter2/);
    const { history } = window.contexts;
    const lines = [...history.exportLines(undefined, { wire: true })].join('');
    assert.match(lines, /x-api-key/i);
    const pieces = await Promise.all(window.contexts.page({ agent: 'Ann' }).items.map(({ key }) => history.markdown({ context: key })));
    const markdown = pieces.map(each => [...each].join('')).join('');
    assert.doesNotMatch(lines + markdown, /hunter2|swordfish/);
  });
});
