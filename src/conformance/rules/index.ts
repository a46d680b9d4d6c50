import type { RuleId } from '../../protocol/ruleId.ts';
import { rule as card01 } from './card/card01.ts';
import { rule as card02 } from './card/card02.ts';
import { rule as card03 } from './card/card03.ts';
import { rule as card04 } from './card/card04.ts';
import { rule as card05 } from './card/card05.ts';
import { rule as card06 } from './card/card06.ts';
import { rule as card07 } from './card/card07.ts';
import { rule as card08 } from './card/card08.ts';
import { rule as card09 } from './card/card09.ts';
import { rule as card10 } from './card/card10.ts';
import { rule as card11 } from './card/card11.ts';
import { rule as card12 } from './card/card12.ts';
import { rule as card13 } from './card/card13.ts';
import { rule as card14 } from './card/card14.ts';
import { rule as card15 } from './card/card15.ts';
import { rule as card16 } from './card/card16.ts';
import { rule as card17 } from './card/card17.ts';
import { rule as card18 } from './card/card18.ts';
import { rule as card19 } from './card/card19.ts';
import { rule as card20 } from './card/card20.ts';
import { rule as sign01 } from './sign/sign01.ts';
import { rule as sign02 } from './sign/sign02.ts';
import { rule as sign03 } from './sign/sign03.ts';
import { rule as sign04 } from './sign/sign04.ts';
import { rule as ext01 } from './ext/ext01.ts';
import { rule as ext02 } from './ext/ext02.ts';
import { rule as extcard01 } from './ext/extcard01.ts';
import { rule as extcard02 } from './ext/extcard02.ts';
import { rule as extcard03 } from './ext/extcard03.ts';
import { rule as auth01 } from './auth/auth01.ts';
import { rule as auth02 } from './auth/auth02.ts';
import { rule as auth03 } from './auth/auth03.ts';
import { rule as auth04 } from './auth/auth04.ts';
import { rule as auth05 } from './auth/auth05.ts';
import { rule as ver01 } from './ver/ver01.ts';
import { rule as ver02 } from './ver/ver02.ts';
import { rule as ver03 } from './ver/ver03.ts';
import { rule as ver04 } from './ver/ver04.ts';
import { rule as rpc01 } from './rpc/rpc01.ts';
import { rule as rpc02 } from './rpc/rpc02.ts';
import { rule as rpc03 } from './rpc/rpc03.ts';
import { rule as rpc04 } from './rpc/rpc04.ts';
import { rule as rpc05 } from './rpc/rpc05.ts';
import { rule as rpc06 } from './rpc/rpc06.ts';
import { rule as rpc07 } from './rpc/rpc07.ts';
import { rule as rpc08 } from './rpc/rpc08.ts';
import { rule as http01 } from './http/http01.ts';
import { rule as http02 } from './http/http02.ts';
import { rule as http03 } from './http/http03.ts';
import { rule as http04 } from './http/http04.ts';
import { rule as http05 } from './http/http05.ts';
import { rule as http06 } from './http/http06.ts';
import { rule as http07 } from './http/http07.ts';
import { rule as grpc01 } from './grpc/grpc01.ts';
import { rule as grpc02 } from './grpc/grpc02.ts';
import { rule as grpc03 } from './grpc/grpc03.ts';
import { rule as grpc04 } from './grpc/grpc04.ts';
import { rule as grpc05 } from './grpc/grpc05.ts';
import { rule as data01 } from './data/data01.ts';
import { rule as data02 } from './data/data02.ts';
import { rule as data03 } from './data/data03.ts';
import { rule as data04 } from './data/data04.ts';
import { rule as data05 } from './data/data05.ts';
import { rule as data06 } from './data/data06.ts';
import { rule as data07 } from './data/data07.ts';
import { rule as core01 } from './core/core01.ts';
import { rule as core02 } from './core/core02.ts';
import { rule as core03 } from './core/core03.ts';
import { rule as core04 } from './core/core04.ts';
import { rule as core05 } from './core/core05.ts';
import { rule as core06 } from './core/core06.ts';
import { rule as core07 } from './core/core07.ts';
import { rule as core08 } from './core/core08.ts';
import { rule as core09 } from './core/core09.ts';
import { rule as core10 } from './core/core10.ts';
import { rule as core11 } from './core/core11.ts';
import { rule as core12 } from './core/core12.ts';
import { rule as core13 } from './core/core13.ts';
import { rule as core14 } from './core/core14.ts';
import { rule as core15 } from './core/core15.ts';
import { rule as core16 } from './core/core16.ts';
import { rule as core17 } from './core/core17.ts';
import { rule as core18 } from './core/core18.ts';
import { rule as core19 } from './core/core19.ts';
import { rule as list01 } from './list/list01.ts';
import { rule as list02 } from './list/list02.ts';
import { rule as list03 } from './list/list03.ts';
import { rule as list04 } from './list/list04.ts';
import { rule as list05 } from './list/list05.ts';
import { rule as list06 } from './list/list06.ts';
import { rule as strm01 } from './strm/strm01.ts';
import { rule as strm02 } from './strm/strm02.ts';
import { rule as strm03 } from './strm/strm03.ts';
import { rule as strm04 } from './strm/strm04.ts';
import { rule as strm05 } from './strm/strm05.ts';
import { rule as strm06 } from './strm/strm06.ts';
import { rule as strm07 } from './strm/strm07.ts';
import { rule as strm08 } from './strm/strm08.ts';
import { rule as strm09 } from './strm/strm09.ts';
import { rule as strm11 } from './strm/strm11.ts';
import { rule as push01 } from './push/push01.ts';
import { rule as push02 } from './push/push02.ts';
import { rule as push03 } from './push/push03.ts';
import { rule as push04 } from './push/push04.ts';
import { rule as push05 } from './push/push05.ts';
import { rule as push06 } from './push/push06.ts';
import { rule as push07 } from './push/push07.ts';
import { rule as push08 } from './push/push08.ts';
import { rule as push09 } from './push/push09.ts';
import { rule as taskAuth01 } from './auth/taskAuth01.ts';
import { rule as taskAuth02 } from './auth/taskAuth02.ts';
import { rule as ten01 } from './eq/ten01.ts';
import { rule as eq01 } from './eq/eq01.ts';
import { rule as eq02 } from './eq/eq02.ts';
import type { Rule } from './rule/rule.ts';

/** The conformance rules by id, a file each. To add one: its id in `ruleId.ts`, its file, its line here. */
export const rules: Readonly<Record<RuleId, Rule>> = {
  'CARD-01': card01,
  'CARD-02': card02,
  'CARD-03': card03,
  'CARD-04': card04,
  'CARD-05': card05,
  'CARD-06': card06,
  'CARD-07': card07,
  'CARD-08': card08,
  'CARD-09': card09,
  'CARD-10': card10,
  'CARD-11': card11,
  'CARD-12': card12,
  'CARD-13': card13,
  'CARD-14': card14,
  'CARD-15': card15,
  'CARD-16': card16,
  'CARD-17': card17,
  'CARD-18': card18,
  'CARD-19': card19,
  'CARD-20': card20,
  'SIGN-01': sign01,
  'SIGN-02': sign02,
  'SIGN-03': sign03,
  'SIGN-04': sign04,
  'EXT-01': ext01,
  'EXT-02': ext02,
  'EXTCARD-01': extcard01,
  'EXTCARD-02': extcard02,
  'EXTCARD-03': extcard03,
  'AUTH-01': auth01,
  'AUTH-02': auth02,
  'AUTH-03': auth03,
  'AUTH-04': auth04,
  'AUTH-05': auth05,
  'VER-01': ver01,
  'VER-02': ver02,
  'VER-03': ver03,
  'VER-04': ver04,
  'RPC-01': rpc01,
  'RPC-02': rpc02,
  'RPC-03': rpc03,
  'RPC-04': rpc04,
  'RPC-05': rpc05,
  'RPC-06': rpc06,
  'RPC-07': rpc07,
  'RPC-08': rpc08,
  'HTTP-01': http01,
  'HTTP-02': http02,
  'HTTP-03': http03,
  'HTTP-04': http04,
  'HTTP-05': http05,
  'HTTP-06': http06,
  'HTTP-07': http07,
  'GRPC-01': grpc01,
  'GRPC-02': grpc02,
  'GRPC-03': grpc03,
  'GRPC-04': grpc04,
  'GRPC-05': grpc05,
  'DATA-01': data01,
  'DATA-02': data02,
  'DATA-03': data03,
  'DATA-04': data04,
  'DATA-05': data05,
  'DATA-06': data06,
  'DATA-07': data07,
  'CORE-01': core01,
  'CORE-02': core02,
  'CORE-03': core03,
  'CORE-04': core04,
  'CORE-05': core05,
  'CORE-06': core06,
  'CORE-07': core07,
  'CORE-08': core08,
  'CORE-09': core09,
  'CORE-10': core10,
  'CORE-11': core11,
  'CORE-12': core12,
  'CORE-13': core13,
  'CORE-14': core14,
  'CORE-15': core15,
  'CORE-16': core16,
  'CORE-17': core17,
  'CORE-18': core18,
  'CORE-19': core19,
  'LIST-01': list01,
  'LIST-02': list02,
  'LIST-03': list03,
  'LIST-04': list04,
  'LIST-05': list05,
  'LIST-06': list06,
  'STRM-01': strm01,
  'STRM-02': strm02,
  'STRM-03': strm03,
  'STRM-04': strm04,
  'STRM-05': strm05,
  'STRM-06': strm06,
  'STRM-07': strm07,
  'STRM-08': strm08,
  'STRM-09': strm09,
  'STRM-11': strm11,
  'PUSH-01': push01,
  'PUSH-02': push02,
  'PUSH-03': push03,
  'PUSH-04': push04,
  'PUSH-05': push05,
  'PUSH-06': push06,
  'PUSH-07': push07,
  'PUSH-08': push08,
  'PUSH-09': push09,
  'TASK-AUTH-01': taskAuth01,
  'TASK-AUTH-02': taskAuth02,
  'TEN-01': ten01,
  'EQ-01': eq01,
  'EQ-02': eq02,
};

/** The rule with that id; undefined for one from another version of this product. */
export const ruleOf = (id: string): Rule | undefined => (Object.hasOwn(rules, id) ? rules[id as RuleId] : undefined);
