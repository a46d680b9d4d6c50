import type { RuleId } from '../../protocol/ruleId.ts';
import { probe as card01 } from './card/card01.ts';
import { probe as card02 } from './card/card02.ts';
import { probe as card06 } from './card/card06.ts';
import { probe as card07 } from './card/card07.ts';
import { probe as card08 } from './card/card08.ts';
import { probe as card13 } from './card/card13.ts';
import { probe as card14 } from './card/card14.ts';
import { probe as card18 } from './card/card18.ts';
import { probe as sign02 } from './sign/sign02.ts';
import { probe as sign03 } from './sign/sign03.ts';
import { probe as ver01 } from './ver/ver01.ts';
import { probe as ver02 } from './ver/ver02.ts';
import { probe as ver03 } from './ver/ver03.ts';
import { probe as rpc03 } from './rpc/rpc03.ts';
import { probe as rpc04 } from './rpc/rpc04.ts';
import { probe as rpc05 } from './rpc/rpc05.ts';
import { probe as rpc06 } from './rpc/rpc06.ts';
import { probe as rpc07 } from './rpc/rpc07.ts';
import { probe as http01 } from './http/http01.ts';
import { probe as http03 } from './http/http03.ts';
import { probe as http04 } from './http/http04.ts';
import { probe as http05 } from './http/http05.ts';
import { probe as grpc01 } from './grpc/grpc01.ts';
import { probe as grpc02 } from './grpc/grpc02.ts';
import { probe as grpc03 } from './grpc/grpc03.ts';
import { probe as data05 } from './data/data05.ts';
import { probe as data06 } from './data/data06.ts';
import { probe as core03 } from './core/core03.ts';
import { probe as core11 } from './core/core11.ts';
import { probe as core16 } from './core/core16.ts';
import { probe as core18 } from './core/core18.ts';
import { probe as strm01 } from './strm/strm01.ts';
import { probe as push01 } from './push/push01.ts';
import { probe as push03 } from './push/push03.ts';
import { probe as extcard01 } from './ext/extcard01.ts';
import { probe as extcard02 } from './ext/extcard02.ts';
import { probe as extcard03 } from './ext/extcard03.ts';
import { probe as auth01 } from './auth/auth01.ts';
import { probe as auth02 } from './auth/auth02.ts';
import { probe as auth05 } from './auth/auth05.ts';
import { probe as eq02 } from './eq/eq02.ts';
import { probe as ten01 } from './eq/ten01.ts';
import { probe as core01 } from './core/core01.ts';
import { probe as core02 } from './core/core02.ts';
import { probe as core04 } from './core/core04.ts';
import { probe as core05 } from './core/core05.ts';
import { probe as core06 } from './core/core06.ts';
import { probe as core07 } from './core/core07.ts';
import { probe as core08 } from './core/core08.ts';
import { probe as core09 } from './core/core09.ts';
import { probe as core10 } from './core/core10.ts';
import { probe as core12 } from './core/core12.ts';
import { probe as core13 } from './core/core13.ts';
import { probe as core14 } from './core/core14.ts';
import { probe as core15 } from './core/core15.ts';
import { probe as core17 } from './core/core17.ts';
import { probe as ext01 } from './ext/ext01.ts';
import { probe as ext02 } from './ext/ext02.ts';
import { probe as strm02 } from './strm/strm02.ts';
import { probe as strm03 } from './strm/strm03.ts';
import { probe as strm04 } from './strm/strm04.ts';
import { probe as strm05 } from './strm/strm05.ts';
import { probe as strm06 } from './strm/strm06.ts';
import { probe as strm07 } from './strm/strm07.ts';
import { probe as http06 } from './http/http06.ts';
import { probe as taskAuth01 } from './auth/taskAuth01.ts';
import { probe as taskAuth02 } from './auth/taskAuth02.ts';
import { probe as list01 } from './list/list01.ts';
import { probe as list02 } from './list/list02.ts';
import { probe as list03 } from './list/list03.ts';
import { probe as list04 } from './list/list04.ts';
import { probe as list05 } from './list/list05.ts';
import { probe as list06 } from './list/list06.ts';
import { probe as ver04 } from './ver/ver04.ts';
import { probe as eq01 } from './eq/eq01.ts';
import { probe as push02 } from './push/push02.ts';
import { probe as push04 } from './push/push04.ts';
import { probe as push08 } from './push/push08.ts';
import { probe as push09 } from './push/push09.ts';
import { probe as push05 } from './push/push05.ts';
import { probe as push06 } from './push/push06.ts';
import { probe as push07 } from './push/push07.ts';
import { probe as auth03 } from './auth/auth03.ts';
import { probe as auth04 } from './auth/auth04.ts';
import type { Probe } from './rule/probe.ts';

/**
 * The rules that are checked by asking the agent, in the order in which they are asked: first what costs nothing, then what makes the agent
 * work, then lists of what has come about, then what needs a webhook or a second identity. To add one, add `probe` to the rule's file and its
 * line here.
 */
export const probes: Readonly<Partial<Record<RuleId, Probe>>> = {
  'CARD-01': card01,
  'CARD-02': card02,
  'CARD-06': card06,
  'CARD-07': card07,
  'CARD-08': card08,
  'CARD-13': card13,
  'CARD-14': card14,
  'CARD-18': card18,
  'SIGN-02': sign02,
  'SIGN-03': sign03,
  'VER-01': ver01,
  'VER-02': ver02,
  'VER-03': ver03,
  'RPC-03': rpc03,
  'RPC-04': rpc04,
  'RPC-05': rpc05,
  'RPC-06': rpc06,
  'RPC-07': rpc07,
  'HTTP-01': http01,
  'HTTP-03': http03,
  'HTTP-04': http04,
  'HTTP-05': http05,
  'GRPC-01': grpc01,
  'GRPC-02': grpc02,
  'GRPC-03': grpc03,
  'DATA-05': data05,
  'CORE-03': core03,
  'CORE-11': core11,
  'CORE-16': core16,
  'CORE-18': core18,
  'STRM-01': strm01,
  'PUSH-01': push01,
  'PUSH-03': push03,
  'EXTCARD-01': extcard01,
  'EXTCARD-02': extcard02,
  'EXTCARD-03': extcard03,
  'AUTH-01': auth01,
  'AUTH-02': auth02,
  'AUTH-05': auth05,
  'EQ-02': eq02,
  'TEN-01': ten01,
  'CORE-01': core01,
  'CORE-02': core02,
  'CORE-04': core04,
  'CORE-05': core05,
  'CORE-06': core06,
  'CORE-07': core07,
  'CORE-08': core08,
  'CORE-09': core09,
  'CORE-10': core10,
  'CORE-12': core12,
  'CORE-13': core13,
  'CORE-14': core14,
  'CORE-15': core15,
  'CORE-17': core17,
  'EXT-01': ext01,
  'EXT-02': ext02,
  'STRM-02': strm02,
  'STRM-03': strm03,
  'STRM-04': strm04,
  'DATA-06': data06,
  'STRM-05': strm05,
  'STRM-06': strm06,
  'STRM-07': strm07,
  'HTTP-06': http06,
  'TASK-AUTH-01': taskAuth01,
  'TASK-AUTH-02': taskAuth02,
  'LIST-01': list01,
  'LIST-02': list02,
  'LIST-03': list03,
  'LIST-04': list04,
  'LIST-05': list05,
  'LIST-06': list06,
  'VER-04': ver04,
  'EQ-01': eq01,
  'PUSH-02': push02,
  'PUSH-04': push04,
  'PUSH-08': push08,
  'PUSH-09': push09,
  'PUSH-05': push05,
  'PUSH-06': push06,
  'PUSH-07': push07,
  'AUTH-03': auth03,
  'AUTH-04': auth04,
};
