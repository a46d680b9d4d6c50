import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { compared, failed, inconclusive, passed, wantsCredentials } from '../rule/outcome.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'SHOULD',
  title: 'The card is at agent-card.json, and one at an older place says the same',
  section: '8.2',
  section0_3: '5.3',
  versions: ['1.0', '0.3'],
  active: true,
  kit: ['CARD-DISC-001'],
};

const place = '/.well-known/agent-card.json';
const older = '/.well-known/agent.json';

export const probe: Probe = {
  async run(port) {
    const url = new URL(port.cardUrl);
    const isThere = url.pathname.endsWith(place);
    const base = isThere || url.pathname.endsWith(older) ? url.pathname.slice(0, url.pathname.lastIndexOf('/.well-known/')) : '';
    const card = await port.get(new URL(`${base}${place}`, url).href);
    if (wantsCredentials(card) || card.status >= 500)
      return inconclusive(card, sentence('It answered HTTP {0}, which says nothing about the rule.', card.status));
    if (card.status !== 200 || !isObject(card.json)) return failed(card, sentence('There is no card at {0}.', place));
    const old = await port.get(new URL(`${base}${older}`, url).href);
    if (old.status !== 200 || !isObject(old.json) || old.json['name'] === undefined)
      return passed(card, sentence('The card is at {0}.', place));
    return compared(old, 'name', old.json['name'], card.json['name'], '/name');
  },
};
