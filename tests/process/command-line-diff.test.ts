import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { before, openRepository, shorter, withoutDelete, withPages, written } from "../support/compared-books.ts";

let repository: ReturnType<typeof openRepository>;
beforeEach(() => {
  repository = openRepository();
});
afterEach(() => repository.close());

const outcomes: [what: string, after: string, codes: Record<string, number>, line: string][] = [
  ["the same document", before, { breaking: 0, any: 0, none: 0 }, "No changes; 3 operations are the same."],
  [
    "a new member of a response",
    withPages,
    { breaking: 0, any: 1, none: 0 },
    'after.yaml:5  GET /books  "pages" of the response 200 is new. (response.property.added)',
  ],
  [
    "a shorter parameter",
    shorter,
    { breaking: 1, any: 1, none: 0 },
    'after.yaml:5  GET /books  "maxLength" of the query parameter "q" changed from 20 to 10. (request.bound.narrowed)',
  ],
  [
    "an operation that is gone",
    withoutDelete,
    { breaking: 1, any: 1, none: 0 },
    "after.yaml:4  DELETE /books  The operation was removed. (operation.removed)",
  ],
];
for (const [what, after, codes, line] of outcomes) {
  test(`${what} fails as --fail-on says`, async () => {
    for (const [failOn, code] of Object.entries(codes)) {
      const ended = await repository.compare(after, "--fail-on", failOn);
      expect([failOn, ended.code, ended.stderr]).toEqual([failOn, code, ""]);
      expect(ended.stdout).toContain(line);
    }
    expect((await repository.compare(after)).code).toBe(codes.breaking);
  });
}

test("what breaks comes first, each change on a line of its own", async () => {
  const { stdout } = await repository.compare(withPages.replace("maxLength: 20", "maxLength: 10"));
  expect(stdout).toBe(
    [
      '✗ after.yaml:5  GET /books  "maxLength" of the query parameter "q" changed from 20 to 10. (request.bound.narrowed)',
      '- after.yaml:5  GET /books  "pages" of the response 200 is new. (response.property.added)',
      "",
      "1 breaking change, 1 change that breaks nothing; 2 operations are the same.",
      "",
    ].join("\n"),
  );
});

test("what can't be compared is wrong usage, with its reason", async () => {
  const given: [string[], string][] = [
    [["before.yaml", "missing.yaml"], "missing.yaml can't be read: there is no such file."],
    [["before.yaml", "before.yaml", "--fail-on", "some"], "--fail-on is breaking, any or none"],
    [["before.yaml", "before.yaml", "--report", "junit=a.xml"], "Kinds are json, markdown, or sarif."],
    [["before.yaml", "before.yaml", "--api", "Books"], "Pass two documents, or one document and --api."],
    [["before.yaml", "before.yaml", "--accept", "Why"], "needs --until"],
    [["before.yaml", "before.yaml", "--accept", "Why", "--until", "2027-02-30"], "--until takes a future date"],
    [["before.yaml", "before.yaml", "--accepted", "no.yaml"], "no.yaml can't be read: there is no such file."],
  ];
  for (const [words, reason] of given) {
    const { code, stderr } = await repository.diff(words);
    expect([code, stderr]).toEqual([3, expect.stringContaining(reason)]);
  }
});

test("reports are valid SARIF, JSON and Markdown, and GitHub gets what fails at its line", async () => {
  repository.write(".assurance/accepted.yaml", written);
  repository.write(
    "after.yaml",
    withoutDelete.replace("maxLength: 20", "maxLength: 10").replace("title: {", "pages: {}, title: {"),
  );
  const kinds = ["sarif=out/diff.sarif", "json=diff.json", "markdown=diff.md"];
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(repository.folder, "summary.md") };
  const reports = kinds.flatMap((kind) => ["--report", kind]);
  const { code, stdout } = await repository.diff(["before.yaml", "after.yaml", ...reports], environment);
  expect(code).toBe(1);
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::"));
  expect(annotations).toEqual([
    '::error file=after.yaml,line=5,col=5,title=GET /books%3A request.bound.narrowed::"maxLength" of the query parameter "q" changed from 20 to 10.',
  ]);
  const sarif = JSON.parse(repository.read("out/diff.sarif"));
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  addFormats(ajv as never);
  const validate = ajv.compile(JSON.parse(readFileSync("tests/fixtures/sarif/sarif-2.1.0-rtm.5.json", "utf8")));
  expect(validate(sarif), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...sarif, runs: [{}] })).toBe(false);
  const results: { ruleId: string; suppressions?: { justification: string }[] }[] = sarif.runs[0].results;
  expect(results.map(({ ruleId, suppressions }) => [ruleId, suppressions?.[0]?.justification])).toEqual([
    ["request.bound.narrowed", undefined],
    ["operation.removed", "No client deletes (until 2999-01-31)"],
  ]);
  expect(sarif.runs[0].results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "after.yaml" },
    region: { startLine: 5, startColumn: 5 },
  });
  const report = JSON.parse(repository.read("diff.json"));
  expect(report).toMatchObject({
    ...{ before: "before.yaml", after: "after.yaml", failOn: "breaking", fails: true, unchangedOperations: 1 },
    counts: { breaking: 1, accepted: 1, other: 1 },
  });
  expect(report.changes[1]).toMatchObject({ rule: "operation.removed", accepted: { until: "2999-01-31" } });
  for (const file of ["diff.md", "summary.md"]) {
    expect(repository.read(file)).toContain("### Books: 1 breaking change, 1 accepted, 1 change that breaks nothing\n");
    expect(repository.read(file)).toContain("| **Breaking** | GET /books<br><sub>after.yaml:5</sub> |");
  }
});

test("--json prints JSON alone", async () => {
  repository.write("after.yaml", shorter);
  const { stdout, stderr } = await repository.diff(["before.yaml", "after.yaml", "--json"]);
  expect(JSON.parse(stdout).changes).toHaveLength(1);
  expect(stderr).toContain("1 breaking change");
});

test("a document may consist of several files, and refer to what changed in another one", async () => {
  for (const [name, type] of [
    ["old", "string"],
    ["new", "integer"],
  ] as const) {
    repository.write(
      `${name}/openapi.yaml`,
      before.replace("title: { type: string }", "title: { $ref: 'title.yaml' }"),
    );
    repository.write(`${name}/title.yaml`, `type: ${type}\n`);
  }
  const { code, stdout } = await repository.diff(["old/openapi.yaml", "new/openapi.yaml"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("(response.type.changed)")]);
});
