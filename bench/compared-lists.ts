import { type CallResult, requireValue } from "../services/kit/client/client.ts";

const highestRatio = 1.5;
const turns = 100;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

interface Sized<Own> {
  count: number;
  own: Own;
}

async function getTime<Own>(open: (own: Own) => Promise<CallResult<unknown>>, own: Own): Promise<number> {
  const start = performance.now();
  requireValue(await open(own), "a page");
  return performance.now() - start;
}

/**
 * Opens lists of a small and of a large organization alternately, so that other load on the machine affects both, and
 * prints the medians and their ratio.
 * @param maxMilliseconds what a list of the large one may take, whatever that of the small one takes
 * @returns whether each list of the large one takes no longer than that of the small one, within the tolerance
 */
export async function compareLists<Own>(
  lists: Record<string, (own: Own) => Promise<CallResult<unknown>>>,
  small: Sized<Own>,
  large: Sized<Own>,
  maxMilliseconds = 0,
): Promise<boolean> {
  const counts = [small, large].map(({ count }) => count.toLocaleString("en").padStart(12));
  print(`${"".padEnd(24)}${counts.join("")}     ratio`);
  let allWithin = true;
  for (const [name, open] of Object.entries(lists)) {
    const times: [number[], number[]] = [[], []];
    for (let turn = -5; turn < turns; turn += 1) {
      const [less, more] = [await getTime(open, small.own), await getTime(open, large.own)];
      if (turn < 0) continue;
      times[0].push(less);
      times[1].push(more);
    }
    const [less, more] = times.map(median) as [number, number];
    // Below a difference of one millisecond, the ratio measures the load of the machine.
    const isWithin = more / less <= highestRatio || more - less < 1 || more < maxMilliseconds;
    allWithin &&= isWithin;
    const figures = [less, more].map((time) => `${time.toFixed(2)} ms`.padStart(12)).join("");
    print(`${name.padEnd(24)}${figures}     ${(more / less).toFixed(2)}${isWithin ? "" : "  too much"}`);
  }
  return allWithin;
}
