import { memberOf, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import type { Located, TextRange } from '../text/textRange.ts';
import type { RequestEntry } from './requestEntry.ts';

/** Where one of the combinations of `matrix` goes. */
export interface MatrixTarget {
  /** For people: the agent and the interface as they are written. */
  readonly label: string;
  readonly agent?: Located<string>;
  /** Text or an object, as under `interface`. */
  readonly interface?: JsonNode;
  readonly range: TextRange;
}

type Entry = Pick<RequestEntry, 'members'>;

interface Matrix {
  readonly agents: readonly Located<string>[];
  readonly interfaces: readonly JsonNode[];
}

/** Cached: each reference to a request asks how often it is sent. Trees are never changed. */
const read = new WeakMap<JsonNode, Matrix>();
const noMatrix: Matrix = { agents: [], interfaces: [] };

function matrixOf({ members }: Entry): Matrix {
  const node = members.get('matrix')?.value;
  if (node === undefined) return noMatrix;
  const known = read.get(node) ?? {
    agents: textsOf(itemsOf(node, 'agent')),
    interfaces: itemsOf(node, 'interface').filter(({ type }) => type === 'string' || type === 'object'),
  };
  read.set(node, known);
  return known;
}

const itemsOf = (matrix: JsonNode, name: 'agent' | 'interface'): readonly JsonNode[] => {
  const node = memberOf(matrix, name)?.value;
  return node?.type === 'array' ? (node.children ?? []) : [];
};

const textsOf = (nodes: readonly JsonNode[]): readonly Located<string>[] =>
  nodes.flatMap(node => (node.type === 'string' && node.value !== '' ? [{ value: String(node.value), range: rangeOf(node) }] : []));

/** The agents of `matrix`, in its order. */
export const matrixAgents = (entry: Entry): readonly Located<string>[] => matrixOf(entry).agents;

/** The interfaces of `matrix`, in its order. */
export const matrixInterfaces = (entry: Entry): readonly JsonNode[] => matrixOf(entry).interfaces;

/** How many combinations `matrix` has, none of which is made; 0 where the request has none. */
export function matrixCount(entry: Entry): number {
  const { agents, interfaces } = matrixOf(entry);
  return agents.length + interfaces.length === 0 ? 0 : Math.max(1, agents.length) * Math.max(1, interfaces.length);
}

/** The combinations of `matrix`, by agent, then by interface, each made when it is asked for. */
export function* matrixTargets(entry: Entry): Generator<MatrixTarget, void> {
  if (matrixCount(entry) === 0) return;
  const { agents, interfaces } = matrixOf(entry);
  const labels: string[] = [];
  for (const agent of agents.length === 0 ? [undefined] : agents)
    for (const [index, wanted] of (interfaces.length === 0 ? [undefined] : interfaces).entries())
      yield {
        label: [agent && brief(agent.value), wanted && (labels[index] ??= brief(interfaceLabel(wanted)))].filter(Boolean).join(' · '),
        range: wanted === undefined ? agent!.range : rangeOf(wanted),
        ...(agent !== undefined && { agent }),
        ...(wanted !== undefined && { interface: wanted }),
      };
}

const interfaceLabel = (node: JsonNode): string => {
  const value = valueOf(node);
  return typeof value === 'string' ? value : Object.values(value as object).join(' ');
};

/** In UTF-16 code units. A label of each combination has it. */
const maxNameLength = 200;

const brief = (text: string): string => (text.length > maxNameLength ? `${text.slice(0, maxNameLength - 1)}…` : text);

/** Every agent that a request may go to, as it is written. */
export const agentsOf = (entry: Entry & Pick<RequestEntry, 'agent'>): readonly Located<string>[] => {
  const ofMatrix = matrixAgents(entry);
  return ofMatrix.length > 0 || entry.agent === undefined ? ofMatrix : [entry.agent];
};
