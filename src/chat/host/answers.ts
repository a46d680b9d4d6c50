import { isDraftParts, isRecalled } from './draftValidation.ts';
import type { Requests } from './messages.ts';
import { type Fields, isChatSnapshot, isCount, isEntry, isEntryUpdate, isObject, isString, listOf, isOptional } from './envelope.ts';

type Check = (value: unknown) => boolean;

const isNull: Check = value => value === null;
const isTime: Check = value => typeof value === 'number';
const isBoolean: Check = value => typeof value === 'boolean';
const all = (value: unknown, is: Check): boolean => Array.isArray(value) && value.every(item => is(item));
const has = (value: unknown, members: Readonly<Record<string, Check>>): value is Fields =>
  isObject(value) && Object.entries(members).every(([name, is]) => is(value[name]));
const optional =
  (is: Check): Check =>
  value =>
    isOptional(value, is);

const isFault: Check = value => has(value, { pointer: isString, message: isString });
const isHeaders: Check = value => all(value, header => listOf(header, isString) && header.length === 2);
const spoken = {
  id: isString,
  operation: isString,
  protocolBinding: isString,
  protocolVersion: isString,
  startedAt: isTime,
  headersAt: optional(isTime),
  endedAt: optional(isTime),
  failure: optional(isString),
};
const isReceived: Check = value => has(value, { outcome: isString, rehearsed: optional(isObject) });
const wireLine = { size: isCount, type: isString, preview: isString, alike: optional(isString) };
const isWireLine: Check = value => has(value, wireLine);
const isWireEvent: Check = value => has(value, { ...wireLine, seq: isCount, at: isTime });
const isBreach: Check = value => has(value, { rule: isString, frame: optional(isCount) });
const isSummary: Check = value =>
  has(value, {
    ...spoken,
    method: isString,
    url: isString,
    status: optional(isCount),
    error: optional(isString),
    frames: isCount,
    firstFrameAt: optional(isTime),
    findings: value => all(value, isBreach),
    received: optional(isReceived),
    sent: isWireLine,
    answered: optional(isWireLine),
  });
const isRequest: Check = value => has(value, { method: isString, url: isString, headers: isHeaders, body: isString });
const isResponse: Check = value =>
  has(value, { status: isCount, headers: isHeaders, body: optional(isString), trailers: optional(isHeaders) });
const isExchange: Check = value => has(value, { ...spoken, request: isRequest, response: optional(isResponse) });
const isFrame: Check = value => has(value, { seq: isCount, at: isTime, data: isString, event: optional(isString), id: optional(isString) });
const isOption: Check = value => isObject(value) && isString(value['label']);
const isVariant: Check = value => has(value, { label: isString, field: isField });
const isField: Check = value =>
  has(value, {
    name: isString,
    title: isString,
    kind: isString,
    required: isBoolean,
    description: optional(isString),
    options: optional(options => all(options, isOption)),
    fields: optional(fields => all(fields, isField)),
    kept: optional(isObject),
    variants: optional(variants => all(variants, isVariant)),
    chosen: optional(isCount),
    pattern: optional(isString),
    format: optional(isString),
    least: optional(isTime),
    most: optional(isTime),
    above: optional(isTime),
    below: optional(isTime),
    step: optional(isTime),
  });
const isSentence: Check = value => has(value, { template: isString, args: Array.isArray });
const isButton: Check = value =>
  has(value, { label: label => isString(label) || isSentence(label), description: optional(isString), data: isObject });
const isForm: Check = value =>
  has(value, {
    fields: fields => all(fields, isField),
    kept: isObject,
    title: optional(isString),
    instructions: optional(isString),
    buttons: optional(buttons => all(buttons, isButton)),
    left: optional(isCount),
  });

const isPage: Check = value => has(value, { entries: entries => all(entries, isEntry), more: isBoolean });
const isFound: Check = value => has(value, { seq: isCount, times: isCount });
const isTask: Check = value =>
  has(value, {
    taskId: isString,
    state: isString,
    title: isString,
    createdAt: isTime,
    artifacts: isCount,
    seq: optional(isCount),
    references: references => listOf(references, isString),
    elsewhere: optional(isBoolean),
  });
const isNode: Check = value => has(value, { key: isString, taskId: isString, tasks: tasks => all(tasks, isCount), x: isTime, y: isTime });
const isLine: Check = value => has(value, { from: isCount, to: isCount, d: isString, backward: isBoolean });

/** Checks of each answer; only what the panel uses is checked. */
const results: { readonly [Name in keyof Requests]: Check } = {
  ready: isChatSnapshot,
  older: isPage,
  newer: isPage,
  around: value => has(value, { entries: entries => all(entries, isEntry), older: isBoolean, newer: isBoolean }),
  find: value => has(value, { found: found => all(found, isFound), next: optional(isCount) }),
  send: isNull,
  keepDraft: isNull,
  attach: value => value === null || isDraftParts([value]),
  pickFiles: isNull,
  attachDropped: isNull,
  thumbnail: value => value === null || has(value, { raw: isString }),
  checkMode: value => value === null || isString(value),
  recall: value => value === null || isRecalled(value),
  compareArtifact: isNull,
  compareRevisions: isNull,
  judgeArtifact: isNull,
  stop: isNull,
  findLine: value => value === null || has(value, { part: isCount, line: isCount }),
  openPart: isNull,
  savePart: isNull,
  copyWhole: isNull,
  openExchange: isNull,
  openLink: isNull,
  tryNow: isNull,
  reloadCard: isNull,
  refreshTask: isNull,
  chooseInterface: isNull,
  chooseExtensions: isNull,
  turnOnExtensions: isNull,
  signIn: isNull,
  sendAgain: isNull,
  checkDelivery: value => has(value, { outcome: isString, message: isString, nextStep: optional(isString) }),
  loadPart: value => has(value, { raw: isString, mediaType: isString }),
  checkOutput: value => value === null || all(value, isFault),
  exchanges: value => has(value, { exchanges: exchanges => all(exchanges, isSummary), more: isBoolean }),
  exchange: value => has(value, { exchange: isExchange, cut: isBoolean, notes: optional(notes => all(notes, isString)) }),
  wireEvents: value => has(value, { events: events => all(events, isWireEvent), more: isBoolean }),
  wireEvent: value => value === null || has(value, { frame: isFrame, text: isString, cut: isBoolean }),
  replay: value => has(value, { updates: updates => listOf(updates, isEntryUpdate), first: isCount }),
  exportHar: isNull,
  copyExchange: isNull,
  form: value =>
    value === null ||
    has(value, {
      form: isForm,
      part: optional(isCount),
      answer: optional(lines => all(lines, line => has(line, { title: isString, value: optional(isString) }))),
    }),
  checkForm: value => all(value, isFault),
  tasks: value =>
    has(value, {
      tasks: tasks => all(tasks, isTask),
      older: isCount,
      nodes: nodes => all(nodes, isNode),
      lines: lines => all(lines, isLine),
      left: isCount,
      width: isTime,
      height: isTime,
    }),
  manageNotifications: isNull,
  openTask: isNull,
  entryOf: value => value === null || has(value, { seq: isCount }),
  sendForm: value => all(value, isFault),
  secrets: value => listOf(value, isString),
};

/** True where the value is a valid answer to a request of this name. */
export const isAnswerTo = (name: keyof Requests, result: unknown): boolean => results[name](result);
