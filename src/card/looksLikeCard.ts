import { memberOf, type JsonNode } from '../request/text/jsonNode.ts';
import { readCardText } from './cardText.ts';

/** Longest text that is looked at, in UTF-16 code units: cards are far shorter, and other JSON need not be parsed. */
const maxLength = 512 * 1024;

const isObject = (node: JsonNode | undefined): boolean => node?.type === 'object';
const isList = (node: JsonNode | undefined): boolean => node?.type === 'array';

/**
 * Recognizes an agent card by its members, whatever the name of its file: a name, where the agent is (A2A 1.0 `supportedInterfaces`, before
 * that `url`), and what it can do. One of the members beside them may be missing or misspelt. Never throws.
 */
export function looksLikeCard(text: string): boolean {
  if (text.length > maxLength || !/"(?:supportedInterfaces|url)"\s*:/.test(text) || !/"name"\s*:/.test(text)) return false;
  const root = readCardText(text)?.root;
  const value = (name: string): JsonNode | undefined => memberOf(root, name)?.value;
  if (value('name')?.type !== 'string') return false;
  const about = [
    isObject(value('capabilities')),
    isList(value('skills')),
    isList(value('defaultInputModes')),
    isList(value('defaultOutputModes')),
  ].filter(Boolean).length;
  const interfaces = value('supportedInterfaces');
  if (isList(interfaces)) return about >= 1;
  return value('url')?.type === 'string' && about >= 2;
}
