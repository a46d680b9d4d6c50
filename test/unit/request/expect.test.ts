import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { isOfMediaType } from '../../../src/request/expect/artifacts.ts';
import { checkExpectations } from '../../../src/request/expect/expectations.ts';
import { kinds } from '../../../src/request/expect/kinds.ts';
import type { Observed } from '../../../src/request/expect/observed.ts';
import { matches } from '../../../src/request/expect/pattern.ts';
import { cpuTime } from '../../support/cpuTime.ts';
import { faultOf } from '../../../src/request/expect/schemaFault.ts';
import { valueOf } from '../../../src/request/text/jsonNode.ts';
import { RequestFault } from '../../../src/request/text/requestFault.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';
import { covered, marked } from '../../support/request/marked.ts';

const task: Task = {
  id: 't1',
  contextId: 'c1',
  status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Done.' }] } },
  artifacts: [
    { artifactId: 'a1', name: 'boat.png', parts: [{ raw: 'aGk=', mediaType: 'image/png' }] },
    { artifactId: 'a2', name: 'log', parts: [{ text: 'Ten knots' }, { data: { n: 1, tags: ['x'] } }] },
  ],
};
const done: Observed = {
  task,
  startedAt: 1000,
  firstEventAt: 1100,
  endedAt: 1500,
  states: ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
  findings: [
    { rule: 'RPC-02', pointer: '', message: 'text/html' },
    { rule: 'DATA-04', pointer: '/result', message: 'no time' },
  ],
};
const inState = (state: TaskState): Observed => ({ ...done, task: { ...task, status: { state } } });
const refused: Observed = { startedAt: 0, endedAt: 1, problem: new A2AError(-32001, 'no such task') };
const unreachable: Observed = { startedAt: 0, endedAt: 1, problem: new Problem('refused', sentence('Nothing listens.')) };
const answered: Observed = {
  ...refused,
  responses: [
    { status: 200, headers: [] },
    {
      status: 404,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-A', '1'],
        ['x-a', '2'],
      ],
    },
  ],
};
const refusedWithData: Observed = { ...refused, problem: new A2AError(-32001, 'no such task', { id: 't9' }) };
/** An error of JSON-RPC in an answer whose status is fine. */
const inFine: Observed = { ...refused, responses: [{ status: 200, headers: [] }] };
const onTheWay: Observed = {
  ...done,
  events: [
    { at: 1050, type: 'status', state: 'TASK_STATE_SUBMITTED' },
    { at: 1100, type: 'status', state: 'TASK_STATE_WORKING' },
    { at: 1300, type: 'artifact', artifact: 'log', text: 'Ten' },
    { at: 1400, type: 'artifact', artifact: 'log', append: true, last: true, text: ' knots' },
    { at: 1500, type: 'status', state: 'TASK_STATE_COMPLETED', text: 'Done.' },
  ],
};
const said: Observed = { startedAt: 0, endedAt: 1, message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] } };
const agentSays = (messageId: string, text: string): Message => ({ messageId, role: 'ROLE_AGENT', parts: [{ text }] });
const over = (rest: Partial<Task>): Observed => ({
  startedAt: 0,
  endedAt: 1,
  task: { id: 't1', status: { state: 'TASK_STATE_COMPLETED' }, ...rest },
});
const inData = (...values: readonly number[]): Observed =>
  over({ artifacts: values.map((data, index) => ({ artifactId: String(index), parts: [{ data }] })) });
const asked: Message = { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'How many knots?' }] };
/** Its answer is in the history alone, after what was said in an earlier turn. */
const inHistory = over({ history: [asked, agentSays('1', 'Which boat?'), { ...asked, messageId: 'v' }, agentSays('2', 'Ten knots')] });
/** Statuses brought the answer word by word; the last of them with no words. */
const inStatuses = over({ history: [asked, agentSays('1', 'Ten'), agentSays('2', ' knots'), agentSays('3', ' at noon.')] });
/** The same, the last words with the end. */
const inStatusesToTheEnd = over({
  history: [asked, agentSays('0', 'Looking at the log…'), agentSays('1', 'Ten'), agentSays('2', ' knots')],
  status: { state: 'TASK_STATE_COMPLETED', message: agentSays('3', ' at noon.') },
});

/** The expectation with the place of what fails between « and », what is said of it, and expected against actual. */
const rows: readonly (readonly [expect: string, observed: Observed, words?: RegExp, expected?: string, actual?: string | RegExp])[] = [
  ['{}', done],
  ['{}', said],
  ['{"state":"completed"}', done],
  ['{"state":"TASK_STATE_COMPLETED"}', done],
  ['{"state":["failed","completed"]}', done],
  ['{"state":«"failed"»}', done, /is completed, not failed/, 'failed', 'completed'],
  ['{"state":«"failed"»}', said, /no task/, 'failed'],
  ['{"state":"failed"}', inState('TASK_STATE_FAILED')],
  // However the state is expected, the task may have failed.
  ['{"states":["working","failed"]}', { ...inState('TASK_STATE_FAILED'), states: ['TASK_STATE_WORKING', 'TASK_STATE_FAILED'] }],
  ['{"paths":{"state":"failed"}}', inState('TASK_STATE_FAILED')],
  ['{"paths":{"task.status.state":"TASK_STATE_REJECTED"}}', inState('TASK_STATE_REJECTED')],
  ['{"state":{"in":["completed","input-required"]}}', done],
  ['{"state":{"equals":"TASK_STATE_COMPLETED","not":["failed","TASK_STATE_REJECTED"]}}', done],
  ['{"state":{"not":{"in":["failed","canceled"]}}}', done],
  ['{"state":{"not":"canceled"}}', inState('TASK_STATE_FAILED')],
  ['{"state":{"in":«["failed","TASK_STATE_REJECTED"]»}}', done, /is completed, not failed, rejected/, 'failed\nrejected', 'completed'],
  ['{"state":{"equals":«"failed"»}}', done, /is completed, not failed/, 'failed', 'completed'],
  ['{"state":{"not":«"TASK_STATE_COMPLETED"»}}', done, /must not be completed/, 'not completed', 'completed'],
  ['{"state":{"not":«["failed","completed"]»}}', done, /must not be completed/, 'not failed\nnot completed', 'completed'],
  ['{"state":{"not":«{"in":["completed"]}»}}', done, /must not be completed/, 'not completed', 'completed'],
  // There has to be a state: an answer without a task is no task that has not failed.
  ['{"state":{"not":«"failed"»}}', said, /no task, so it has no state/, 'not failed', '–'],
  ['{"state":{"in":«["failed"]»}}', said, /no task, so it is not failed/, 'failed', '–'],
  ['{"states":["submitted","working","completed"]}', done],
  [
    '{"states":["submitted",«"completed"»]}',
    done,
    /submitted → working → completed, not submitted → completed/,
    'submitted\ncompleted',
    'submitted\nworking\ncompleted',
  ],
  ['{"states":["submitted",{"in":["working","input-required"]},["completed","failed"]]}', done],
  ['{"states":[{"not":"failed"},{"not":["failed","rejected"]},{"equals":"TASK_STATE_COMPLETED"}]}', done],
  [
    '{"states":["submitted",«{"in":["input-required","failed"]}»,"completed"]}',
    done,
    /went through submitted → working → completed, not submitted → input-required\|failed → completed/,
  ],
  ['{"states":["submitted","working",«{"not":"completed"}»]}', done, /not submitted → working → not completed/],
  ['{"states":["submitted","working","completed",«{"not":"failed"}»]}', done, /went through/],
  ['{"states":«["submitted"]»}', done, /went through/],
  ['{"states":["submitted",«"failed"»,"completed"]}', done, /went through/],
  ['{"states":["submitted","working",«"failed"»]}', done, /went through/],
  ['{"states":«[]»}', done, /went through/],
  ['{"states":[]}', said],
  ['{"artifacts":2}', done],
  ['{"artifacts":[]}', said],
  ['{"artifacts":«[]»}', done, /Expected 0 artifacts?, got 2/, '0', '2'],
  ['{"artifacts":«1»}', done, /Expected 1 artifacts?, got 2/, '1', '2'],
  [
    '{"artifacts":[{"name":"boat.png","mediaType":"image/*"},{"mediaType":"application/json"},{"name":"log","mediaType":"text/plain","count":1},{"count":2}]}',
    done,
  ],
  [
    '{"artifacts":[{"name":"log"},«{"name":"boat.png","mediaType":"image/jpeg"}»]}',
    done,
    /No artifact matches \{"name":"boat.png"/,
    undefined,
    /image\/png/,
  ],
  ['{"artifacts":[«{"mediaType":"image/png","count":2}»]}', done, /Expected 2 artifacts matching .*, got 1/],
  [
    '{"artifacts":[«{"name":"boat"}»,«{"name":"log","mediaType":"image/png"}»,«{"name":"boat.png","count":0}»]}',
    done,
    /No artifact matches/,
    undefined,
    /"name": "boat.png"/,
  ],
  ['{"artifacts":[{"name":"boat","count":0}]}', done],
  ['{"artifacts":0}', said],
  ['{"artifacts":{"gte":2,"lt":3}}', done],
  ['{"artifacts":{"not":0}}', done],
  ['{"artifacts":{"not":«2»}}', done, /The number of artifacts is 2, which /],
  ['{"artifacts":{"gt":0,"lt":«2»}}', done, /The number of artifacts is 2, which is not less than 2/, '< 2', '2'],
  ['{"artifacts":{"gte":«1»}}', said, /The number of artifacts is 0, which is not at least 1/, '≥ 1', '0'],
  ['{"artifacts":[{"name":"log","count":{"lte":1}},{"count":{"gt":1}}]}', done],
  ['{"artifacts":[«{"name":"log","count":{"gt":1}}»]}', done, /The number of artifacts matching .*log.* is 1, which is not more than 1/],
  ['{"artifacts":«0»}', done, /Expected 0 artifacts?, got 2/],
  ['{"artifacts":«3»}', done, /Expected 3 artifacts?, got 2/, '3', '2'],
  ['{"text":"Ten knots"}', done],
  ['{"text":"Hi"}', said],
  ['{"text":{"equals":"Ten knots"}}', inHistory],
  ['{"text":«"Which boat?"»}', inHistory, /does not contain "Which boat\?"/, 'Which boat?', 'Ten knots'],
  ['{"text":{"equals":"Ten knots at noon."}}', inStatuses],
  ['{"text":{"equals":"Ten knots at noon."}}', inStatusesToTheEnd],
  // What an agent says on the way is no answer where it has given one.
  [
    '{"text":{"equals":"Done."}}',
    over({
      history: [asked, agentSays('1', 'Looking at the log…')],
      status: { state: 'TASK_STATE_COMPLETED', message: agentSays('2', 'Done.') },
    }),
  ],
  [
    '{"text":{"equals":"Ten"}}',
    over({ history: [asked, agentSays('1', 'Looking at the log…')], artifacts: [{ artifactId: 'a', parts: [{ text: 'Ten' }] }] }),
  ],
  ['{"text":["Ten","Done"]}', done],
  ['{"text":["Ten",«"Eleven"»]}', done, /does not contain "Eleven"/, 'Eleven', 'Ten knots\nDone.'],
  ['{"text":{"matches":"^\\\\w+ knots$|x","not":""}}', done, /does not match/],
  ['{"text":{"matches":"\\\\w+ knots"}}', done],
  ['{"text":{"exists":true}}', said],
  ['{"text":{"exists":«true»}}', over({}), /does not exist/],
  ['{"text":{"exists":false}}', over({})],
  ['{"text":{"exists":«false»}}', said, /exists/],
  // A bare text means the same inside and outside of "not".
  ['{"text":{"not":"Eleven"}}', done],
  ['{"text":{"not":["Nine","Eleven"]}}', done],
  ['{"text":{"not":""}}', done],
  ['{"text":{"not":«"Ten"»}}', done, /must not match: "Ten"/],
  ['{"text":{"not":«["Nine","Ten"]»}}', done, /must not match/],
  ['{"text":{"not":{"equals":"Ten"}}}', done],
  ['{"text":{"not":«{"contains":"Ten"}»}}', done, /must not match: \{"contains":"Ten"\}/],
  ['{"text":{"matches":«"[0-9]+ knots"»,"contains":"Ten"}}', done, /does not match "\[0-9\]\+ knots"/, '[0-9]+ knots', 'Ten knots\nDone.'],
  ['{"text":«{"matches":"("}»}', done, /"\(" is not a regular expression/],
  ['{"paths":{"task.artifacts[0].name":"boat.png","state":"completed","context.id":"c1"}}', done],
  ['{"paths":{"task.id":«"t2"»}}', done, /task\.id is not "t2"/, 't2', 't1'],
  ['{"paths":{"task.artifacts[7].name":«"x"»}}', done, /has no task\.artifacts\[7\]\.name/, 'x'],
  ['{"paths":{"task.idd":«{"not":{"contains":"q"}}»}}', done, /has no task\.idd/],
  ['{"paths":{"task.idd":«{"not":"q"}»}}', done, /has no task\.idd/],
  ['{"paths":{"task.idd":{"exists":false},"task.id":{"not":"q"}}}', done],
  ['{"paths":{"task.idd":{"not":{"exists":true}}}}', done],
  [
    '{"paths":{"task.artifacts":{"length":2,"type":"array"},"task.metadata":{"exists":false},"task.id":{"in":["t1"],"min":«5»}}}',
    done,
    /not at least 5/,
  ],
  ['{"paths":{"task.artifacts[*].name":["boat.png","log"],"task.artifacts[*].parts[*].data.n":[1]}}', done],
  ['{"paths":{"task.artifacts[*].name":{"contains":"log","every":{"minLength":3},"length":2}}}', done],
  ['{"paths":{"task.artifacts[*].name":{"every":«{"minLength":4}»}}}', done, /has an item \[1\] that is shorter than 4/, '≥ 4', 'log'],
  ['{"paths":{"task.artifacts[*].nmae":«{"notContains":"x"}»}}', done, /has no task\.artifacts\[\*\]\.nmae/, undefined, /"boat.png"/],
  ['{"paths":{"task.status[*].x":{"exists":false}}}', done],
  ['{"paths":{"task.status[*].x":«{"length":0}»}}', done, /has no task\.status/],
  ['{"paths":{"task.history[*].messageId":{"length":0}}}', over({ history: [] })],
  ['{"paths":{"task.artifacts":{"some":{"schema":{"properties":{"name":{"const":"log"}}}}}}}', done],
  ['{"paths":{"task.artifacts":{"some":«{"schema":{"properties":{"name":{"const":"logg"}}}}»}}}', done, /has no item matching/],
  ['{"artifacts":[{"name":"log","text":"Ten"},{"name":"log","text":{"equals":"Ten knots"},"data":{"n":1,"tags":["x"]}}]}', done],
  [
    '{"artifacts":[{"name":"log","content":"Ten knots"},{"content":{"raw":"aGk=","mediaType":"image/png"}},{"data":{"schema":{"required":["n"]}}}]}',
    done,
  ],
  ['{"artifacts":[{"name":"log","content":{"n":1,"tags":["x"]}}]}', done],
  ['{"artifacts":[«{"name":"log","text":"Nine"}»]}', done, /The artifact "log": its text does not contain "Nine"/, 'Nine', 'Ten knots'],
  ['{"artifacts":[«{"name":"log","data":{"n":2}}»]}', done, /The artifact "log": its data is not \{"n":2\}/, undefined, /"n": 1/],
  ['{"artifacts":[«{"name":"boat.png","data":1}»]}', done, /it has no data part/],
  ['{"artifacts":[«{"name":"log","content":"Ten"}»]}', done, /no part matches/, 'Ten', 'Ten knots'],
  [
    '{"artifacts":[«{"name":"boat.png","content":{"raw":"aGkh"}}»]}',
    done,
    /has the bytes of the file/,
    undefined,
    /^2 bytes, SHA-256 [\da-f]{64}$/,
  ],
  [
    '{"artifacts":[«{"content":{"raw":"aGkh"}}»]}',
    over({ artifacts: [{ artifactId: 'a', parts: [{ url: 'https://a.example/x' }] }] }),
    /it is a file by reference, which is not loaded/,
    undefined,
    'by reference: https://a.example/x',
  ],
  [
    '{"artifacts":[«{"content":"hi"}»]}',
    over({ artifacts: [{ artifactId: 'a', parts: [{ url: 'https://a.example/x' }] }] }),
    /it is a file by reference, which is not loaded/,
    'hi',
    'by reference: https://a.example/x',
  ],
  ['{"artifacts":[«{"text":"Nine"}»]}', done, /None of the 2 artifacts matches/],
  ['{"artifacts":[«{"name":"log","text":"Ten","count":2}»]}', done, /Expected 2 artifacts matching .*, got 1/],
  [
    '{"events":[{"state":"working"},{"artifact":"log","last":true,"withinMs":400},{"state":"completed","type":"status","gapMs":100}]}',
    onTheWay,
  ],
  ['{"events":[{"artifact":"log","append":false},{"artifact":"log","append":true,"text":"knots"},{"text":{"matches":"^Done"}}]}', onTheWay],
  ['{"events":[{"state":["submitted","working"]},{"state":{"not":"submitted"}},{"state":{"in":["completed","failed"]}}]}', onTheWay],
  ['{"events":[{"state":"working"},«{"state":{"in":["working","failed"]}}»]}', onTheWay, /after those before it in the list/],
  ['{"events":{"inOrder":[{"state":"submitted","afterMs":50}],"min":5,"max":5,"maxGapMs":200}}', onTheWay],
  ['{"events":[{"state":"completed"},«{"state":"working"}»]}', onTheWay, /after those before it in the list; an earlier one does/],
  [
    '{"events":[«{"state":"failed"}»,{"state":"completed"}]}',
    onTheWay,
    /No event matches/,
    'state:failed\nstate:completed',
    /^50 ms status submitted\n100 ms status working\n300 ms artifact log "Ten"\n/,
  ],
  ['{"events":[«{"artifact":"log","withinMs":200}»]}', onTheWay, /arrived after 300 ms, later than 200 ms/],
  ['{"events":[«{"artifact":"log","afterMs":301}»]}', onTheWay, /arrived after 300 ms, sooner than 301 ms/],
  ['{"events":[{"state":"working"},«{"artifact":"log","gapMs":199}»]}', onTheWay, /arrived 200 ms after the previous one/],
  [
    '{"events":[{"artifact":"log","withinMs":{"gte":300,"lt":301},"afterMs":{"gt":299,"not":301}},{"state":"completed","gapMs":{"closeTo":{"value":100,"within":100}}}]}',
    onTheWay,
  ],
  ['{"events":{"maxGapMs":{"gt":199,"lte":200}}}', onTheWay],
  ['{"events":[«{"artifact":"log","withinMs":{"lt":300}}»]}', onTheWay, /arrived after 300 ms, which is not less than 300\.$/],
  ['{"events":[«{"artifact":"log","withinMs":{"not":300}}»]}', onTheWay, /arrived after 300 ms, which must not match: 300\.$/],
  ['{"events":[«{"artifact":"log","afterMs":{"gt":300}}»]}', onTheWay, /arrived after 300 ms, which is not more than 300\.$/],
  // A number is the shortest time, inside of "not" too.
  ['{"events":[{"artifact":"log","afterMs":{"not":301}}]}', onTheWay],
  ['{"events":[«{"artifact":"log","afterMs":{"not":[301,300]}}»]}', onTheWay, /which must not match: \[301,300\]\.$/],
  [
    '{"events":[{"state":"working"},«{"artifact":"log","gapMs":{"gt":200}}»]}',
    onTheWay,
    /arrived 200 ms after the previous one, which is not more than 200/,
  ],
  [
    '{"events":{"maxGapMs":{"lt":«200»}}}',
    onTheWay,
    /The longest time between two events was 200 ms, which is not less than 200\.$/,
    '< 200 ms',
  ],
  ['{"events":{"maxGapMs":«{"lt":200}»}}', said, /No event arrived/, '{"lt":200}', '–'],
  ['{"events":{"max":«4»}}', onTheWay, /5 events arrived, more than 4/, '≤ 4'],
  ['{"events":{"min":«6»}}', onTheWay, /5 events arrived, fewer than 6/],
  ['{"events":{"maxGapMs":«199»}}', onTheWay, /Two events were 200 ms apart/],
  ['{"events":{"maxGapMs":«199»}}', said, /No event arrived/, undefined, '–'],
  ['{"paths":{"task.artifacts[1].parts[1].data":{"n":1,"tags":["x"]}}}', done],
  ['{"paths":{"task.artifacts[1].parts[1].data":«{"n":2}»}}', done, /is not \{"n":2\}/, '{\n  "n": 2\n}', /"n": 1/],
  ['{"paths":{"task.artifacts[1].parts[1].data.tags":{"contains":«"y"»}}}', done, /does not contain "y"/],
  ['{"data":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}', done],
  ['{"data":{"properties":{"n":{"minimum":«5»}}}}', done, /\$\.n is not at least 5/, '5', /^1$/],
  ['{"data":«{}»}', said, /no data part/],
  // Of several parts one has to fit.
  ['{"data":{"const":2}}', inData(1, 2)],
  ['{"data":{"const":1}}', inData(1, 2)],
  ['{"data":{"const":«3»}}', inData(1, 2), /is not 3/, '3', '[\n  1,\n  2\n]'],
  ['{"data":{"const":«3»}}', inData(1), /is not 3/, '3', '1'],
  ['{"data":{"const":7}}', { ...said, message: { ...said.message!, parts: [{ data: 7 }] } }],
  ['{"data":{"const":7}}', over({ status: { state: 'TASK_STATE_COMPLETED', message: { ...said.message!, parts: [{ data: 7 }] } } })],
  ['{"data":«{"$ref":"#/definitions/x"}»}', done, /refers to #\/definitions\/x/],
  ['{"firstEventMs":100,"totalMs":500}', done],
  ['{"firstEventMs":«99»,"totalMs":«499»}', done, /Took 100 ms, expected at most 99/, '≤ 99 ms', '100 ms'],
  ['{"firstEventMs":«99»}', said, /No data came/],
  ['{"firstEventMs":{"gt":99,"lt":101},"totalMs":{"gte":500,"lte":500,"not":{"lt":500}}}', done],
  ['{"totalMs":{"closeTo":{"value":510,"within":20},"min":1,"max":500,"not":499}}', done],
  ['{"totalMs":{"gt":«500»,"lt":900}}', done, /Took 500 ms, which is not more than 500/, '> 500 ms', '500 ms'],
  ['{"totalMs":{"lt":«500»}}', done, /Took 500 ms, which is not less than 500/, '< 500 ms', '500 ms'],
  ['{"totalMs":{"min":«501»}}', done, /not at least 501/, '≥ 501 ms', '500 ms'],
  // A number is the longest time, inside of "not" too.
  ['{"totalMs":{"not":«500»}}', done, /which must not match: 500/, 'not 500 ms', '500 ms'],
  ['{"firstEventMs":«{"gt":1}»}', said, /No data came/, '{"gt":1}', '–'],
  ['{"error":-32001}', refused],
  ['{"error":["TaskNotFoundError",-32004]}', refused],
  ['{"error":{"in":[-32004,-32001]}}', refused],
  ['{"error":{"not":"InternalError"}}', refused],
  ['{"error":{"not":{"in":[500,503]}}}', refused],
  ['{"error":{"exists":true}}', unreachable],
  ['{"error":{"code":-32001,"message":"no such"}}', refused],
  ['{"error":{"code":["a",-32001],"message":{"matches":"^no","not":"db"},"data":{"id":"t9"}}}', refusedWithData],
  ['{"error":{"code":{"not":"InternalError"},"data":{"type":"object","schema":{"required":["id"]}}}}', refusedWithData],
  ['{"error":{"message":"listens"}}', unreachable],
  ['{"error":«[-32002,"refused"]»}', refused, /Expected the error -32002, refused/, '-32002\nrefused', /-32001/],
  ['{"error":{"in":«[-32002]»}}', refused, /Expected the error -32002/],
  ['{"error":{"not":«"TaskNotFoundError"»}}', refused, /must not be returned/, 'not TaskNotFoundError', /TaskNotFoundError/],
  ['{"error":«{"not":"InternalError"}»}', done, /Expected an error, but there was none/, '{"not":"InternalError"}', 'completed'],
  ['{"error":«{"exists":true}»}', said, /Expected an error/],
  ['{"error":«{"code":-32001,"message":"x"}»}', done, /Expected the error -32001/, '-32001', 'completed'],
  ['{"error":{"code":«-32002»,"message":"no such"}}', refused, /Expected the error/],
  ['{"error":{"code":{"in":«[-32002]»}}}', refused, /Expected the error/],
  ['{"error":{"code":-32001,"message":«"Task t9"»}}', refused, /message does not contain "Task t9"/, 'Task t9', 'no such task'],
  ['{"error":{"message":{"matches":«"^task"»}}}', refused, /message does not match "\^task"/, '^task', 'no such task'],
  ['{"error":{"message":{"not":«"such"»}}}', refused, /message must not match/],
  ['{"error":{"data":«{"id":"t8"}»}}', refusedWithData, /data is not \{"id":"t8"\}/, '{\n  "id": "t8"\n}', /t9/],
  ['{"error":{"data":{"schema":«{"required":["no"]}»}}}', refusedWithData, /data does not match/],
  ['{"error":{"data":«1»}}', refused, /data is not 1/, '1', '–'],
  ['{"error":"TaskNotFoundError"}', refused],
  ['{"error":"-32001"}', refused],
  ['{"error":"refused"}', unreachable],
  ['{"error":«-32002»}', refused, /Expected the error -32002/, '-32002', /-32001/],
  ['{"error":«-32001»}', unreachable, /Expected the error/, '-32001', 'refused'],
  ['{"error":«-32001»}', done, /but there was none/, '-32001', 'completed'],
  ['{"status":404}', answered],
  ['{"status":[401,404]}', answered],
  ['{"status":404,"error":"TaskNotFoundError"}', answered],
  ['{"status":404,"error":«"other"»}', answered, /Expected the error/, 'other'],
  ['{"status":{"lt":500,"not":401}}', answered],
  ['{"status":{"in":[401,404],"gte":400}}', answered],
  ['{"status":{"equals":404,"not":{"min":500}}}', answered],
  ['{"status":{"lt":«404»}}', answered, /HTTP status 404 is not less than 404/, '< 404', '404'],
  ['{"status":{"not":«[404,500]»}}', answered, /HTTP status 404 must not match/, undefined, '404'],
  ['{"status":{"in":«[200,401]»}}', answered, /HTTP status 404 is none of \[200,401\]/],
  ['{"status":«{"lt":500}»}', refused, /no answer over HTTP, so its status is not \{"lt":500\}/],
  ['{"status":{"lt":500}}', { ...done, responses: [{ status: 200, headers: [] }] }],
  // The error of an answer that says it is fine is none that a status allows.
  ['{"status":[200,404]}', inFine, /no such task/],
  ['{"status":{"lt":500}}', inFine, /no such task/],
  ['{"status":«404»}', inFine, /HTTP status is 200, not 404/],
  ['{"status":{"gte":«400»}}', inFine, /HTTP status 200 is not at least 400/],
  ['{"status":«401»}', answered, /HTTP status is 404, not 401/, '401', '404'],
  ['{"status":«404»}', refused, /no answer over HTTP/, '404'],
  ['{"status":200}', { ...done, responses: [{ status: 200, headers: [] }] }],
  // A status that is fine allows no error.
  ['{"status":200}', { ...refused, responses: [{ status: 200, headers: [] }] }, /no such task/],
  ['{"error":-32001,"headers":{"content-type":"application/json","X-a":"1, 2"}}', answered],
  ['{"error":-32001,"headers":{"x-a":{"contains":"2"},"x-b":{"exists":false}}}', answered],
  ['{"error":-32001,"headers":{"x-a":«"1"»}}', answered, /The header x-a is not "1"/, '1', '1, 2'],
  ['{"error":-32001,"headers":{"x-a":{"matches":«"^2"»},"x-b":«"y"»}}', answered, /(header x-a does not match|no header x-b)/],
  ['{"findings":2}', done],
  ['{"findings":["RPC-02","DATA-04"]}', done],
  ['{"findings":["MUST"]}', done],
  ['{"findings":["RPC-02","MUST"]}', done],
  ['{"findings":[]}', said],
  ['{"findings":«1»}', done, /deviates from the protocol 2 times/],
  ['{"findings":«["SHOULD","tool"]»}', done, /deviates from the protocol 2 times/],
  ['{"findings":«["RPC-02"]»}', done, /once: DATA-04 \/result: no time/, undefined, 'DATA-04 /result: no time'],
];

/** What nobody wrote, or what is unreadable; with the text in whose place it is told. */
const atTheKey: readonly (readonly [expect: string, observed: Observed, words: RegExp, place?: string])[] = [
  ['{}', unreachable, /Nothing listens/],
  ['{"state":"completed","totalMs":1}', refused, /TaskNotFoundError/],
  ['{"totalMs":900}', inState('TASK_STATE_FAILED'), /The task is failed/],
  ['{}', inState('TASK_STATE_CANCELED'), /The task is canceled/],
  ['{}', inState('TASK_STATE_REJECTED'), /The task is rejected/],
  ['{"paths":{"task.id":"t1"}}', inState('TASK_STATE_FAILED'), /The task is failed/],
  ['{"stauts":"completed"}', done, /expect is invalid: unknown key "stauts"\.$/],
  ['{"text":""}', done, /^The expectation expect\.text is invalid: it must not be empty\.$/, '""'],
  ['{"events":[{"withinMs":"soon"}]}', done, /^The expectation expect\.events\[0\]\.withinMs is invalid: /, '"soon"'],
  ['{"text":[]}', done, /is invalid/, '[]'],
  ['{"text":{}}', done, /is invalid/, '{}'],
  ['{"text":{"not":{}}}', done, /is invalid/, '{}'],
  ['{"text":{"matches":""}}', done, /is invalid/, '""'],
  ['{"paths":{}}', done, /is invalid/, '{}'],
  ['{"state":{}}', done, /is invalid/, '{}'],
  ['{"state":{"in":["compleeted"]}}', done, /expect\.state\.in\[0\] is invalid: it must be one of unknown, /, '"compleeted"'],
  ['{"status":{"contains":4}}', done, /is invalid/, '{"contains":4}'],
  ['{"totalMs":{"matches":"1"}}', done, /is invalid/, '{"matches":"1"}'],
  ['{"error":{}}', done, /is invalid/, '{}'],
  ['{"totalMs":-1}', done, /expect\.totalMs is invalid/, '-1'],
];

const check = (expect: string, observed: Observed): ReturnType<typeof checkExpectations> => {
  const entry = readRequestFile(`{"agent":"A","message":"x","expect":${expect}}`).requests[0]!;
  return checkExpectations(entry, valueOf(entry.members.get('expect')!.value!), observed);
};
const checked = new Map<number, ReturnType<typeof checkExpectations>>();
/** What came of a row: checked once, also where several tests want to know. */
function checkRow(index: number): ReturnType<typeof checkExpectations> {
  const found = checked.get(index) ?? check(marked(rows[index]![0]).text, rows[index]![1]);
  checked.set(index, found);
  return found;
}

suite('expectations', () => {
  for (const [index, [source, , words, expected, actual]] of rows.entries()) {
    test(`${index + 1}: ${source.slice(0, 90)}${words === undefined ? '' : ' fails'}`, () => {
      const before = '{"agent":"A","message":"x","expect":'.length;
      const { text, ranges } = marked(source);
      const failures = checkRow(index).filter(({ ok }) => !ok);
      if (words === undefined)
        return assert.deepEqual(
          failures.map(({ message }) => english(message)),
          [],
        );
      if (ranges.length > 0)
        assert.deepEqual(
          covered(
            text,
            failures.map(({ range }) => ({ ...range, offset: range.offset - before })),
          ),
          covered(text, ranges),
        );
      const [failure] = failures;
      assert.match(english(failure!.message), words);
      if (expected !== undefined) assert.equal(failure!.expected, expected);
      if (typeof actual === 'string') assert.equal(failure!.actual, actual);
      else if (actual !== undefined) assert.match(failure!.actual ?? '', actual);
    });
  }
  for (const [expect, observed, words, place = '"expect"'] of atTheKey) {
    test(`at the key: ${expect}`, () => {
      const text = `{"agent":"A","message":"x","expect":${expect}}`;
      const [failure, ...others] = check(expect, observed).filter(({ ok }) => !ok);
      assert.deepEqual(others, []);
      assert.match(english(failure!.message), words);
      assert.deepEqual([failure!.kind, ...covered(text, [failure!.range])], ['answer', place]);
    });
  }

  test('media types are compared without their parameters, unless these are wanted', () => {
    const types: readonly (readonly [actual: string, wanted: string, is: boolean])[] = [
      ['text/plain', 'text/plain', true],
      ['Text/Plain; charset=UTF-8', 'text/plain', true],
      ['text/plain', 'TEXT/plain', true],
      ['text/plain;charset=utf-8', 'text/plain; charset=UTF-8', true],
      ['text/plain', 'text/plain;charset=utf-8', false],
      ['text/plain;charset=latin1', 'text/plain;charset=utf-8', false],
      ['text/html', 'text/plain', false],
      ['text/plainer', 'text/plain', false],
      ['image/png', 'image/*', true],
      ['image/png; q=1', 'image/*', true],
      ['imagery/png', 'image/*', false],
      ['text/image', 'image/*', false],
      ['image', 'image/*', false],
    ];
    for (const [actual, wanted, is] of types) assert.equal(isOfMediaType(actual, wanted), is, `${actual} ${wanted}`);
  });

  test('where nothing else is expected, the answer is', () => {
    const text = '{"agent":"A","message":"x","expect":{}}';
    for (const observed of [done, said]) {
      assert.deepEqual(
        check('{}', observed).map(({ kind, ok, range }) => [kind, ok, ...covered(text, [range])]),
        [['answer', true, '"expect"']],
      );
    }
    assert.deepEqual(
      check('{"state":"completed"}', done).map(({ kind, ok }) => [kind, ok]),
      [['state', true]],
    );
    assert.deepEqual(
      check('{}', unreachable).map(({ ok, actual }) => [ok, actual]),
      [[false, undefined]],
    );
  });

  test('a mistake in the request is told at its place, in a request without expectations at its name', () => {
    const faulty: Observed = { ...unreachable, problem: new RequestFault(unreachable.problem!, { offset: 3, length: 7 }) };
    assert.deepEqual(
      check('{}', faulty).map(({ range }) => range),
      [{ offset: 3, length: 7 }],
    );
    const text = '{"agent":"A","name":"one","message":"x"}';
    assert.deepEqual(
      covered(
        text,
        checkExpectations(readRequestFile(text).requests[0]!, undefined, refused).map(({ range }) => range),
      ),
      ['"one"'],
    );
  });

  test('who has a task canceled expects that, and no other end', () => {
    const canceled = inState('TASK_STATE_CANCELED');
    const oks = (request: object, observed: Observed): readonly boolean[] =>
      checkExpectations(readRequestFile(JSON.stringify({ agent: 'A', ...request })).requests[0]!, {}, observed).map(({ ok }) => ok);
    const cancel = { method: 'CancelTask', params: { id: 't1' } };
    for (const request of [
      cancel,
      { ...cancel, method: 'tasks/cancel' },
      { jsonrpc: '2.0', id: 1, method: 'tasks/cancel', params: { id: 't1' } },
    ])
      assert.deepEqual(oks(request, canceled), [true], request.method);
    assert.deepEqual(oks({ message: 'x' }, { ...canceled, cancelAsked: true }), [true]);
    assert.deepEqual(
      [
        oks({ message: 'x' }, canceled),
        oks({ ...cancel, method: 'GetTask' }, canceled),
        oks({ message: 'x' }, { ...canceled, cancelAsked: false }),
      ],
      [[false], [false], [false]],
    );
    assert.deepEqual(
      [oks(cancel, inState('TASK_STATE_FAILED')), oks({ message: 'x' }, { ...inState('TASK_STATE_REJECTED'), cancelAsked: true })],
      [[false], [false]],
    );
  });

  test('every kind is shown to hold and to fail', () => {
    const tried = (fails: boolean): Set<string> =>
      new Set(
        rows.flatMap(([, , words], index) =>
          (words !== undefined) === fails
            ? checkRow(index)
                .filter(({ ok }) => ok !== fails)
                .map(({ kind }) => kind)
            : [],
        ),
      );
    // A snapshot is compared where files are: `runSnapshots.test.ts`.
    for (const kind of Object.keys(kinds).filter(each => each !== 'snapshot')) {
      assert.ok(tried(true).has(kind), `${kind} never fails`);
      assert.ok(tried(false).has(kind), `${kind} never holds`);
    }
  });

  test('a search that would take for ever is given up in time', () => {
    assert.throws(() => matches('(a|a)*$', `${'a'.repeat(60)}!`), { code: 'slow-pattern' });
    assert.equal(matches('b$', 'ab'), true);
  });
});

suite('expectations: JSON schema', () => {
  test('what does not fit is named first, and what was expected there is beside what was found there', () => {
    const { requests } = readRequestFile(
      '{ "agent": "A", "message": "x", "expect": { "data": { "properties": { "aisle": { "type": "string" } } } } }',
    );
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: { aisle: 7, shelf: 'B' } }] } as const;
    const expect = { data: { properties: { aisle: { type: 'string' } } } };
    const [wrong] = checkExpectations(requests[0]!, expect, { message } as never).filter(({ ok }) => !ok);
    assert.deepEqual(
      [wrong && english(wrong.message), wrong?.expected, wrong?.actual],
      ['$.aisle is not of type "string", so the data does not match the schema.', 'string', '7'],
    );
  });

  const schemas: readonly (readonly [schema: unknown, fits: readonly unknown[], doesNot: readonly unknown[]])[] = [
    [{ type: ['string', 'null'] }, ['', null], [1, {}]],
    [{ type: 'integer' }, [1, 2.0], [1.5, '1']],
    [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }]],
    [{ enum: [1, 'x'] }, [1, 'x'], [2]],
    [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'text'], [0, 3]],
    [{ maximum: 3, exclusiveMinimum: 1 }, [3], [1, 4]],
    [{ multipleOf: 0.1 }, [0.3, 7], [0.35]],
    [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀', 5], ['a', 'abcd']],
    [{ pattern: '^a' }, ['ab', 1], ['ba']],
    [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, 2]], [[], [1, 2, 3], [1, 1]]],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 2 }]],
    [{ required: ['a'] }, [{ a: null }, 'x'], [{}]],
    [{ properties: { a: false } }, [{}], [{ a: 1 }]],
    [
      { properties: { a: {} }, patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      [{ a: 1, 'x-b': '' }],
      [{ b: 1 }, { 'x-b': 1 }],
    ],
    [{ additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: '1' }]],
    [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    [{ items: { type: 'number' } }, [[1], []], [['1']]],
    [{ items: [{ type: 'number' }], additionalItems: false }, [[1], []], [['1'], [1, 2]]],
    [{ items: [{}], additionalItems: { type: 'string' } }, [[1, 'x']], [[1, 2]]],
    [{ contains: { const: 1 } }, [[0, 1]], [[0]]],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [3]],
    [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1.5]],
    [{ oneOf: [false, false] }, [], [0]],
    [{ not: { type: 'string' } }, [1], ['']],
    [{ if: { type: 'string' }, then: { minLength: 1 }, else: { const: 0 } }, ['a', 0], ['', 1]],
    [{ definitions: { 'a/b': { type: 'string' } }, $ref: '#/definitions/a~1b' }, ['x'], [1]],
    [{ properties: { next: { $ref: '#' } }, required: ['v'] }, [{ v: 1, next: { v: 2 } }], [{ v: 1, next: {} }]],
    [true, [1], []],
    [false, [], [1]],
    [{ title: 'T', format: 'date', $comment: 'x' }, ['x'], []],
  ];
  for (const [schema, fits, doesNot] of schemas) {
    test(JSON.stringify(schema).slice(0, 100), () => {
      for (const value of fits) assert.equal(faultOf(value, schema), undefined, JSON.stringify(value));
      for (const value of doesNot) assert.notEqual(faultOf(value, schema), undefined, JSON.stringify(value));
    });
  }

  test('a reference in a circle, or out of the schema, is refused', () => {
    assert.throws(() => faultOf(1, { $ref: '#' }), { code: 'bad-schema' });
    assert.throws(() => faultOf(1, { $ref: 'http://x/y.json' }), { code: 'bad-schema' });
  });

  test('a schema whose references double is given up in time, and says so', () => {
    const levels = 18;
    const doubling = Object.fromEntries(
      Array.from({ length: levels }, (_, index) => [
        `s${index}`,
        { anyOf: [{ allOf: [{ $ref: `#/$defs/s${index + 1}` }, false] }, { $ref: `#/$defs/s${index + 1}` }] },
      ]),
    );
    const schema = { $ref: '#/$defs/s0', $defs: { ...doubling, [`s${levels}`]: true } };
    const took = cpuTime(() => assert.throws(() => faultOf({}, schema), { code: 'bad-schema' }));
    assert.ok(took < 500, `${took} ms`);
  });
});

suite('expectations of runs', () => {
  const send = async (model: FakeModel, ...requests: object[]): Promise<RequestOutcome> => {
    const file = readRequestFile(JSON.stringify({ agent: 'A', variables: { ten: 10 }, requests }));
    return new RequestRuns(model, error => {
      throw error;
    }).send(file.requests.at(-1)!, file).done;
  };

  test('without any the outcome has none', async () => {
    assert.equal((await send(new FakeModel(), { message: 'x' })).expectations, undefined);
  });

  test('templates in them are filled in, and what they refer to goes first', async () => {
    const { expectations, problem } = await send(
      new FakeModel(),
      { name: 'a', message: 'x' },
      { name: 'b', message: 'y', expect: { totalMs: '{{ten}}', paths: { 'task.id': { not: '{{a.task.id}}', equals: 't2' } } } },
    );
    assert.equal(problem, undefined);
    assert.deepEqual(
      expectations?.map(({ kind, ok }) => [kind, ok]),
      [
        ['paths', true],
        ['totalMs', true],
      ],
    );
  });

  test('the way of the task and findings reach them', async () => {
    const model = new FakeModel();
    model.answer = (_words, context) => ({
      task: model.task('TASK_STATE_COMPLETED', context),
      states: ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'],
      findings: done.findings,
    });
    const { expectations } = await send(model, { message: 'x', expect: { states: ['working', 'completed'], findings: ['RPC-02'] } });
    assert.deepEqual(
      expectations?.map(({ kind, ok }) => [kind, ok]),
      [
        ['states', true],
        ['findings', false],
      ],
    );
  });

  test('an agent that is not reached fails what was expected, or is what was expected', async () => {
    const dead = { agent: 'Dead', message: 'x' };
    assert.deepEqual(
      (await send(new FakeModel(), { ...dead, expect: { state: 'completed' } })).expectations?.map(({ kind, ok }) => [kind, ok]),
      [['answer', false]],
    );
    assert.deepEqual(
      (await send(new FakeModel(), { ...dead, expect: { error: 'unreachable' } })).expectations?.map(({ kind, ok }) => [kind, ok]),
      [['error', true]],
    );
  });

  test('a request whose error is expected may be needed by others', async () => {
    const { problem } = await send(
      new FakeModel(),
      { name: 'dead', agent: 'Dead', message: 'x', expect: { error: 'unreachable' } },
      { agent: 'Dead', after: 'dead', message: 'y' },
    );
    assert.equal(problem?.code, 'unreachable');
    assert.equal(
      (await send(new FakeModel(), { name: 'dead', agent: 'Dead', message: 'x' }, { after: 'dead', message: 'y' })).problem?.code,
      'needed-failed',
    );
  });

  test('an expectation that is none is said before anything is sent', async () => {
    const model = new FakeModel();
    assert.match((await send(model, { message: 'x', expect: { states: 'completed' } })).problem?.message ?? '', /"states" must be a list/);
    assert.deepEqual(model.sent, []);
  });
});
