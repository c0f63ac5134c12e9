/**
 * The relative reference from one path to another (RFC 3986, 4.2), valid wherever both are mounted together.
 * `/api/v1/apis/1/tests` to `/api/v1/tests/2` is `../../tests/2`.
 */
export function relativeReference(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let common = 0;
  while (common < here.length && common < there.length - 1 && here[common] === there[common]) common += 1;
  return [...here.slice(common).map(() => ".."), ...there.slice(common)].join("/");
}
