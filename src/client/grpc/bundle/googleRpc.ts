import type { ProtoPackage } from './protoPackage.ts';

/** Messages in the details of errors (A2A 1.0 §10.6). */
export const googleRpc: ProtoPackage = {
  name: 'google.rpc',
  enums: {},
  messages: {
    ErrorInfo: { reason: [1, 'string'], domain: [2, 'string'], metadata: [3, 'string map'] },
    BadRequest: { fieldViolations: [1, 'FieldViolation[]'] },
    FieldViolation: { field: [1, 'string'], description: [2, 'string'] },
  },
};
