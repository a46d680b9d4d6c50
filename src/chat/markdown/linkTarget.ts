import { visible } from '../text/visible.ts';

/** An address that may be followed: what to ask the host for, and what to show for it. */
export interface LinkTarget {
  readonly url: string;
  /** In ASCII (IDN hosts as punycode), with nothing hidden in it. */
  readonly shown: string;
}

const schemes = new Set(['http:', 'https:', 'mailto:']);

/** Web and mail addresses only; everything else an agent calls a link (`javascript:`, `command:`, `file:`, relative) is text. */
export function linkTarget(href: string): LinkTarget | undefined {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined; // No absolute address, so nothing to follow.
  }
  return schemes.has(url.protocol) ? { url: url.href, shown: visible(url.href) } : undefined;
}
