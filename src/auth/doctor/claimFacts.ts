import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { timeOf } from './claims.ts';
import type { Json } from './look.ts';

/** Claims that people compare. Whom the token is for is no credential. */
const shownClaims = ['iss', 'aud', 'sub', 'client_id', 'azp', 'scope', 'scp'];
/** Longest claim that is shown, in characters. */
const maxClaim = 300;

/** The claims of a token, its times in words and as dates. */
export function claimFacts(claims: Json, now: number): readonly LocalizedMessage[] {
  const texts = shownClaims
    .filter(name => claims[name] !== undefined)
    .map(name => sentence('{0}: {1}', name, JSON.stringify(claims[name]).slice(0, maxClaim)));
  const [issued, begins, expires] = [timeOf(claims['iat']), timeOf(claims['nbf']), timeOf(claims['exp'])];
  return [
    ...texts,
    ...(issued === undefined ? [] : [whenSentence(issued, now, 'issued')]),
    ...(begins === undefined ? [] : [whenSentence(begins, now, 'begins')]),
    ...(expires === undefined ? [] : [whenSentence(expires, now, 'expires')]),
  ];
}

type Moment = 'issued' | 'begins' | 'expires';

function whenSentence(at: number, now: number, moment: Moment): LocalizedMessage {
  const far = distance(Math.abs(at - now));
  const date = shownDate(at);
  const isPast = at <= now;
  switch (moment) {
    case 'issued':
      return isPast ? sentence('Issued {0} ago (iat, {1}).', far, date) : sentence('Issued {0} from now (iat, {1}).', far, date);
    case 'begins':
      return isPast ? sentence('Valid since {0} (nbf, {1}).', far, date) : sentence('Valid only {0} from now (nbf, {1}).', far, date);
    case 'expires':
      return isPast ? sentence('Expired {0} ago (exp, {1}).', far, date) : sentence('Expires {0} from now (exp, {1}).', far, date);
  }
}

/** A time in milliseconds since 1970. A claim may be any number, and `Date` covers only some: others are shown in seconds. */
export function shownDate(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at / 1000) : date.toISOString();
}

/** A time in its greatest unit. @param ms in milliseconds */
function distance(ms: number): LocalizedMessage {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return sentence('{0} s', seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return sentence('{0} min', minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? sentence('{0} h', hours) : sentence('{0} days', Math.round(hours / 24));
}
