import { AgentCard } from '../../protocol/card/agentCard.ts';
import { AgentCard0_3 } from '../../protocol/versions/shared/agentCard0_3.ts';
import { AgentCard0_1 } from '../../protocol/versions/v0_1/agentCard0_1.ts';
import { AgentCard0_2 } from '../../protocol/versions/v0_3/v0_2.ts';
import { draft07, jsonSchemaOf, type JsonSchema } from './jsonSchema.ts';

/** Matches cards with an address of their own, or a protocol version before 1.0. */
const looksLike0_3: JsonSchema = {
  anyOf: [{ required: ['url'] }, { required: ['protocolVersion'], properties: { protocolVersion: { type: 'string', pattern: '^0\\.' } } }],
};

/** Matches cards with members that only 0.1 has, or with a 0.1 version. */
const looksLike0_1: JsonSchema = {
  anyOf: [
    { required: ['authentication'], not: { anyOf: [{ required: ['securitySchemes'] }, { required: ['protocolVersion'] }] } },
    { required: ['protocolVersion'], properties: { protocolVersion: { type: 'string', pattern: '^0\\.1(\\.|$)' } } },
  ],
};

/** Cards of 0.2 have a `protocolVersion` only from 0.2.5 on. */
const looksLike0_2: JsonSchema = {
  required: ['protocolVersion'],
  properties: { protocolVersion: { type: 'string', pattern: '^0\\.2(\\.|$)' } },
};

/**
 * The schema of agent cards, for the version that the content indicates: 1.0 for cards with `supportedInterfaces` (they may also have
 * members of older versions), else 0.1, 0.2 or 0.3 where they match, and 1.0 for an empty card.
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
