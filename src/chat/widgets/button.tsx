import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Requests } from '../host/messages.ts';
import { useContentHost } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';

export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean | undefined }): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly spin?: boolean;
  /** State of a switch. */
  readonly pressed?: boolean;
  /** Set where it shows and hides something: true while that is shown. */
  readonly expanded?: boolean;
}

export function IconButton({
  icon,
  label,
  onClick,
  class: className = '',
  disabled,
  spin,
  pressed,
  expanded,
}: IconButtonProps): JSX.Element {
  const name = `${pressed === undefined ? '' : 'toggle'} ${className}`;
  const state = { 'aria-pressed': pressed, 'aria-expanded': expanded };
  return (
    <button type="button" class={`icon-button ${name}`} title={label} aria-label={label} {...state} disabled={disabled} onClick={onClick}>
      <Icon name={icon} spin={spin} />
    </button>
  );
}

interface TextButtonProps {
  readonly icon?: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly expanded?: boolean;
  readonly spin?: boolean;
  readonly children: ComponentChildren;
}

export function TextButton({
  icon,
  onClick,
  class: className = 'secondary',
  expanded,
  spin = false,
  children,
}: TextButtonProps): JSX.Element {
  return (
    <button type="button" class={`text-button ${className}`} onClick={onClick} aria-expanded={expanded}>
      {icon !== undefined && <Icon name={icon} spin={spin} />}
      <span>{children}</span>
    </button>
  );
}

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  /** Request to the host, which copies all of it where the page has only a part. */
  readonly whole?: Requests['copyWhole']['params'] | undefined;
}

/** Copies the result of `text` when pressed, and confirms it for a moment. */
export function CopyButton({ text, label, whole }: CopyButtonProps): JSX.Element {
  const host = useContentHost();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await (whole === undefined ? host.copy(text()) : host.ask('copyWhole', whole)))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? t('Copied') : label} onClick={() => void copy()} />;
}

/** A link from an agent: without an address in the DOM, so that nothing can navigate; the host opens it. */
export function AskLink({
  url,
  shown,
  children,
}: {
  readonly url: string;
  readonly shown: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const host = useContentHost();
  const open = (): void => void host.ask('openLink', { url });
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={shown}
      onClick={open}
      onKeyDown={event => {
        if (event.key === 'Enter') open();
      }}
    >
      {children}
    </a>
  );
}
