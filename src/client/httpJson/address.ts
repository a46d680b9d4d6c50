const slashes = /\/+$/;
const v1 = /\/v1$/;

/**
 * Addresses for a request, most likely first: below the interface's address, and the same with `/v1` added or removed, since cards have
 * addresses with and without it.
 */
export function addresses(base: URL, path: string): readonly string[] {
  const stem = base.pathname.replace(slashes, '');
  if (v1.test(stem)) return [stem + path, stem.replace(v1, '') + path];
  return [stem + path, path.startsWith('/v1/') ? stem + path.slice('/v1'.length) : `${stem}/v1${path}`];
}

/** The address of a request; the query of the interface's address comes before the request's own. */
export function addressOf(base: URL, pathname: string, query: string): URL {
  const url = new URL(base);
  url.pathname = pathname;
  url.search = [base.search.slice(1), query].filter(part => part !== '').join('&');
  return url;
}
