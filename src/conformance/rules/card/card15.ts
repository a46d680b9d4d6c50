import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'CARD-15',
  level: 'MUST',
  title: 'Names of members are camelCase',
  remedy: 'Serialize by alias: models with snake_case names need camelCase output, such as by_alias=True in Pydantic.',
  clause: '5.5 JSON Field Naming Convention',
  clause0_3: '11.1.5 Data Format Compliance',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['DM-SERIAL-001'],
};
