/** Target in the page for an attempt's request as a command, which can be copied from there. */
export function curlPlaceOf(attempt: number): string {
  return `curl-${attempt}`;
}
