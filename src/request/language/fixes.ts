import { findNodeAtOffset } from 'jsonc-parser';
import { isObject } from '../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { functions } from '../template/functions.ts';
import { writeJson } from '../text/indentJson.ts';
import { memberOf, membersOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { operationOf } from '../text/methods.ts';
import type { RequestEntry } from '../file/requestEntry.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { sectionAt } from '../file/sections.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { rowNames } from '../file/writtenRows.ts';
import { escapedBraces, isReferable } from '../template/template.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { mediaTypesFor } from './cardValues.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { templateUses } from './occurrences.ts';
import { fromOlderPart } from '../file/olderPart.ts';
import { newerPushParams } from '../file/olderPushParams.ts';
import { entryAt } from './caretPosition.ts';
import type { Edit } from './rename.ts';
import { agentNamed, type LanguageContext } from './languageContext.ts';

/** A change that fixes a problem. */
interface Fix {
  readonly title: LocalizedMessage;
  readonly edits: readonly Edit[];
  /** Set where there is probably only one way to fix it. */
  readonly preferred?: boolean;
}

type Fixer = (range: TextRange, file: RequestFile, world: LanguageContext, problem: RequestProblem) => readonly Fix[];

/** Most alternatives for one problem. */
const most = 5;

/** Fixes by problem code. */
const fixers: Readonly<Record<string, Fixer>> = {
  'unknown-name': (range, file, world) => {
    const use = templateUses(file).find(one => one.range.offset === range.offset);
    if (use?.expression.kind !== 'reference') return [];
    const { name } = use.expression;
    const entry = entryAt(file, range.offset + 1);
    const rows = entry === undefined ? undefined : rowNames(entry);
    const like = closestMatch(
      name,
      [
        ...file.variables.keys(),
        ...world.values.keys(),
        ...file.byName.keys(),
        ...file.imported.keys(),
        ...(rows instanceof Set ? (rows as ReadonlySet<string>) : []),
      ].filter(isReferable),
    );
    const at = file.text.indexOf(name, range.offset);
    const changed = like === undefined || at === -1 || at >= endOf(range) ? [] : [instead({ offset: at, length: name.length }, like)];
    return [...changed, ...newVariable(file, name, range)];
  },
  'unknown-request': (range, file) => {
    const like = closestMatch(unquoted(file, range), others(file, range));
    return like === undefined ? [] : [instead(range, like, true)];
  },
  'unknown-function': (range, file) => {
    const use = templateUses(file).find(one => one.range.offset === range.offset);
    const name = use?.expression.kind === 'function' ? use.expression.name : '';
    const like = closestMatch(name, Object.keys(functions));
    const at = file.text.indexOf(`$${name}`, range.offset);
    return like === undefined || at === -1 || at >= endOf(range) ? [] : [instead({ offset: at, length: name.length + 1 }, `$${like}`)];
  },
  'duplicate-name': (range, file) => {
    const name = unquoted(file, range);
    let number = 2;
    while (file.byName.has(`${name}-${number}`)) number += 1;
    return [instead(range, `${name}-${number}`, true)];
  },
  circle: (range, file) => {
    const after = entryAt(file, range.offset)?.members.get('after');
    return after?.value?.offset !== range.offset
      ? []
      : [
          {
            title: sentence('Remove "{0}"', 'after'),
            edits: [removal(file.text, { offset: after.nameRange.offset, length: endOf(range) - after.nameRange.offset })],
          },
        ];
  },
  'unclosed-template': range => [
    { title: sentence('Put a backslash before the braces'), edits: [{ range: { offset: range.offset, length: 0 }, text: '\\\\' }] },
  ],
  'no-agent': (range, file, { agents }) => {
    const root = rootAt(file, range);
    return root === undefined || memberOf(root, 'agent') !== undefined
      ? []
      : agents.slice(0, most).map(({ name }) => ({
          title: sentence('Send to {0}', name),
          edits: [firstMember(file.text, root, 'agent', JSON.stringify(escapedBraces(name)))],
          preferred: agents.length === 1,
        }));
  },
  'unknown-agent': (range, file, { agents }) => {
    const like = closestMatch(
      unquoted(file, range),
      agents.map(({ name }) => name),
    );
    const rest = agents
      .map(({ name }) => name)
      .filter(name => name !== like)
      .slice(0, most - 1);
    return [
      ...(like === undefined ? [] : [instead(range, like, 'text')]),
      ...rest.map(name => ({ ...instead(range, name, 'text'), preferred: false })),
    ];
  },
  'wrong-scheme': (range, file) => {
    const meant = wrongScheme(unquoted(file, range))?.meant;
    return meant === undefined ? [] : [instead(range, meant, true)];
  },
  'unoffered-method': (range, file) => {
    const operation = operationOf(unquoted(file, range));
    return [instead(range, operation === 'SubscribeToTask' ? 'GetTask' : 'SendMessage', true)];
  },
  'older-method': (range, file) => {
    const method = unquoted(file, range);
    const operation = operationOf(method);
    if (operation === undefined) return [];
    const fix = instead(range, operation, true);
    const node = entryAt(file, range.offset)?.members.get('params')?.value;
    const params: unknown = node && valueOf(node);
    const newer = isObject(params) ? newerPushParams(method, params) : params;
    if (node === undefined || newer === params) return [fix];
    const rewritten = { range: { offset: node.offset, length: node.length }, text: inStyle(file.text, node, newer) };
    return [{ ...fix, edits: [...fix.edits, rewritten] }];
  },
  'unoffered-media-type': (range, file, world) => {
    const card = agentNamed(world, entryAt(file, range.offset)?.agent?.value)?.card;
    return mediaTypesFor(card, 'input')
      .slice(0, most)
      .map(({ value }) => ({ ...instead(range, value, 'text'), preferred: false }));
  },
  'older-part': (range, file) => {
    const part = objectAround(entryAt(file, range.offset), range);
    const newer = part === undefined ? undefined : fromOlderPart(valueOf(part));
    return part === undefined || newer === undefined
      ? []
      : [
          {
            title: sentence('Write the part as in A2A 1.0'),
            preferred: true,
            edits: [{ range: { offset: part.offset, length: part.length }, text: inStyle(file.text, part, newer) }],
          },
        ];
  },
  'unknown-key': (range, file, _world, { alternatives = [] }) => [
    ...alternatives.map(name => instead(range, name, true)),
    ...withoutMember(range, file),
  ],
  'unknown-value': (range, _file, _world, { alternatives = [] }) => alternatives.map(value => instead(range, value, true)),
  only: (range, file) => preferred(withoutMember(range, file)),
  'waits-for-nothing': (range, file) => preferred(withoutMember(range, file)),
  'never-retried': (range, file) => {
    const retry = entryAt(file, range.offset)?.members.get('retry')?.value;
    return retry?.type !== 'object'
      ? []
      : [{ title: sentence('Add "{0}"', '"unsafe": true'), edits: [firstMember(file.text, retry, 'unsafe', 'true')] }];
  },
  'doubled-key': (range, file) => withoutMember(range, file),
  'older-role': (range, file) => [instead(range, unquoted(file, range) === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', true)],
};

const withoutMember = (range: TextRange, file: RequestFile): readonly Fix[] =>
  memberAt(rootAt(file, range), range).map(member => ({
    title: sentence('Remove "{0}"', unquoted(file, range)),
    edits: [removal(file.text, member)],
  }));

const preferred = (fixes: readonly Fix[]): readonly Fix[] => fixes.map(fix => ({ ...fix, preferred: true }));

/** Fixes for a problem, most likely first. */
export function fixesFor(problem: RequestProblem, file: RequestFile, world: LanguageContext): readonly Fix[] {
  return Object.hasOwn(fixers, problem.code) ? (fixers[problem.code]?.(problem.range, file, world, problem) ?? []) : [];
}

const unquoted = ({ text }: RequestFile, range: TextRange): string => {
  const written = text.slice(range.offset, endOf(range));
  try {
    return String(JSON.parse(written));
  } catch {
    // An incomplete string.
    return written.replaceAll('"', '');
  }
};

const others = ({ byName, imported }: RequestFile, range: TextRange): string[] => [
  ...[...byName].filter(([, entry]) => range.offset < entry.range.offset || range.offset >= endOf(entry.range)).map(([name]) => name),
  ...[...imported].filter(([, { request }]) => request !== undefined).map(([name]) => name),
];

/** @param quoted 'text': in a value that may hold templates, a text of others that is none */
function instead(range: TextRange, value: string, quoted: boolean | 'text' = false): Fix {
  const text = quoted === false ? value : JSON.stringify(quoted === 'text' ? escapedBraces(value) : value);
  return { title: sentence('Change to "{0}"', value), preferred: true, edits: [{ range, text }] };
}

/** The object that a range is in: the file, or in Markdown the fence. */
function rootAt({ sections }: RequestFile, { offset }: TextRange): JsonNode | undefined {
  const root = sectionAt(sections, offset)?.root;
  return root?.type === 'object' ? root : undefined;
}

function newVariable(file: RequestFile, name: string, range: TextRange): readonly Fix[] {
  const { text, sections } = file;
  // In Markdown beside those that are there.
  const root = sections.find(section => memberOf(section.root, 'variables') !== undefined)?.root ?? rootAt(file, range);
  if (root?.type !== 'object' || !isReferable(name)) return [];
  const variables = memberOf(root, 'variables')?.value;
  if (variables !== undefined && variables.type !== 'object') return [];
  return [
    {
      title: sentence('Add the variable "{0}"', name),
      edits: [
        variables === undefined
          ? firstMember(text, root, 'variables', `{ ${JSON.stringify(name)}: "" }`)
          : firstMember(text, variables, name, '""'),
      ],
    },
  ];
}

/** Inserts a first member, in the layout of the next one. */
function firstMember(text: string, object: JsonNode, name: string, json: string): Edit {
  const [next] = membersOf(object);
  const written = `${JSON.stringify(name)}: ${json}`;
  if (next === undefined) return { range: { offset: object.offset + 1, length: 0 }, text: ` ${written} ` };
  const between = text.slice(object.offset + 1, next.nameRange.offset);
  return {
    range: { offset: next.nameRange.offset, length: 0 },
    text: `${written},${/^\s*$/.test(between) && between.includes('\n') ? between : ' '}`,
  };
}

/** Range of the member (name and value) whose name is at `name`; empty where there is none. */
function memberAt(root: JsonNode | undefined, name: TextRange): readonly TextRange[] {
  const node = root && findNodeAtOffset(root, name.offset);
  const property = node?.parent?.type === 'property' && node.parent.children?.[0] === node ? node.parent : undefined;
  return property === undefined ? [] : [{ offset: property.offset, length: property.length }];
}

/** Removes a member with the comma after it, or else the one before it. */
function removal(text: string, member: TextRange): Edit {
  const after = /^\s*,\s*/.exec(text.slice(endOf(member)));
  if (after !== null) return { range: { offset: member.offset, length: member.length + after[0].length }, text: '' };
  const before = /,\s*$/.exec(text.slice(0, member.offset).slice(-1000));
  const space = before?.[0].length ?? 0;
  return { range: { offset: member.offset - space, length: member.length + space }, text: '' };
}

/** The smallest object with a member at the range. */
function objectAround(entry: RequestEntry | undefined, range: TextRange): JsonNode | undefined {
  let found: JsonNode | undefined;
  const visit = (node: JsonNode): void => {
    if (range.offset < node.offset || endOf(range) > endOf(node)) return;
    if (node.type === 'object') found = node;
    node.children?.forEach(visit);
  };
  for (const { value } of entry?.members.values() ?? []) if (value !== undefined) visit(value);
  return found;
}

/** Written on one line where the original is on one line. */
function inStyle(text: string, node: JsonNode, value: unknown): string {
  if (!text.slice(node.offset, endOf(node)).includes('\n')) return writeJson(value).replaceAll(/\n\s*/g, ' ');
  const indent = /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', node.offset) + 1, node.offset))?.[0] ?? '';
  return writeJson(value, indent);
}
