import * as assert from 'node:assert/strict';
import { foldedGraph } from '../../../src/model/taskGraph/foldedGraph.ts';
import { layersOf } from '../../../src/model/taskGraph/layers.ts';
import { nodeHeight, nodeWidth, type Picture, pictureOf } from '../../../src/model/taskGraph/layout.ts';
import { type GraphTask, graphOf, type TaskGraph } from '../../../src/model/taskGraph/taskGraph.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

/** Tasks in a line of words: `b<a,c` refers to a and c, `b!` works, `b?` waits, `b@` is of another context; all others are completed. */
function tasksOf(words: string): readonly GraphTask[] {
  return words
    .split(' ')
    .filter(Boolean)
    .map(word => {
      const [head = '', references = ''] = word.split('<');
      const mark = /[!?@]$/.exec(head)?.[0];
      const taskId = mark === undefined ? head : head.slice(0, -1);
      const state: TaskState = mark === '!' ? 'TASK_STATE_WORKING' : mark === '?' ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_COMPLETED';
      return { taskId, state, context: mark === '@' ? 'another' : 'this', references: references.split(',').filter(Boolean) };
    });
}
const net = (words: string): TaskGraph => graphOf(tasksOf(words));
const helsinki = 'flight hotel<flight snowmobile!<flight spa<hotel';
const edgesOf = ({ nodes, edges }: TaskGraph): string =>
  edges
    .map(({ from, to }) => `${nodes[from]?.taskId}>${nodes[to]?.taskId}`)
    .sort()
    .join(' ');
const row = (count: number, last = ''): string =>
  Array.from({ length: count }, (_, index) => `t${index}${index === count - 1 ? last : ''}${index === 0 ? '' : `<t${index - 1}`}`).join(
    ' ',
  );

suite('the net of tasks', () => {
  const nets: readonly (readonly [name: string, words: string, keys: string, edges: string])[] = [
    ['nothing', '', '', ''],
    ['Helsinki', helsinki, 'task:flight task:hotel task:snowmobile task:spa', 'flight>hotel flight>snowmobile hotel>spa'],
    ['a task that nobody knows is one node', 'a<x b<x', 'task:a task:b unknown:x', 'x>a x>b'],
    ['a task that refers to itself rests on nothing', 'a<a,a', 'task:a', ''],
    ['a reference said twice is one', 'a b<a,a', 'task:a task:b', 'a>b'],
    ['a circle stays', 'a<b b<a', 'task:a task:b', 'a>b b>a'],
    ['a task of another context', 'a<far far@', 'task:a task:far', 'far>a'],
    ['ids that are names of the language', '__proto__ constructor<__proto__', 'task:__proto__ task:constructor', '__proto__>constructor'],
  ];
  for (const [name, words, keys, edges] of nets) {
    test(name, () =>
      assert.deepEqual(
        [
          net(words)
            .nodes.map(({ key }) => key)
            .join(' '),
          edgesOf(net(words)),
        ],
        [keys, edges],
      ),
    );
  }

  test('of ever more unknown tasks some are shown, and the others counted', () => {
    const { nodes, left } = graphOf([{ ...tasksOf('a')[0]!, references: Array.from({ length: 100 }, (_, index) => `x${index}`) }]);
    assert.deepEqual([nodes.length, left], [41, 60]);
  });
});

suite('the net of tasks: finished tasks are taken together', () => {
  /** How many nodes may be left, and what is left: those taken together in parentheses. */
  const folds: readonly (readonly [name: string, words: string, limit: number, left: string, edges: string, unfolded?: string])[] = [
    ['not while there is room', row(5), 5, 't0 t1 t2 t3 t4', 't0>t1 t1>t2 t2>t3 t3>t4'],
    ['a row, the oldest, no more than needed', row(6, '!'), 4, '(t0 t1 t2) t3 t4 t5', 't0>t3 t3>t4 t4>t5'],
    [
      'a row that is wider than the panel, while there is room, too',
      row(9),
      40,
      '(t0 t1 t2 t3) t4 t5 t6 t7 t8',
      't0>t4 t4>t5 t5>t6 t6>t7 t7>t8',
    ],
    ['what works or waits stays', 'a b!<a c?<b d<c', 1, 'a b c d', 'a>b b>c c>d'],
    ['tasks without references', 'a b c d! e', 2, '(a b c e) d', ''],
    ['what rests on the same', 'a b<a c<a d<a e!', 3, 'a (b c d) e', 'a>b'],
    ['a diamond becomes one in steps', 'a b<a c<a d<b,c e!', 2, '(a b c d) e', ''],
    ['a circle stays', 'a<b b<a', 1, 'a b', 'a>b b>a'],
    ['what the person has unfolded stays', 'a b c d', 1, 'a b (c d)', '', 'a b'],
    ['tasks of another context and unknown ones stay', 'a<far,near,x,y far@ near@', 1, 'a far near x y', 'far>a near>a x>a y>a'],
  ];
  for (const [name, words, limit, left, edges, unfolded = ''] of folds) {
    test(name, () => {
      const folded = foldedGraph(net(words), limit, ({ taskId, context }) => context !== 'this' || unfolded.split(' ').includes(taskId));
      const shown = folded.nodes.map(({ tasks, taskId }) => (tasks.length > 1 ? `(${tasks.map(task => task.taskId).join(' ')})` : taskId));
      assert.deepEqual([shown.join(' '), edgesOf(folded)], [left, edges]);
    });
  }

  test('hundreds of tasks of any shape stay few, and none is lost', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const shapes: Readonly<Record<string, (index: number) => readonly number[]>> = {
      row: index => [index - 1],
      fan: () => [0],
      loose: () => [],
      tree: index => [Math.floor((index - 1) / 2)],
      any: () => (random(3) === 0 ? [] : [random(500), random(500)]),
    };
    for (const [name, shape] of Object.entries(shapes)) {
      const tasks = Array.from({ length: 500 }, (_, index) => ({
        ...tasksOf('t')[0]!,
        taskId: `t${index}`,
        references: index === 0 ? [] : shape(index).map(other => `t${other}`),
      }));
      const folded = foldedGraph(graphOf(tasks), 40, () => false);
      assert.deepEqual(new Set(folded.nodes.flatMap(node => node.tasks.map(({ taskId }) => taskId))).size, 500, name);
      if (name !== 'any') assert.ok(folded.nodes.length <= 40, `${name}: ${folded.nodes.length}`);
      const { places } = pictureOf(folded);
      assert.ok(places.length === folded.nodes.length && places.every(({ x, y }) => x >= 0 && y >= 0), name);
    }
  });
});

suite('the picture of tasks', () => {
  const layers: readonly (readonly [name: string, words: string, layer: string, backward: string])[] = [
    ['Helsinki', helsinki, '0 1 1 2', ''],
    ['right of everything it rests on', 'a b<a c<a,b', '0 1 2', ''],
    ['what rests on nothing stands next to what rests on it', 'a b<a c<b,x', '0 1 2 1', ''],
    ['a circle of two', 'a<b b<a', '0 1', 'b>a'],
    ['a circle in a row', 'a b<a,d c<b d<c e<d', '0 1 2 3 4', 'd>b'],
    ['two circles', 'a<b b<a,c c<b', '0 1 2', 'b>a c>b'],
  ];
  for (const [name, words, layer, backward] of layers) {
    test(`layers: ${name}`, () => {
      const { nodes, edges } = net(words);
      const found = layersOf(nodes.length, edges);
      assert.equal(found.layer.join(' '), layer);
      assert.equal(edgesOf({ nodes, edges: edges.filter((_, index) => found.backward.has(index)), left: 0 }), backward);
    });
  }

  const column = ({ places }: Picture, place: number): number => Math.round((places[place]?.x ?? 0) / nodeWidth);
  const overlaps = ({ places }: Picture): boolean =>
    places.some((a, at) => places.some((b, other) => other > at && Math.abs(a.x - b.x) < nodeWidth && Math.abs(a.y - b.y) < nodeHeight));
  const pictures = [
    helsinki,
    row(12),
    'a b c d e',
    'a b<a c<a d<b,c',
    'a<b b<a',
    'a x b<a y<x c<a,b z<x,y',
    'a b<a c<a d<a e<a f<b,c,d,e',
    'a<q b<q c d<a,c',
  ];
  for (const words of pictures) {
    test(`nothing lies on something else: ${words.slice(0, 60)}`, () => {
      const picture = pictureOf(net(words));
      assert.equal(overlaps(picture), false);
      assert.ok(
        picture.places.every(({ x, y }) => x >= 0 && y >= 0 && x + nodeWidth <= picture.width && y + nodeHeight <= picture.height),
        JSON.stringify(picture),
      );
      assert.equal(picture.lines.length, net(words).edges.length);
      assert.deepEqual(
        picture.lines.filter(({ d }) => /NaN|undefined|Infinity/.test(d)),
        [],
      );
    });
  }

  test('Helsinki: hotel and snowmobile beside each other, the spa in line with the hotel, the flight between', () => {
    const picture = pictureOf(net(helsinki));
    assert.deepEqual(
      picture.places.map((_, place) => column(picture, place)),
      [0, 1, 1, 2],
    );
    const [flight, hotel, snowmobile, spa] = picture.places.map(({ y }) => y) as [number, number, number, number];
    assert.ok(hotel < flight && flight < snowmobile && Math.abs(spa - hotel) < nodeHeight / 2, picture.places.map(({ y }) => y).join(' '));
  });

  test('an edge over several columns goes around what stands between', () => {
    const words = 'a b<a c<b d<c,a';
    const picture = pictureOf(net(words));
    const long = picture.lines.find(({ from, to }) => from === 0 && to === 3)!;
    const lanes = [...long.d.matchAll(/ (\d+)H/g)].map(([, y]) => Number(y));
    assert.equal(lanes.length, 2);
    for (const place of [1, 2])
      assert.ok(
        lanes.every(y => y < picture.places[place]!.y || y > picture.places[place]!.y + nodeHeight),
        long.d,
      );
  });

  test('edges of a picture without crossings do not cross', () => {
    const picture = pictureOf(net('a b<a c<a d<c e<b f<c g<b'));
    const ys = (from: number, to: number): [number, number] => [picture.places[from]!.y, picture.places[to]!.y];
    const crossings = picture.lines.flatMap((one, at) =>
      picture.lines.slice(at + 1).filter(other => {
        if (column(picture, one.from) !== column(picture, other.from)) return false;
        const [[a, b], [c, d]] = [ys(one.from, one.to), ys(other.from, other.to)];
        return (a - c) * (b - d) < 0;
      }),
    );
    assert.deepEqual(crossings, []);
  });
});
