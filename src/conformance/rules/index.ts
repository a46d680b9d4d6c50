// Written by test/unit/conformance/ruleTables.test.ts from the files of rules.

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
import { rule as data08 } from './data/data08.ts';
import { rule as data09 } from './data/data09.ts';
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
import { rule as list07 } from './list/list07.ts';
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
import { rule as strm12 } from './strm/strm12.ts';
import { rule as strm13 } from './strm/strm13.ts';
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

const all: readonly Rule[] = [
  card01,
  card02,
  card03,
  card04,
  card05,
  card06,
  card07,
  card08,
  card09,
  card10,
  card11,
  card12,
  card13,
  card14,
  card15,
  card16,
  card17,
  card18,
  card19,
  card20,
  sign01,
  sign02,
  sign03,
  sign04,
  ext01,
  ext02,
  extcard01,
  extcard02,
  extcard03,
  auth01,
  auth02,
  auth03,
  auth04,
  auth05,
  ver01,
  ver02,
  ver03,
  ver04,
  rpc01,
  rpc02,
  rpc03,
  rpc04,
  rpc05,
  rpc06,
  rpc07,
  rpc08,
  http01,
  http02,
  http03,
  http04,
  http05,
  http06,
  http07,
  grpc01,
  grpc02,
  grpc03,
  grpc04,
  grpc05,
  data01,
  data02,
  data03,
  data04,
  data05,
  data06,
  data07,
  data08,
  data09,
  core01,
  core02,
  core03,
  core04,
  core05,
  core06,
  core07,
  core08,
  core09,
  core10,
  core11,
  core12,
  core13,
  core14,
  core15,
  core16,
  core17,
  core18,
  core19,
  list01,
  list02,
  list03,
  list04,
  list05,
  list06,
  list07,
  strm01,
  strm02,
  strm03,
  strm04,
  strm05,
  strm06,
  strm07,
  strm08,
  strm09,
  strm11,
  strm12,
  strm13,
  push01,
  push02,
  push03,
  push04,
  push05,
  push06,
  push07,
  push08,
  push09,
  taskAuth01,
  taskAuth02,
  ten01,
  eq01,
  eq02,
];

/** The conformance rules by id. */
export const rules = Object.fromEntries(all.map(rule => [rule.id, rule])) as Readonly<Record<RuleId, Rule>>;

/** The rule with that id; undefined for one from another version of this product. */
export const ruleOf = (id: string): Rule | undefined => (Object.hasOwn(rules, id) ? rules[id as RuleId] : undefined);
