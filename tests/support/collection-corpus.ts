import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ReadableFormat } from "#contracts/test-registry/import-formats.ts";
import { readFiles } from "#libraries/collections/read/read-files.ts";
import { type SourceFile, UnreadableFile } from "#libraries/collections/read/reading.ts";
import { planOwnApi } from "../../services/test-registry/domain/imports/plan-own-api.ts";
import { parseTest } from "../../services/test-registry/jobs/parse-test.ts";

const folder = "tests/fixtures/collections";

/** What became of the files of one format. */
export interface Tally {
  imports: number;
  requests: number;
  tests: number;
  assertions: number;
  captures: number;
  /** By reason. */
  losses: Map<string, number>;
  /** Sentences about files that can't be read. */
  unreadable: string[];
  crashes: string[];
}

/** Imports to try, of the folders of the fixtures: each file on its own, and the folder of Bruno as one. */
export function listCorpus(): { name: string; files: SourceFile[] }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.parentPath !== folder)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map(
      (path): SourceFile => ({
        name: relative(folder, path),
        text: readFileSync(path, "utf8").replace(/\r\n?/g, "\n"),
      }),
    );
  const isBruno = ({ name }: SourceFile) => name.startsWith("bruno");
  return [
    { name: "bruno", files: files.filter(isBruno) },
    ...files.map((file) => ({ name: file.name, files: [file] })),
  ];
}

const choices = {
  ...{ environment: undefined, unmatched: true, toApi: false, circles: true, environments: true, leaveOut: [] },
};

/** Imports each as an API of its own, up to what would be stored. */
export function importCorpus(
  corpus: readonly { name: string; files: SourceFile[] }[],
): Map<ReadableFormat | "unknown", Tally> {
  const tallies = new Map<ReadableFormat | "unknown", Tally>();
  const getTally = (format: ReadableFormat | "unknown") => {
    const empty: Tally = {
      imports: 0,
      requests: 0,
      tests: 0,
      assertions: 0,
      captures: 0,
      losses: new Map(),
      unreadable: [],
      crashes: [],
    };
    const tally = tallies.get(format) ?? empty;
    tallies.set(format, tally);
    return tally;
  };
  for (const { name, files } of corpus) {
    try {
      const reading = readFiles(files);
      const { plan } = planOwnApi(reading, choices, parseTest);
      const tally = getTally(reading.format);
      tally.imports += 1;
      tally.requests += reading.collection.requests.length;
      tally.tests += plan.tests.length;
      for (const { test } of plan.tests) {
        tally.assertions += test.assertions.length;
        tally.captures += test.captures.length;
      }
      for (const { reason } of plan.losses) tally.losses.set(reason, (tally.losses.get(reason) ?? 0) + 1);
    } catch (error) {
      const tally = getTally("unknown");
      if (error instanceof UnreadableFile) tally.unreadable.push(`${name}:${error.line} ${error.message}`);
      else tally.crashes.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return tallies;
}
