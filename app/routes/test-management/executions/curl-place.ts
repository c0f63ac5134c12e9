/** Where the page has an attempt's request as a command, from which it is copied. */
export function curlPlaceOf(attempt: number): string {
  return `curl-${attempt}`;
}
