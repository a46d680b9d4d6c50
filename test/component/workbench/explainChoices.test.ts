import * as assert from 'node:assert/strict';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import type { SecurityScheme } from '../../../src/protocol/card/securityScheme.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { explainSignIn } = await import('../../../src/workbench/signIn/explainCommand.ts');

suite('what the explanation of a sign-in offers', () => {
  async function offered(scheme: SecurityScheme, kind: 'none' | 'signedIn'): Promise<readonly string[]> {
    let details: readonly string[] = [];
    const back = inPlaceOf('window', {
      showQuickPick: async (choices: readonly { readonly detail: string }[]) => void (details = choices.map(({ detail }) => detail)),
    });
    const card = { securitySchemes: { k: scheme }, securityRequirements: [{ schemes: { k: { list: [] } } }] };
    try {
      await explainSignIn({ name: 'Ann', addressUrl: 'http://127.0.0.1:1/', settings: {}, card } as never, {
        load: async () => ({ signIns: { state: async () => ({ kind }) } }) as never,
        plan: async () => signInPlan(card),
        signIn: () => assert.fail('nothing was chosen'),
        show: () => assert.fail('nothing was chosen'),
      });
    } finally {
      back();
    }
    return details;
  }

  test('names tokens only where the card asks for OAuth', async () => {
    const key = { apiKeySecurityScheme: { location: 'header' as const, name: 'X-API-Key' } };
    assert.deepEqual(await offered(key, 'signedIn'), [
      'Its credential is sent to the agent.',
      'You enter the credential, and it is sent to the agent.',
    ]);
    assert.doesNotMatch((await offered(key, 'none')).join(' '), /token|metadata/i);
    const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } };
    assert.match((await offered({ oauth2SecurityScheme: { flows } }, 'signedIn')).join(' '), /Its token .* token request/);
  });
});
