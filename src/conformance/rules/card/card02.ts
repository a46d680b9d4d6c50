import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { compared, failed, isAside, nothing, passed } from '../rule/outcome.ts';
import type { ProbeAnswer } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

const place = '/.well-known/agent-card.json';
const older = '/.well-known/agent.json';
const maxRedirects = 5;

/** Where an answer sends the reader; undefined for one that is not a redirect. */
function redirectOf({ status, headers, exchange }: ProbeAnswer): URL | undefined {
  const location = headers.get('location');
  const { url } = exchange.request;
  return [301, 302, 303, 307, 308].includes(status) && location !== undefined && URL.canParse(location, url)
    ? new URL(location, url)
    : undefined;
}

export const rule: Rule = {
  id: 'CARD-02',
  level: 'SHOULD',
  title: 'The card is at agent-card.json, and a legacy location serves the same card',
  remedy:
    'Add a route for /.well-known/agent-card.json that answers with application/json, and let the older path answer with the same object.',
  clause: '8.2 Discovery Mechanisms',
  clause0_3: '5.3 Recommended Location',
  versions: ['1.0', '0.3'],
  whileReading: true,
  kit: ['CARD-DISC-001'],
  probe: {
    async run(port) {
      const url = new URL(port.cardUrl);
      const isThere = url.pathname.endsWith(place);
      const base = isThere || url.pathname.endsWith(older) ? url.pathname.slice(0, url.pathname.lastIndexOf('/.well-known/')) : '';
      let card = await port.get(new URL(`${base}${place}`, url).href);
      for (let hop = 0; hop < maxRedirects; hop++) {
        const target = redirectOf(card);
        // What is at another origin is only asked where the card was read from there.
        if (target === undefined || (target.origin !== url.origin && target.href !== url.href)) break;
        card = await port.get(target.href);
      }
      if (isAside(card) || card.status >= 500 || redirectOf(card) !== undefined) return nothing(card);
      if (card.status !== 200 || !isObject(card.json)) return failed(card, sentence('There is no card at {0}.', place));
      const old = await port.get(new URL(`${base}${older}`, url).href);
      if (old.status !== 200 || !isObject(old.json) || old.json['name'] === undefined)
        return passed(card, sentence('The card is at {0}.', place));
      return compared(old, 'name', old.json['name'], card.json['name'], '/name');
    },
  },
};
