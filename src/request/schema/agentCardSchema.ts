import { AgentCard } from '../../protocol/card/agentCard.ts';
import { AgentCard0_3 } from '../../protocol/versions/shared/agentCard0_3.ts';
import { AgentCard0_1 } from '../../protocol/versions/v0_1/agentCard0_1.ts';
import { AgentCard0_2 } from '../../protocol/versions/v0_3/v0_2.ts';
import { draft07, jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** Of 0.3 by what it has: an address of its own, or a protocol version before 1.0. */
const looksLike0_3: JsonSchema = {
  anyOf: [{ required: ['url'] }, { required: ['protocolVersion'], properties: { protocolVersion: { type: 'string', pattern: '^0\\.' } } }],
};

/** Of 0.1 by what only that has, or by what it says. */
const looksLike0_1: JsonSchema = {
  anyOf: [
    { required: ['authentication'], not: { anyOf: [{ required: ['securitySchemes'] }, { required: ['protocolVersion'] }] } },
    { required: ['protocolVersion'], properties: { protocolVersion: { type: 'string', pattern: '^0\\.1(\\.|$)' } } },
  ],
};

/** Cards of 0.2 may say so, and need not before 0.2.5. */
const looksLike0_2: JsonSchema = {
  required: ['protocolVersion'],
  properties: { protocolVersion: { type: 'string', pattern: '^0\\.2(\\.|$)' } },
};

/**
 * The schema of agent cards, of the version that the content shows: with `supportedInterfaces` it is 1.0 whatever else it has (cards may
 * carry the members of both), else 0.1, 0.2 or 0.3 where it looks like it; an empty card is to become 1.0.
 */
export function agentCardSchema(): JsonSchema {
  const v1_0 = jsonSchemaOf(AgentCard);
  return {
    $schema: draft07,
    type: 'object',
    if: { required: ['supportedInterfaces'] },
    then: v1_0,
    else: {
      if: looksLike0_1,
      then: jsonSchemaOf(AgentCard0_1),
      else: {
        if: looksLike0_2,
        then: jsonSchemaOf(AgentCard0_2),
        else: { if: looksLike0_3, then: jsonSchemaOf(AgentCard0_3), else: v1_0 },
      },
    },
  };
}
