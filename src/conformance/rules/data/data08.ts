import type { Rule } from '../rule/rule.ts';

/** A2A says nothing of it; RFC 8259 §4 says that names should be unique, and readers take one member or the other. */
export const rule: Rule = {
  id: 'DATA-08',
  level: 'tool',
  title: 'No object of an answer has two members of one name',
  remedy: 'Write JSON with a library instead of joining texts, so that each member is written once.',
  clause: '5.7 Field Presence and Optionality',
  clause0_3: '6.1 Task Object',
  versions: ['1.0', '0.3', '0.2', '0.1'],
  bindings: ['JSONRPC', 'HTTP+JSON'],
  whileReading: true,
  kit: [],
};
