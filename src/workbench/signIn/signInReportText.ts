import type { Headers } from '../../protocol/exchange.ts';
import type { ExplainedStep, SeenExchange, SignInReport, SignInStepId } from '../../auth/doctor/signInReport.ts';
import { Verbatim, writeJson } from '../../request/text/indentJson.ts';
import { listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

type Translate = (message: LocalizedMessage) => string;

const titles: Readonly<Record<SignInStepId, LocalizedMessage>> = {
  card: sentence('Agent card'),
  request: sentence('Request without credentials'),
  resource: sentence('Metadata of the agent (RFC 9728)'),
  server: sentence('Metadata of the authorization server (RFC 8414)'),
  client: sentence('What the authorization server supports'),
  authorization: sentence('Authorization in the browser'),
  token: sentence('Token'),
  claims: sentence('Claims of the token'),
  use: sentence('Request with the credentials'),
  refresh: sentence('Renewal of the token'),
};
const verdicts: Readonly<Record<ExplainedStep['verdict'], LocalizedMessage>> = {
  ok: sentence('ok'),
  failed: sentence('failed'),
  skipped: sentence('not tried'),
};

/** The sentence on one line: no line of ours may begin with a text of a server. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** A body as it came, JSON a member a line. */
function indented(text: string): readonly string[] {
  const json = Verbatim.of(text);
  return (json === undefined ? text : writeJson(json)).split(/\r\n|\r|\n/).map(line => `    ${line}`);
}

/** A report on a sign-in as a text to read: what is likely wrong, then each step with its exchanges. */
export function signInReportText({ agentUrl, origins, steps, isAccepted, causes }: SignInReport, translate: Translate): string {
  const line = (message: LocalizedMessage): string => oneLine(translate(message));
  const lines = [line(sentence('Signing in to {0}', agentUrl)), ''];
  if (isAccepted || causes.length === 0) lines.push(line(sentence('No problems found.')), '');
  if (causes.length > 0) {
    lines.push(line(isAccepted ? sentence('Worth mending all the same:') : sentence('Likely causes, most likely first:')), '');
    causes.forEach(({ sentence: what, remedy, step }, index) =>
      lines.push(`${index + 1}. ${line(what)}`, `   ${line(remedy)}`, `   (${line(titles[step])})`, ''),
    );
  }
  steps.forEach(({ id, verdict, sentence: what, facts, exchanges }, index) =>
    lines.push(
      `# ${line(sentence('Step {0}. {1}: {2}', index + 1, titles[id], verdicts[verdict]))}`,
      `  ${line(what)}`,
      ...facts.map(fact => `  ${line(fact)}`),
      ...exchanges.flatMap(exchange => exchangeLines(exchange, line)),
      '',
    ),
  );
  if (origins.length > 0)
    lines.push(
      line(sentence('Documents were fetched without credentials, and without following redirects, from: {0}', listOf(origins))),
      '',
    );
  lines.push(line(sentence('Credentials in requests and answers are masked.')), '');
  return lines.join('\n');
}

const headerLines = (headers: Headers): readonly string[] => headers.map(([name, value]) => `    ${oneLine(`${name}: ${value}`)}`);

const exchangeLines = (
  { method, url, requestHeaders, requestBody, status, headers, body }: SeenExchange,
  line: (message: LocalizedMessage) => string,
): readonly string[] => [
  '',
  `    ${method} ${oneLine(url)}`,
  ...headerLines(requestHeaders),
  ...(requestBody === undefined || requestBody === '' ? [] : indented(requestBody)),
  `    ${status === undefined ? line(sentence('No answer')) : `HTTP ${status}`}`,
  ...headerLines(headers),
  ...(body === '' ? [] : indented(body)),
];
