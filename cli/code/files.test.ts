import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Json } from "#libraries/json/json.ts";
import { type CodeValue, writeAddress } from "./code-object.ts";
import { readFiles } from "./read-files.ts";
import { writeFiles } from "./write-files.ts";

const schema = "https://portal.example.com/schemas/assurance.json";
const document = "openapi: 3.1.0\ninfo: {title: Books, version: '1'}\npaths: {}\n";
const sha256 = createHash("sha256").update(document).digest("hex");

function createFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "assurance-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Writes objects into a folder as a pull does; an API's document is beside it. */
async function write(folder: string, objects: readonly CodeValue[]): Promise<string[]> {
  const files = await readFiles(folder);
  const apis = objects.filter(({ kind }) => kind === "api").map(({ key }) => key);
  const documents = new Map(apis.map((key) => [key, join(folder, "apis", key, "openapi.yaml")]));
  const written = writeFiles(files, objects, { schema, documents });
  for (const path of documents.values()) written.set(path, document);
  for (const [path, text] of written) {
    mkdirSync(dirname(path), { recursive: true });
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
  return [...written.keys()].filter((path) => !path.endsWith("openapi.yaml"));
}

const read = async (folder: string) => (await readFiles(folder)).objects.map(({ file: _, pointer: __, ...one }) => one);
const inOrder = (objects: readonly CodeValue[]) =>
  [...objects].sort((one, other) => (writeAddress(one) < writeAddress(other) ? -1 : 1));
const list = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
const message = async (folder: string) => {
  const error = await readFiles(folder).then(
    () => undefined,
    (one: Error) => one,
  );
  return error?.message.replaceAll(/\S*assurance-code-\w+\//g, "");
};

const api = (key: string): CodeValue => ({ kind: "api", key, value: { name: key, document: { sha256 } } });
const books: CodeValue[] = [
  api("shop"),
  { kind: "test", parent: "shop", key: "list", value: { name: "List", method: "get", path: "/api/v1/books" } },
  { kind: "test", parent: "shop", key: "add", value: { name: "Add", method: "post", path: "/api/v1/books" } },
  { kind: "test", parent: "shop", key: "find", value: { name: "Find", method: "get", path: "/authors/{id}" } },
  { kind: "circle", key: "nightly", value: { name: "Nightly", members: [{ test: "shop/list" }] } },
  { kind: "schedule", parent: "nightly", key: "two", value: { cron: "0 2 * * *" } },
  { kind: "statusPage", key: "nightly", value: { title: "Shop" } },
  { kind: "alertChannel", key: "ops", value: { kind: "slack", name: "Ops", url: { secret: "SLACK" } } },
  { kind: "alertRule", key: "all", value: { scope: { kind: "organization" }, channels: ["ops"] } },
  { kind: "maintenanceWindow", key: "sunday", value: { name: "Sunday" } },
];

test("each kind has its file, and tests one for each resource", async () => {
  const folder = createFolder();
  await write(folder, books);
  expect(list(folder)).toEqual([
    "alerts.yaml",
    "apis/shop/api.yaml",
    "apis/shop/openapi.yaml",
    "apis/shop/tests/authors.yaml",
    "apis/shop/tests/books.yaml",
    "circles/nightly.yaml",
    "maintenance.yaml",
  ]);
  expect(
    readFileSync(join(folder, "apis/shop/tests/books.yaml"), "utf8"),
  ).toBe(`# yaml-language-server: $schema=${schema}
api: shop
tests:
  - key: list
    name: List
    method: get
    path: /api/v1/books
  - key: add
    name: Add
    method: post
    path: /api/v1/books
`);
  expect(readFileSync(join(folder, "circles/nightly.yaml"), "utf8")).toContain(
    "    schedules:\n      - key: two\n        cron: 0 2 * * *\n    statusPage:\n      title: Shop\n",
  );
  expect(inOrder(await read(folder))).toEqual(inOrder(books));
});

test("objects stay in the files where they are, and what is gone leaves them", async () => {
  const folder = createFolder({
    "all.yaml": `# Everything of the shop.
circles:
  - key: nightly # at two
    name: Nightly
    members: [{ test: shop/list }]
alertChannels:
  # People on call.
  - { key: ops, kind: slack, name: Ops, url: { secret: SLACK } }
`,
  });
  const [circle, channel] = await read(folder);
  await write(folder, [
    { ...circle!, value: { ...circle!.value, name: "Every night" } },
    { kind: "schedule", parent: "nightly", key: "two", value: { cron: "0 2 * * *" } },
    channel!,
    { kind: "alertChannel", key: "team", value: { kind: "mail", name: "Team" } },
  ]);
  expect(list(folder)).toEqual(["alerts.yaml", "all.yaml"]);
  expect(readFileSync(join(folder, "all.yaml"), "utf8")).toBe(`# Everything of the shop.
circles:
  - key: nightly # at two
    name: Every night
    members: [{ test: shop/list }]
    schedules:
      - key: two
        cron: 0 2 * * *
alertChannels:
  # People on call.
  - { key: ops, kind: slack, name: Ops, url: { secret: SLACK } }
`);
  await write(folder, [channel!]);
  expect(list(folder)).toEqual(["all.yaml"]);
  expect(readFileSync(join(folder, "all.yaml"), "utf8")).toMatch(/^# Everything of the shop.\nalertChannels:\n/);
  await write(folder, []);
  expect(list(folder)).toEqual([]);
});

test("JSON is read and written in place of YAML", async () => {
  const tests = [{ key: "list", name: "List", method: "get", path: "/books" }];
  const folder = createFolder({ "tests.json": JSON.stringify({ api: "shop", tests }, null, "\t") });
  const [object] = await read(folder);
  await write(folder, [{ ...object!, value: { ...object!.value, name: "Lists" } }]);
  const changed = { api: "shop", tests: [{ ...tests[0], name: "Lists" }] };
  expect(readFileSync(join(folder, "tests.json"), "utf8")).toBe(JSON.stringify(changed, null, "\t"));
});

test("what is wrong is said at its line", async () => {
  const folder = createFolder({
    "a.yaml": "circles:\n  - key: nightly\n    schedules: 5\n  - name: Every night\ntesst: []\n",
    "b.yaml": "tests:\n  - key: one\n",
    "c.yaml": "circles:\n  - key: nightly\n",
    "d.yaml": "apis:\n  - key: shop\n    name: Shop\n    document: openapi.json\n  - key: [\n",
    "e.yaml": "apis:\n  - key: shop\n    name: Shop\n    document: openapi.json\n",
    "openapi.yaml": document,
  });
  const sentences = (await message(folder))!.split("\n");
  expect(sentences).toEqual([
    'a.yaml:3  "schedules" is a list.',
    'a.yaml:4  The circle has no key, by which it is recognized when its name changes. Add "key: every-night".',
    expect.stringMatching(/^a\.yaml:5 {2}"tesst" is not known\. A file has api, apis, tests, circles, /),
    'b.yaml:1  The file has no "api", which is the key of the API of its tests.',
    "c.yaml:2  The circle nightly is also in a.yaml:2.",
    expect.stringMatching(/^d\.yaml:\d+ {2}\S/),
    "e.yaml:4  openapi.json can't be read: there is no such file.",
  ]);
});

const text = fc.string({ unit: "grapheme", minLength: 1 });
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)) as fc.Arbitrary<Json>,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(text, tie("json"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;
const key = fc.constantFrom("one", "two", "three");
const objects = fc
  .tuple(
    fc.uniqueArray(key, { minLength: 1 }),
    fc.uniqueArray(fc.record({ parent: key, key, path: fc.constantFrom("/", "/a", "/a/{b}", "/v1/c"), name: value }), {
      selector: ({ parent, key: own }) => `${parent}/${own}`,
    }),
    fc.uniqueArray(fc.record({ key, name: value, hasPage: fc.boolean(), hasSchedule: fc.boolean() }), {
      selector: (one) => one.key,
    }),
  )
  .map(([apis, tests, circles]): CodeValue[] => [
    ...apis.map(api),
    ...tests.map(({ parent, key: own, path, name }) => ({
      ...{ kind: "test" as const, parent, key: own, value: { name, method: "get", path } },
    })),
    ...circles.flatMap(({ key: own, name, hasPage, hasSchedule }): CodeValue[] => [
      { kind: "circle", key: own, value: { name } },
      ...(hasSchedule ? [{ kind: "schedule" as const, parent: own, key: "daily", value: { name } }] : []),
      ...(hasPage ? [{ kind: "statusPage" as const, key: own, value: { title: name } }] : []),
    ]),
  ]);

test("files give the objects that were written, and the same objects change no file", async () => {
  await fc.assert(
    fc.asyncProperty(objects, objects, async (before, after) => {
      const folder = mkdtempSync(join(tmpdir(), "assurance-code-"));
      try {
        await write(folder, before);
        expect(inOrder(await read(folder))).toEqual(inOrder(before));
        expect(await write(folder, before)).toEqual([]);
        await write(folder, after);
        expect(inOrder(await read(folder))).toEqual(inOrder(after));
        expect(await write(folder, after)).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 50 },
  );
});
