import { isValidExtensionUri } from '../protocol/card/extensionUri.ts';
import type { Headers } from '../protocol/exchange.ts';
import { hint, Problem, sentence } from '../protocol/problem.ts';
import { versions } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/shared/version.ts';

/** Most extensions that are read from an answer. */
const maxActivated = 100;

const names = new Set(versions.flatMap(({ extensionsHeader }) => (extensionsHeader === undefined ? [] : [extensionsHeader.toLowerCase()])));

/**
 * The header that requests extensions (A2A 1.0 §3.2.6); empty if there are none or the protocol version has no such header.
 * @throws Problem `bad-extension` for text that cannot be listed in a header
 */
export function extensionsHeader(uris: readonly string[], { extensionsHeader: name }: Version): Headers {
  const bad = uris.find(uri => !isValidExtensionUri(uri));
  if (bad !== undefined) {
    throw new Problem('bad-extension', sentence('The extension {0} cannot be requested: it is not a URI.', JSON.stringify(bad)), {
      nextStep: hint(
        sentence("Correct it in the agent's settings."),
        'Correct it in --extension, or in the extensions of the agent in .vscode/settings.json.',
      ),
    });
  }
  return name === undefined || uris.length === 0 ? [] : [[name, uris.join(', ')]];
}

/** The extensions that an answer lists as active, under the header name of any protocol version, since servers mix them. */
export function activatedIn(headers: Headers): ReadonlySet<string> {
  const values = headers.filter(([name]) => names.has(name.toLowerCase())).flatMap(([, value]) => value.split(','));
  return new Set(
    values
      .slice(0, maxActivated)
      .map(value => value.trim())
      .filter(Boolean),
  );
}
