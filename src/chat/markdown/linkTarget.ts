import { visible } from '../text/visible.ts';

/** An address that may be opened: what to send to the host, and what to show. */
interface LinkTarget {
  readonly url: string;
  /** In ASCII (IDN hosts as punycode), without hidden characters. */
  readonly shown: string;
}

const schemes = new Set(['http:', 'https:', 'mailto:']);

/** Accepts web and mail addresses only; other links of an agent (`javascript:`, `command:`, `file:`, relative) are shown as text. */
export function linkTarget(href: string): LinkTarget | undefined {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined; // Not an absolute URL.
  }
  return schemes.has(url.protocol) ? { url: url.href, shown: visible(url.href) } : undefined;
}
