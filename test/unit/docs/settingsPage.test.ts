import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

const { contributes } = JSON.parse(read('package.json')) as {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, Schema>> } };
};
const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
const translated = (text = ''): string => text.replace(/^%(.*)%$/, (_, key: string) => texts[key] ?? key);
const described = ({ description, markdownDescription }: Schema): string => translated(markdownDescription ?? description);

const scopes: Readonly<Record<string, string>> = {
  application: 'user settings only',
  resource: 'user, workspace and folder settings',
  window: 'user and workspace settings',
};

/** The members of an object setting, with their path from the named entry. */
function members(schema: Schema, path = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    `| \`${path}${name}\` | ${described(member) || `${member.type ?? ''}`} |`,
    ...members(member, `${path}${name}.`),
  ]);
}

function section(name: string, schema: Schema): string {
  const { additionalProperties, default: value, enum: values = [], enumDescriptions = [], scope = 'window' } = schema;
  const entry = typeof additionalProperties === 'object' ? members(additionalProperties) : [];
  return [
    `## ${name}`,
    described(schema),
    `Default: \`${JSON.stringify(value)}\`. Can be set in: ${scopes[scope] ?? scope}.`,
    ...(values.length === 0 ? [] : [values.map((each, index) => `- \`${each}\`: ${translated(enumDescriptions[index])}`).join('\n')]),
    ...(entry.length === 0 ? [] : [['| member of an entry | meaning |', '|---|---|', ...entry].join('\n')]),
  ].join('\n\n');
}

/** `docs/settings.md`, from the manifest. */
const page = `# Settings

Set these in VS Code's settings (*Preferences: Open Settings (UI)*, search for \`a2a\`), or in a \`settings.json\`:

\`\`\`json
{
  "a2a.agents": {
    "My Agent": { "url": "http://localhost:41241", "interface": { "protocolBinding": "HTTP+JSON" } },
    "Staging": {
      "url": "https://agents.example",
      "headers": { "Authorization": "Bearer {{$secret STAGING_TOKEN}}" }
    }
  },
  "a2a.responsePreview": true
}
\`\`\`

*A2A: Add Agent…* writes \`a2a.agents\` for you. If an agent is in several scopes, the whole entry of the strongest one is used: folder, then
workspace, then user. Until you trust a workspace, its agents are ignored. More about [interfaces](agent-cards.md#choose-an-interface),
[headers](signing-in.md#send-credentials-in-headers) and [time limits](troubleshooting.md#timeouts).

${Object.entries(contributes.configuration.properties)
  .map(([name, schema]) => section(name, schema))
  .join('\n\n')}
`;

suite('the page of settings', () => {
  const path = resolve(root, 'docs/settings.md');

  test('is what the manifest says', () => {
    if (process.env['A2A_WRITE'] !== undefined) return writeFileSync(path, page);
    assert.equal(readFileSync(path, 'utf8'), page, 'A2A_WRITE=1 npm test -- unit --grep "page of settings" writes it');
  });

  test('has words for every setting and every member', () => {
    assert.doesNotMatch(page, /%|\| *\|$|\n\n\n/m);
    for (const name of Object.keys(contributes.configuration.properties))
      assert.match(page, new RegExp(`^## ${name.replaceAll('.', '\\.')}\n\n.{20}`, 'm'));
  });
});
