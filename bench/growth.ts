/**
 * Opens the pages of an organization with 1,000 executions and of one with 1,000,000 as a signed-in browser does:
 * each has its own PostgreSQL database and built portal, and they are opened alternately. Prints the medians until
 * the last byte, their ratio, the size of an execution, the time of recounting, and how much longer pages take
 * while retention deletes most of it.
 * Starts its own PostgreSQL, or uses the one at TEST_DATABASE_URL; takes some 3 GB there for a few minutes.
 *
 * Run: npm run build && npm run bench:growth [executions]
 * In parts: npm run bench:growth -- [executions] --keep [pages] [sizes] [recount] [retention]; without a part it only
 * fills. The filled databases are kept at TEST_DATABASE_URL for the next run, which resumes where this one was
 * interrupted; a run without `--keep` removes them.
 */
import { loadavg } from "node:os";
import { startPostgres } from "../scripts/postgres.js";
import { recountExecutions, recountRuns } from "../services/test-executioner/store/recount.ts";
import { type ExecutionTables, schemaName } from "../services/test-executioner/store/tables.ts";
import { fill } from "./growth/fill.ts";
import { type Organization, openOrganization } from "./growth/organization.ts";
import { findPages } from "./growth/pages.ts";
import { comparePagesWithRetention } from "./growth/retention.ts";
import { listSizes } from "./growth/sizes.ts";

const few = 1_000;
const given = process.argv.slice(2);
const many = Number(given.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const keep = given.includes("--keep");
const does = (part: "pages" | "sizes" | "recount" | "retention") => !keep || given.includes(part);
const highestRatio = 1.5;
const highestRatioWithRetention = 2;
const maxIndexes = 5;
const turns = 60;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const count = (value: number) => Math.round(value).toLocaleString("en");
const load = () => `load ${loadavg()[0]!.toFixed(1)}`;

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

async function openTimed(path: string, own: Organization): Promise<{ time: number; characters: number }> {
  const start = performance.now();
  const page = await own.open(path);
  return { time: performance.now() - start, characters: page.length };
}

/** Alternating, so that other load on the machine affects both. Returns whether every page is within the limit. */
async function comparePages(small: Organization, large: Organization): Promise<boolean> {
  print(
    `\n${"".padEnd(22)}${count(few).padStart(12)}${count(many).padStart(12)}     ratio (at most ${highestRatio}; ${load()})`,
  );
  const [ofSmall, ofLarge] = [await findPages(small), await findPages(large)];
  let allWithin = true;
  for (const name of Object.keys(ofSmall)) {
    const [less, more]: [number[], number[]] = [[], []];
    const characters: [number, number] = [0, 0];
    for (let turn = -5; turn < turns; turn += 1) {
      const one = await openTimed(ofSmall[name]!, small);
      const other = await openTimed(ofLarge[name]!, large);
      if (turn < 0) continue;
      less.push(one.time);
      more.push(other.time);
      characters[0] = one.characters;
      characters[1] = other.characters;
    }
    const ratio = median(more) / median(less);
    const isWithin = ratio <= highestRatio;
    allWithin &&= isWithin;
    const figures = [less, more].map((times) => `${median(times).toFixed(1)} ms`.padStart(12)).join("");
    const sizes = characters.map((size) => `${count(size / 1_000)} kB`).join(", ");
    print(`${name.padEnd(22)}${figures}     ${ratio.toFixed(2)} (${sizes})${isWithin ? "" : "  too much"}`);
  }
  return allWithin;
}

/** Returns whether no table of executions has more indexes than intended. */
async function printSizes(own: Organization): Promise<boolean> {
  print(
    `\n${"".padEnd(24)}${["rows", "bytes", "indexes", "bytes of them", "an execution"].map((name) => name.padStart(16)).join("")}`,
  );
  let allWithin = true;
  for (const { name, rows, rowBytes, indexes, indexBytes } of await listSizes(own.database)) {
    const isWithin = !/execution/.test(name) || indexes <= maxIndexes;
    allWithin &&= isWithin;
    const an = `${count(rowBytes / many)} + ${count(indexBytes / many)}`;
    const figures = [count(rows), count(rowBytes), count(indexes), count(indexBytes), an];
    print(
      `${name.padEnd(24)}${figures.map((figure) => figure.padStart(16)).join("")}${isWithin ? "" : "  too many indexes"}`,
    );
  }
  return allWithin;
}

/** Results wait while counts are rebuilt. */
async function printRecount({ database, organizationId }: Organization): Promise<void> {
  const db = database.inSchema<ExecutionTables>(schemaName);
  const start = performance.now();
  const runs = await recountRuns(db, organizationId, async () => {});
  const corrected = await recountExecutions(db, organizationId, async (_, wrong) => ({ ...wrong, runs }));
  print(`\nCounted anew in ${((performance.now() - start) / 1_000).toFixed(1)} s, wrong: ${JSON.stringify(corrected)}`);
}

async function compareRetention(own: Organization): Promise<boolean> {
  print(
    `\n${"95th percentile".padEnd(22)}${"quiet".padStart(12)}${"retention".padStart(12)}     ratio (at most ${highestRatioWithRetention}; ${load()})`,
  );
  let allWithin = true;
  const { compared, outlasted } = await comparePagesWithRetention(await findPages(own), own, turns);
  for (const { name, opened, without, meanwhile } of compared) {
    const isWithin = meanwhile / without <= highestRatioWithRetention;
    allWithin &&= isWithin;
    const figures = [without, meanwhile].map((time) => `${time.toFixed(1)} ms`.padStart(12)).join("");
    const ratio = (meanwhile / without).toFixed(2);
    print(`${name.padEnd(22)}${figures}     ${ratio} (opened ${opened} times)${isWithin ? "" : "  too much"}`);
  }
  print(outlasted ? "Retention was still deleting." : "Retention had deleted all there was to.");
  return allWithin;
}

const postgres = await startPostgres();
process.env.TEST_DATABASE_URL = postgres.url;
const { createDatabases } = await import("./growth/databases.ts");
const databases = createDatabases();
const organizations: Promise<Organization>[] = [];
let clearedUp: Promise<void> | undefined;
function clearUp(): Promise<void> {
  clearedUp ??= (async () => {
    await Promise.allSettled(organizations.map(async (own) => (await own).stop()));
    if (!keep) await databases.drop();
    postgres.stop();
  })();
  return clearedUp;
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void clearUp().finally(() => process.exit(1)));
}

try {
  for (const executions of [few, many]) {
    const opening = openOrganization(await databases.open(executions));
    organizations.push(opening);
    const own = await opening;
    const start = performance.now();
    await fill(own, executions);
    print(
      `Filled ${count(executions)} executions in ${((performance.now() - start) / 1_000).toFixed(1)} s (${load()})`,
    );
  }
  const [small, large] = (await Promise.all(organizations)) as [Organization, Organization];
  const isWithin = !does("pages") || (await comparePages(small, large));
  const isLight = !does("sizes") || (await printSizes(large));
  if (does("recount")) await printRecount(large);
  const isWithinMeanwhile = !does("retention") || (await compareRetention(large));
  process.exitCode = isWithin && isLight && isWithinMeanwhile ? 0 : 1;
} finally {
  await clearUp();
}
