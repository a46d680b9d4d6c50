import { closestMatch } from '../closestMatch.ts';
import { sentence, type LocalizedMessage } from '../problem.ts';

const schemes = ['http', 'https'];
/** A word, separators before a host, and the rest. */
const shape = /^([a-z][a-z\d+-]*)([:;]\/*|\/\/+)([^/].*)$/i;

interface WrongScheme {
  /** The address that was probably meant. */
  readonly meant: string | undefined;
  readonly sentence: LocalizedMessage;
  readonly nextStep: LocalizedMessage;
}

/**
 * Fault of an address whose scheme is mistyped (`htp://host`, `http:/host`, `http//host`) and would be read as a host name. Undefined for
 * any other text, including addresses with another valid scheme.
 */
export function wrongScheme(address: string): WrongScheme | undefined {
  const [, word = '', between = '', rest = ''] = shape.exec(address.trim()) ?? [];
  const scheme = schemes.find(each => each === word.toLowerCase()) ?? closestMatch(word, schemes);
  const isRight = between.startsWith('://') && (scheme === undefined || scheme === word.toLowerCase());
  // `host:8080` is a host with a port. A word before a single slash is taken for a scheme only where nothing indicates a host.
  const isHost =
    between === ':' ? scheme === undefined || /^\d/.test(rest) : scheme === undefined && (between !== ':/' || /^localhost$/i.test(word));
  if (word === '' || isRight || isHost) return undefined;
  const meant = scheme === undefined ? undefined : `${scheme}://${rest}`;
  return {
    meant,
    sentence: sentence('{0} does not begin with http:// or https://.', JSON.stringify(address.trim())),
    nextStep:
      meant === undefined
        ? sentence('Enter an address such as https://agent.example.com or localhost:41241.')
        : sentence('Did you mean {0}?', meant),
  };
}
