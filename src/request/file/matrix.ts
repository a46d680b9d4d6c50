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

const itemsOf = ({ members }: Entry, name: 'agent' | 'interface'): readonly JsonNode[] => {
  const node = memberOf(members.get('matrix')?.value, name)?.value;
  return node?.type === 'array' ? (node.children ?? []) : [];
};

const textsOf = (nodes: readonly JsonNode[]): readonly Located<string>[] =>
  nodes.flatMap(node => (node.type === 'string' && node.value !== '' ? [{ value: String(node.value), range: rangeOf(node) }] : []));

/** The agents of `matrix`, in its order. */
export const matrixAgents = (entry: Entry): readonly Located<string>[] => textsOf(itemsOf(entry, 'agent'));

/** The interfaces of `matrix`, in its order. */
export const matrixInterfaces = (entry: Entry): readonly JsonNode[] =>
  itemsOf(entry, 'interface').filter(({ type }) => type === 'string' || type === 'object');

/** All combinations of `matrix`: by agent, then by interface. Undefined where the request has none. */
export function matrixTargets(entry: Entry): readonly MatrixTarget[] | undefined {
  const [agents, interfaces] = [matrixAgents(entry), matrixInterfaces(entry)];
  if (agents.length + interfaces.length === 0) return undefined;
  return (agents.length === 0 ? [undefined] : agents).flatMap(agent =>
    (interfaces.length === 0 ? [undefined] : interfaces).map(wanted => ({
      label: [agent?.value, wanted && interfaceLabel(wanted)].filter(Boolean).join(' · '),
      range: wanted === undefined ? agent!.range : rangeOf(wanted),
      ...(agent !== undefined && { agent }),
      ...(wanted !== undefined && { interface: wanted }),
    })),
  );
}

const interfaceLabel = (node: JsonNode): string => {
  const value = valueOf(node);
  return typeof value === 'string' ? value : Object.values(value as object).join(' ');
};

/** Every agent that a request may go to, as it is written. */
export const agentsOf = (entry: Entry & Pick<RequestEntry, 'agent'>): readonly Located<string>[] => {
  const ofMatrix = matrixAgents(entry);
  return ofMatrix.length > 0 || entry.agent === undefined ? ofMatrix : [entry.agent];
};
