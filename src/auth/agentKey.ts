/** Key of the sign-ins at an agent: its address, so that settings of a workspace with the same name get nothing. */
export function agentKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}${search}`;
}
