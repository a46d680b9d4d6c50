import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, TextButton } from './button.tsx';
import { elapsed } from '../text/measures.ts';
import type { ChatState, ShownConnection } from '../host/chatState.ts';
import { language, usePanel } from '../panel/panelContext.ts';
import { t, localized } from '../text/strings.ts';

/** The connection to the agent, where it is lost, silent or not listened to; nothing where it works. */
export function ConnectionLine({ state }: { readonly state: ChatState }): JSX.Element | null {
  const panel = usePanel();
  const notable = panel.connections.notable;
  useSeconds(notable?.retryIn !== undefined || notable?.kind === 'quiet');
  const tryNow = (label: string): JSX.Element => (
    <TextButton class="quiet" icon="refresh" onClick={() => void panel.ask('tryNow', null)}>
      {label}
    </TextButton>
  );
  if (notable !== undefined) {
    const { kind, reason } = notable;
    return (
      <div class={`connection connection-${kind}`}>
        <Icon name={icons[kind]} />
        <span class="connection-words" title={reason}>
          {wordsOf(notable, panel.connections.age)}
        </span>
        {reason !== undefined && kind !== 'open' && <span class="connection-reason">{reason}</span>}
        {(kind === 'none' || notable.retryIn !== undefined) && tryNow(t('Try Now'))}
      </div>
    );
  }
  const { problem } = state;
  if (problem === undefined || isShown(panel.transcript.lastProblem, problem.message)) return null;
  return (
    <div class={`connection ${state.recorded === true ? '' : 'connection-lost'}`} role={state.recorded === true ? 'note' : 'alert'}>
      <Icon name={state.recorded === true ? 'info' : 'error'} />
      <span class="connection-words">{problem.message}</span>
      {problem.nextStep !== undefined && <span class="connection-reason">{problem.nextStep}</span>}
      {state.recorded !== true && tryNow(t('Try Again'))}
    </div>
  );
}

const icons: Readonly<Record<ShownConnection['kind'], string>> = {
  open: 'warning',
  quiet: 'watch',
  lost: 'debug-disconnect',
  'unknown-state': 'question',
  elsewhere: 'window',
  full: 'circle-slash',
  none: 'debug-disconnect',
};

const isShown = (problem: { readonly sentence: Parameters<typeof localized>[0] } | undefined, message: string): boolean =>
  problem !== undefined && localized(problem.sentence) === message;

/** `age`: milliseconds since the report. */
function wordsOf(connection: ShownConnection, age: number): string {
  const { kind, attempt = 1, retryIn, reason } = connection;
  const seconds = retryIn === undefined ? 0 : Math.ceil((retryIn - age) / 1000);
  switch (kind) {
    case 'open':
      return reason ?? '';
    case 'quiet':
      return lastHeard(connection, age);
    case 'elsewhere':
      return t('Followed in another window');
    case 'full':
      return t('This task has exceeded its size limit; it is no longer followed');
    case 'none':
      return t('Not following this task; what is shown may be out of date');
    case 'unknown-state':
      return seconds <= 0 ? t('Unknown state: asking the agent again') : t('Unknown state: asking the agent again in {0} s', seconds);
    case 'lost':
      return seconds <= 0
        ? t('Connection lost, trying again now ({0} attempt)', ordinal(attempt))
        : t('Connection lost, trying again in {0} s ({1} attempt)', seconds, ordinal(attempt));
  }
}

/** Time since something was last received from the agent; `age`: milliseconds since the report. */
export function lastHeard({ silent, lasts = 0 }: ShownConnection, age: number): string {
  const whole = (ms: number): string => elapsed(Math.max(1, Math.floor(ms / 1000)) * 1000).replace(/[.,]0/, '');
  return silent === undefined ? t('No data received for {0}', whole(lasts + age)) : t('Last activity {0} ago', whole(silent + age));
}

/** `3rd` in English; languages without such endings have the number in the sentence. */
function ordinal(count: number): string {
  if (!language().startsWith('en')) return String(count);
  const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${count}${endings[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th'}`;
}

/** Renders the component once a second while `counts`, or in another interval, in milliseconds. */
export function useSeconds(counts: boolean, interval = 1000): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => draw(Date.now()), interval);
    return () => clearInterval(timer);
  }, [counts]);
}
