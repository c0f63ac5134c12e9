/**
 * Imports of public collections: what is carried over, what is lost by reason, and crashes. Files that the repository
 * has, and recordings of the package `har-examples`, which is installed on demand below `node_modules/.cache`.
 *
 *     npm run bench:import-corpus
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SourceFile } from "#libraries/collections/read/reading.ts";
import { importCorpus, listCorpus, type Tally } from "../tests/support/collection-corpus.ts";
import { installPeer, print } from "./peer-package.ts";

/** Recordings that the package exports as objects. */
async function readRecordings(): Promise<{ name: string; files: SourceFile[] }[]> {
  const packed = installPeer("import-corpus", "har-examples", "5.0.1");
  const examples = (await import(pathToFileURL(resolve(packed, "dist/index.js")).href)) as Record<string, unknown>;
  const all = (examples.default ?? examples) as Record<string, unknown>;
  return Object.entries(all)
    .filter(([, value]) => typeof value === "object" && value !== null && "log" in value)
    .map(([name, value]) => ({ name: `${name}.har`, files: [{ name: `${name}.har`, text: JSON.stringify(value) }] }));
}

const describe = (format: string, { imports, requests, tests, assertions, captures, losses, crashes }: Tally) =>
  `| ${format} | ${imports} | ${requests} | ${tests} | ${assertions} | ${captures} | ${[...losses.values()].reduce((sum, count) => sum + count, 0)} | ${crashes.length} |`;

const tallies = importCorpus([...listCorpus(), ...(await readRecordings())]);
print("| format | imports | requests | tests | assertions | captures | losses | crashes |");
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const [format, tally] of tallies) if (format !== "unknown") print(describe(format, tally));
const unknown = tallies.get("unknown");
print(`\nUnreadable, with a reason: ${unknown?.unreadable.length ?? 0}. Crashes: ${unknown?.crashes.length ?? 0}.`);
for (const line of [...(unknown?.unreadable ?? []), ...(unknown?.crashes ?? [])]) print(`  ${line}`);
const reasons = new Map<string, number>();
for (const { losses } of tallies.values())
  for (const [reason, count] of losses) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
print("\n| losses | reason |\n| ---: | --- |");
for (const [reason, count] of [...reasons].sort(([, one], [, other]) => other - one).slice(0, 25))
  print(`| ${count} | ${reason} |`);
