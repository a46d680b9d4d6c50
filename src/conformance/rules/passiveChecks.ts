import type { RuleId } from '../../protocol/ruleId.ts';
import { passive as card04 } from './card/card04.ts';
import { passive as card06 } from './card/card06.ts';
import { passive as card09 } from './card/card09.ts';
import { passive as card10 } from './card/card10.ts';
import { passive as card11 } from './card/card11.ts';
import { passive as card12 } from './card/card12.ts';
import { passive as card16 } from './card/card16.ts';
import { passive as card17 } from './card/card17.ts';
import { passive as card18 } from './card/card18.ts';
import { passive as card19 } from './card/card19.ts';
import { passive as card20 } from './card/card20.ts';
import { passive as sign01 } from './sign/sign01.ts';
import { passive as sign04 } from './sign/sign04.ts';
import { passive as rpc07 } from './rpc/rpc07.ts';
import { passive as http04 } from './http/http04.ts';
import { passive as http05 } from './http/http05.ts';
import { passive as auth02 } from './auth/auth02.ts';
import { passive as taskAuth01 } from './auth/taskAuth01.ts';
import { passive as core05 } from './core/core05.ts';
import { passive as core08 } from './core/core08.ts';
import { passive as core09 } from './core/core09.ts';
import { passive as core13 } from './core/core13.ts';
import { passive as core14 } from './core/core14.ts';
import { passive as data01 } from './data/data01.ts';
import { passive as list01 } from './list/list01.ts';
import { passive as list02 } from './list/list02.ts';
import { passive as list03 } from './list/list03.ts';
import { passive as push08 } from './push/push08.ts';
import type { PassiveCheck } from './rule/passiveCheck.ts';

/**
 * The rules that are checked on what comes anyway, besides those that the code which reads answers notes. To add one, add `passive` to the
 * rule's file and its line here.
 */
export const passiveChecks: Readonly<Partial<Record<RuleId, PassiveCheck>>> = {
  'CARD-04': card04,
  'CARD-06': card06,
  'CARD-09': card09,
  'CARD-10': card10,
  'CARD-11': card11,
  'CARD-12': card12,
  'CARD-16': card16,
  'CARD-17': card17,
  'CARD-18': card18,
  'CARD-19': card19,
  'CARD-20': card20,
  'SIGN-01': sign01,
  'SIGN-04': sign04,
  'RPC-07': rpc07,
  'HTTP-04': http04,
  'HTTP-05': http05,
  'AUTH-02': auth02,
  'TASK-AUTH-01': taskAuth01,
  'CORE-05': core05,
  'CORE-08': core08,
  'CORE-09': core09,
  'CORE-13': core13,
  'CORE-14': core14,
  'DATA-01': data01,
  'LIST-01': list01,
  'LIST-02': list02,
  'LIST-03': list03,
  'PUSH-08': push08,
};
