/** Target in the page for an attempt's request as a command, which can be copied from there. */
export function toCurlElementId(attempt: number): string {
  return `curl-${attempt}`;
}
