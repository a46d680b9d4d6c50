import * as assert from 'node:assert/strict';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import type { SignInOption } from '../../../src/auth/signInPlan.ts';
import { english } from '../../../src/protocol/problem.ts';
import { readCard0_1 } from '../../../src/protocol/versions/v0_1/readCard0_1.ts';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';

const key = { apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } } as const;
const bearer = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
const oauth = { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } } } };
const skill = (name: string, schemes: Readonly<Record<string, { readonly list: string[] }>>): AgentCard['skills'][number] => ({
  id: name,
  name,
  description: '',
  tags: [],
  securityRequirements: [{ schemes }],
});
const shown = ({ steps, skills }: SignInOption): string =>
  [steps.map(({ name, scopes }) => [name, ...scopes].join(' ')).join(' + '), ...(skills ?? [])].join(' | ');

suite('the plan of a sign-in', () => {
  test('requirements are alternatives, and the schemes of one are needed together', () => {
    const { options, optional } = signInPlan({
      securitySchemes: { key, bearer, oauth },
      securityRequirements: [{ schemes: { key: {}, oauth: { list: ['a', 'b'] } } }, { schemes: { bearer: {} } }],
    });
    assert.deepEqual(options.map(shown), ['key + oauth a b', 'bearer']);
    assert.equal(optional, false);
  });

  test('what a skill requires is offered beside what the card does, once for all skills that require the same', () => {
    const plan = signInPlan({
      securitySchemes: { key, oauth },
      securityRequirements: [{ schemes: { oauth: { list: ['use'] } } }],
      skills: [
        skill('Look', { oauth: { list: ['use'] } }),
        skill('Book', { oauth: { list: ['book'] } }),
        skill('Cancel', { oauth: { list: ['book'] } }),
        skill('Pay', { key: { list: [] } }),
      ],
    });
    assert.deepEqual(plan.options.map(shown), ['oauth use', 'oauth use book | Book | Cancel', 'oauth use + key | Pay']);
  });

  test('a card that is open but for a skill offers what that skill requires', () => {
    const plan = signInPlan({ securitySchemes: { oauth }, skills: [skill('Book', { oauth: { list: ['book'] } })] });
    assert.deepEqual([plan.options.map(shown), plan.optional], [['oauth', 'oauth book | Book'], true]);
  });

  test('two schemes that need the Authorization header are not supported together', () => {
    const { options } = signInPlan({ securitySchemes: { bearer, oauth }, securityRequirements: [{ schemes: { bearer: {}, oauth: {} } }] });
    assert.match(english(options[0]!.steps[1]!.unsupported!), /"bearer" and "oauth" together need two Authorization headers/);
  });

  for (const [flow, reason] of [
    ['implicit', /implicit flow puts the token into an address/],
    ['password', /password flow gives your password to another program/],
  ] as const)
    test(`the ${flow} flow is named as not supported, with the reason, after what is`, () => {
      const flows = { [flow]: { authorizationUrl: 'https://a.example', tokenUrl: 'https://a.example', scopes: {} } };
      const { options } = signInPlan({
        securitySchemes: { old: { oauth2SecurityScheme: { flows } }, key },
        securityRequirements: [{ schemes: { old: {} } }, { schemes: { key: {} } }],
      });
      assert.deepEqual(options.map(shown), ['key', 'old']);
      assert.match(english(options[1]!.steps[0]!.unsupported!), reason);
    });

  test('the list of schemes of 0.1 names alternatives', () => {
    const card = readCard0_1(
      {
        name: 'Old',
        url: 'https://old.example/',
        version: '1',
        capabilities: {},
        skills: [],
        authentication: { schemes: ['Bearer', 'OAuth2', 'ApiKey', 'Basic'], credentials: '{"in":"query","name":"k"}' },
      },
      () => {},
    );
    const { options } = signInPlan(card);
    assert.deepEqual(
      options.map(({ steps: [step] }) => step!.kind),
      ['bearer', 'oauth2', 'apiKey', 'basic'],
    );
    assert.deepEqual(options[2]!.steps[0]!.scheme.apiKeySecurityScheme, { location: 'query', name: 'k' });
  });
});
