/**
 * Opens the pages of an organization with 1,000 executions and of one with 1,000,000, each in a PostgreSQL database of
 * its own, in turns, through the services' own handlers; prints the medians, their ratio, what an execution weighs, how
 * long counting them anew takes, and how much longer pages take while retention deletes most of it.
 * Needs a PostgreSQL at TEST_DATABASE_URL (127.0.0.1:5432 by default) and some 3 GB there for a few minutes.
 *
 * Run: npm run bench:growth [executions]
 * In parts: npm run bench:growth -- [executions] --keep [pages] [sizes] [recount] [retention], with none of them only
 * filling. What is filled is kept for the next go, which goes on where this one was interrupted; one without `--keep`
 * removes it.
 */
import { requireAnswer } from "../services/kit/client/client.ts";
import { createDatabases } from "./growth/databases.ts";
import { fill } from "./growth/fill.ts";
import { type Organization, openOrganization } from "./growth/organization.ts";
import { pages } from "./growth/pages.ts";
import { comparePagesWithRetention } from "./growth/retention.ts";
import { listSizes } from "./growth/sizes.ts";

const few = 1_000;
const given = process.argv.slice(2);
const many = Number(given.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const keep = given.includes("--keep");
const does = (part: "pages" | "sizes" | "recount" | "retention") => !keep || given.includes(part);
const highestRatio = 1.5;
const highestRatioWithRetention = 2;
const turns = 60;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const count = (value: number) => Math.round(value).toLocaleString("en");

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

async function timeOf(open: (own: Organization) => Promise<unknown>, own: Organization): Promise<number> {
  const start = performance.now();
  await open(own);
  return performance.now() - start;
}

/** In turns, so that whatever else the machine does meets both. Answers whether every page is within the limit. */
async function comparePages(small: Organization, large: Organization): Promise<boolean> {
  print(`${"".padEnd(20)}${count(few).padStart(12)}${count(many).padStart(12)}     ratio (at most ${highestRatio})`);
  let allWithin = true;
  for (const [name, open] of Object.entries(pages)) {
    const times: [number[], number[]] = [[], []];
    for (let turn = -5; turn < turns; turn += 1) {
      const [ofSmall, ofLarge] = [await timeOf(open, small), await timeOf(open, large)];
      if (turn < 0) continue;
      times[0].push(ofSmall);
      times[1].push(ofLarge);
    }
    const [less, more] = times.map(median) as [number, number];
    const isWithin = more / less <= highestRatio;
    allWithin &&= isWithin;
    const figures = [less, more].map((time) => `${time.toFixed(1)} ms`.padStart(12)).join("");
    print(`${name.padEnd(20)}${figures}     ${(more / less).toFixed(2)}${isWithin ? "" : "  too much"}`);
  }
  return allWithin;
}

async function printSizes(own: Organization): Promise<void> {
  print(
    `\n${"".padEnd(24)}${["rows", "bytes", "indexes", "bytes of them", "an execution"].map((name) => name.padStart(16)).join("")}`,
  );
  for (const { name, rows, rowBytes, indexes, indexBytes } of await listSizes(own.database)) {
    const an = `${count(rowBytes / many)} + ${count(indexBytes / many)}`;
    const figures = [count(rows), count(rowBytes), count(indexes), count(indexBytes), an];
    print(`${name.padEnd(24)}${figures.map((figure) => figure.padStart(16)).join("")}`);
  }
}

/** Results wait while counts are made anew. */
async function printRecount({ testExecutioner, organizationId }: Organization): Promise<void> {
  const start = performance.now();
  const corrected = requireAnswer(await testExecutioner.recount({ body: { organizationId } }), "recount");
  print(`\nCounted anew in ${((performance.now() - start) / 1_000).toFixed(1)} s, wrong: ${JSON.stringify(corrected)}`);
}

async function compareRetention(own: Organization): Promise<boolean> {
  print(
    `\n${"95th percentile".padEnd(20)}${"quiet".padStart(12)}${"retention".padStart(12)}     ratio (at most ${highestRatioWithRetention})`,
  );
  let allWithin = true;
  for (const { name, opened, without, meanwhile } of await comparePagesWithRetention(pages, own, turns)) {
    const isWithin = meanwhile / without <= highestRatioWithRetention;
    allWithin &&= isWithin;
    const figures = [without, meanwhile].map((time) => `${time.toFixed(1)} ms`.padStart(12)).join("");
    const ratio = (meanwhile / without).toFixed(2);
    print(`${name.padEnd(20)}${figures}     ${ratio} (opened ${opened} times)${isWithin ? "" : "  too much"}`);
  }
  return allWithin;
}

const databases = createDatabases();
const organizations: Organization[] = [];
async function clearUp(): Promise<void> {
  await Promise.allSettled(organizations.splice(0).map((own) => own.stop()));
  await databases.close({ keep });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void clearUp().finally(() => process.exit(1)));
}

try {
  for (const executions of [few, many]) {
    const own = await openOrganization(await databases.open(executions));
    organizations.push(own);
    const start = performance.now();
    await fill(own, executions);
    print(`Filled ${count(executions)} executions in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  }
  const [small, large] = organizations as [Organization, Organization];
  const isWithin = !does("pages") || (await comparePages(small, large));
  if (does("sizes")) await printSizes(large);
  if (does("recount")) await printRecount(large);
  const isWithinMeanwhile = !does("retention") || (await compareRetention(large));
  process.exitCode = isWithin && isWithinMeanwhile ? 0 : 1;
} finally {
  await clearUp();
}
