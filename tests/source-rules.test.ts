import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folders = ["contracts", "libraries", "services", "app", "cli", "sandbox", "bench", "server"];
const listFiles = (names: readonly string[]) =>
  names.flatMap((name) => readdirSync(name, { recursive: true, encoding: "utf8" }).map((file) => `${name}/${file}`));
const files = listFiles(folders).filter((file) => /\.tsx?$/.test(file));

const product = "(?!.*\\.test\\.tsx?$)(?!(.*/)?testing/)";

test("files are found at all", () => {
  for (const folder of folders) expect(files.filter((file) => file.startsWith(`${folder}/`)).length).toBeGreaterThan(4);
});

test("pg-boss owns its tables: its schema is named only where it is configured", () => {
  const written = listFiles([...folders, "docs", "scripts", "tests"]);
  const sources = [...written, "server.ts", "README.md", "ARCHITECTURE.md"]
    .filter((file) => /\.(tsx?|js|md|sql|sh)$/.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const naming = sources.filter(({ text }) => /job_queue|\bpgboss\b/.test(text)).map(({ file }) => file);
  expect(naming.sort()).toEqual([
    "services/kit/queue/queue.ts",
    // Excludes the whole schema.
    "tests/second-wall.test.ts",
    "tests/source-rules.test.ts",
  ]);
  // Configures pg-boss with it and grants access to it as a whole; no statement uses it.
  const queue = sources.find(({ file }) => file === "services/kit/queue/queue.ts")!.text;
  expect(queue.match(/^.*queueSchema.*$/gm)).toEqual([
    'const queueSchema = "job_queue";',
    "    schema: queueSchema,",
    "  await raiseSecondWall(database, queueSchema, log);",
  ]);
  expect(queue.match(/\b(select|insert|update|delete)\b.*\b(from|into|set)\b/gi)).toBeNull();
});

test("stored JSON is parsed, never cast", () => {
  const cast = /\brow\.\w+ as (?!string\b|SettingName\b)|JSON\.parse\(.*\) as |json\(.*\) as unknown/;
  const casting = files
    .filter((source) => new RegExp(`^services/[^/]+/(store|http|jobs)/${product}`).test(source))
    .filter((source) => cast.test(readFileSync(source, "utf8")));
  expect(casting).toEqual([]);
});

test("only styles define colours", () => {
  const elsewhere = files
    .filter((source) => /^app\/(?!styles\/).*\.css\.ts$/.test(source))
    .filter((source) => /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(|oklch\(/i.test(readFileSync(source, "utf8")));
  expect(elsewhere).toEqual([]);
});

test("no folder or file has a meaningless name", () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|lib|types|index)(\/|\.tsx?$)/;
  expect(files.filter((source) => empty.test(source))).toEqual([]);
});
