import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { runAssurance } from "../support/command-line.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let folder: string;
let portal: PortalProcess;
let access: Record<string, string>;
let blind: Record<string, string>;

const before = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      parameters:
        - { name: q, in: query, schema: { type: string, maxLength: 20 } }
      responses:
        "200":
          description: Books
          content:
            application/json:
              schema: { type: object, required: [title], properties: { title: { type: string } } }
    delete:
      responses: { "204": { description: Gone } }
  /authors:
    get:
      responses: { "200": { description: Authors } }
`;
const shorter = before.replace("maxLength: 20", "maxLength: 10");
const untitled = before.replace("required: [title], properties: { title: { type: string } }", "properties: {}");
const withoutDelete = before.replace(/ {4}delete:\n.*\n/, "");
const withPages = before.replace("title: { type: string }", "title: { type: string }, pages: { type: integer }");

beforeAll(async () => {
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "error" } });
  const { apiRegistry, testRegistry, testAnalyzer, securityService } = await signInToBackend(portal);
  const document = { document: before, fileName: "openapi.yaml" };
  const api = requireValue(await apiRegistry.registerApi({ body: { source: document } }), "API");
  const assertions = [
    { source: "jsonPath" as const, property: "$.title", comparison: "equals" as const, target: "Emma" },
  ];
  const body = { name: "Finds Emma", method: "get", path: "/books", request: {}, assertions };
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId: api.id }, body }), "test");
  const circle = { name: "Daily", members: [{ testId }] };
  const { id: testCircleId } = requireValue(await testRegistry.createCircle({ body: circle }), "circle");
  const schedule = { name: "Mornings", cron: "0 7 * * *", timeZone: "UTC" };
  requireValue(await testRegistry.createSchedule({ params: { testCircleId }, body: schedule }), "schedule");
  const channel = { kind: "webhook" as const, name: "On call", url: "https://hooks.example.com/alerts" };
  const { id: channelId } = requireValue(await testAnalyzer.createChannel({ body: channel }), "channel");
  const rule = { scope: { kind: "circle" as const, testCircleId }, channelIds: [channelId] };
  requireValue(await testAnalyzer.createRule({ body: rule }), "rule");
  const issue = async (scopes: ("apis:read" | "tests:read")[]) =>
    requireValue(await securityService.createApiToken({ body: { name: scopes.join(), scopes } }), "token").token;
  access = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: await issue(["apis:read", "tests:read"]) };
  blind = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: await issue(["apis:read"]) };
}, 120_000);
afterAll(async () => {
  await portal.stop();
});

beforeEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "assurance-"));
  write("before.yaml", before);
  mkdirSync(join(folder, ".assurance"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const diff = (given: string[], environment: Record<string, string> = {}) =>
  runAssurance(["diff", ...given], { environment, cwd: folder });
const compare = (after: string, ...more: string[]) => {
  write("after.yaml", after);
  return diff(["before.yaml", "after.yaml", ...more]);
};

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
    "after.yaml:4  DELETE /books  The operation is gone. (operation.removed)",
  ],
];
for (const [what, after, codes, line] of outcomes) {
  test(`${what} fails as --fail-on says`, async () => {
    for (const [failOn, code] of Object.entries(codes)) {
      const ended = await compare(after, "--fail-on", failOn);
      expect([failOn, ended.code, ended.stderr]).toEqual([failOn, code, ""]);
      expect(ended.stdout).toContain(line);
    }
    expect((await compare(after)).code).toBe(codes.breaking);
  });
}

test("what breaks comes first, each change on a line of its own", async () => {
  const { stdout } = await compare(withPages.replace("maxLength: 20", "maxLength: 10"));
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
    [["before.yaml", "before.yaml", "--api", "Books"], "Give two documents, or one document and --api."],
    [["before.yaml", "before.yaml", "--accept", "Why"], "needs --until"],
    [["before.yaml", "before.yaml", "--accept", "Why", "--until", "2027-02-30"], "--until takes a day to come"],
    [["before.yaml", "before.yaml", "--accepted", "no.yaml"], "no.yaml can't be read: there is no such file."],
  ];
  for (const [words, reason] of given) {
    const { code, stderr } = await diff(words);
    expect([code, stderr]).toEqual([3, expect.stringContaining(reason)]);
  }
});

const written = `# Decided in the team's weekly.

accepted:
    # The mobile app never deletes.
    -   rule: operation.removed
        operation: delete /books   # in any case
        reason:   "No client deletes"
        until: 2999-01-31

# The end.
`;

test("an accepted change does not fail, and says until when and why", async () => {
  write(".assurance/accepted.yaml", written);
  const { code, stdout } = await compare(withoutDelete);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("(operation.removed)  Accepted until 2999-01-31: No client deletes\n"),
  ]);
  const other = await compare(shorter);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain(
    "Acceptances that are no longer needed\n  .assurance/accepted.yaml:5  delete /books (operation.removed)",
  );
});

test("an acceptance is of the change with its words only", async () => {
  const [rule, operation] = ["request.bound.narrowed", "GET /books"];
  const accepting = (change: string) =>
    `accepted: [{ rule: ${rule}, operation: ${operation}, change: '${change}', reason: r, until: 2999-01-01 }]`;
  write("accepted.yaml", accepting('parameter "q"'));
  expect((await compare(shorter, "--accepted", "accepted.yaml")).code).toBe(0);
  write("accepted.yaml", accepting('parameter "page"'));
  expect((await compare(shorter, "--accepted", "accepted.yaml")).code).toBe(1);
});

test("an acceptance without a reason, without an end or past it is an error at its line", async () => {
  const wrong: [from: RegExp, to: string, error: string][] = [
    [/ +reason.*\n/, "", "accepted.yaml:5  The acceptance has no reason."],
    [/"No client deletes"/, '""', "accepted.yaml:5  The acceptance has no reason."],
    [/ +until.*\n/, "", "accepted.yaml:5  The acceptance has no until."],
    [
      /2999-01-31/,
      "2020-01-31",
      "accepted.yaml:5  The acceptance of operation.removed at delete /books ended on 2020-01-31.",
    ],
    [/2999-01-31/, "soon", 'accepted.yaml:5  "until" is a day such as 2027-01-31, not soon.'],
    [/until:/, "till: x\n        until:", 'accepted.yaml:8  "till" is not known'],
    [/accepted:/, "allowed:", 'accepted.yaml:3  "allowed" is not known'],
    [/- {3}rule/, "- [", "accepted.yaml:"],
    [/\n# The end/, "---\n# The end", "accepted.yaml:9  The file has a second document."],
  ];
  for (const [from, to, error] of wrong) {
    write("accepted.yaml", written.replace(from, to));
    const { code, stderr } = await compare(withoutDelete, "--accepted", "accepted.yaml");
    expect([code, stderr]).toEqual([3, expect.stringContaining(error)]);
  }
});

test("in a job of GitHub, an acceptance that is over is shown at its line", async () => {
  write(".assurance/accepted.yaml", written.replace("2999", "2020"));
  const { code, stdout } = await diff(["before.yaml", "before.yaml"], { GITHUB_ACTIONS: "true" });
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/^::error file=\.assurance\/accepted\.yaml,line=5,col=1,title=/),
  ]);
});

const entry = (indent: string) =>
  [
    "- rule: request.bound.narrowed",
    "  operation: GET /books",
    `  change: '"maxLength" of the query parameter "q" changed from 20 to 10.'`,
    "  reason: No title is longer",
    "  until: 2999-12-31",
    "",
  ]
    .map((line) => (line ? indent + line : ""))
    .join("\n");
const json = `{"rule":"request.bound.narrowed","operation":"GET /books","change":"\\"maxLength\\" of the query parameter \\"q\\" changed from 20 to 10.","reason":"No title is longer","until":"2999-12-31"}`;
const header =
  "# Changes of the OpenAPI document that may break clients and were accepted, each with its reason and its last day.\n";
const [head, tail] = written.split("\n# The end");
const files: [what: string, text: string | undefined, expected: string][] = [
  [
    "no file",
    undefined,
    `${header}accepted:
${entry("  ")}`,
  ],
  ["comments and indentation of its own", written, `${head}${entry("    ")}\n# The end${tail}`],
  [
    "lines that end as on Windows",
    written.replaceAll("\n", "\r\n"),
    `${head}${entry("    ")}\n# The end${tail}`.replaceAll("\n", "\r\n"),
  ],
  ["no line end at its end", written.trimEnd().replace(/\n\n# The end\.$/, ""), `${head}${entry("    ")}`],
  ["an empty list", "accepted: [] # none\n", `accepted: [\n  ${json}\n] # none\n`],
  [
    "a list in brackets",
    "accepted: [{ rule: a, operation: GET /a, reason: b, until: 2999-01-01 }] # one\n",
    `accepted: [{ rule: a, operation: GET /a, reason: b, until: 2999-01-01 },\n  ${json}] # one\n`,
  ],
  ["only the word", "# Nothing yet\naccepted: # here\n", `# Nothing yet\naccepted: # here\n${entry("  ")}`],
  ["only a comment", "# Nothing yet\n", `# Nothing yet\naccepted:\n${entry("  ")}`],
];
for (const [what, text, expected] of files) {
  test(`--accept adds what breaks to a file with ${what}, and changes nothing else of it`, async () => {
    if (text !== undefined) write(".assurance/accepted.yaml", text);
    const accepting = ["--accept", "No title is longer", "--until", "2999-12-31"];
    const { code, stderr, stdout } = await compare(shorter, ...accepting);
    expect([code, stderr]).toEqual([0, "1 acceptance added to .assurance/accepted.yaml.\n"]);
    expect(stdout).toContain("Accepted until 2999-12-31: No title is longer\n");
    const now = read(".assurance/accepted.yaml");
    expect(now).toBe(expected);
    expect((await compare(shorter)).code).toBe(0);
    const again = await compare(shorter, ...accepting);
    expect([again.code, again.stderr]).toEqual([0, "Nothing fails that could be accepted.\n"]);
    expect(read(".assurance/accepted.yaml")).toBe(now);
  });
}

test("reports are valid SARIF, JSON and Markdown, and GitHub gets what fails at its line", async () => {
  write(".assurance/accepted.yaml", written);
  write(
    "after.yaml",
    withoutDelete.replace("maxLength: 20", "maxLength: 10").replace("title: {", "pages: {}, title: {"),
  );
  const kinds = ["sarif=out/diff.sarif", "json=diff.json", "markdown=diff.md"];
  const environment = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const reports = kinds.flatMap((kind) => ["--report", kind]);
  const { code, stdout } = await diff(["before.yaml", "after.yaml", ...reports], environment);
  expect(code).toBe(1);
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::"));
  expect(annotations).toEqual([
    '::error file=after.yaml,line=5,col=5,title=GET /books%3A request.bound.narrowed::"maxLength" of the query parameter "q" changed from 20 to 10.',
  ]);
  const sarif = JSON.parse(read("out/diff.sarif"));
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
  const report = JSON.parse(read("diff.json"));
  expect(report).toMatchObject({
    ...{ before: "before.yaml", after: "after.yaml", failOn: "breaking", fails: true, unchangedOperations: 1 },
    counts: { breaking: 1, accepted: 1, other: 1 },
  });
  expect(report.changes[1]).toMatchObject({ rule: "operation.removed", accepted: { until: "2999-01-31" } });
  for (const file of ["diff.md", "summary.md"]) {
    expect(read(file)).toContain("### Books: 1 breaking change, 1 accepted, 1 change that breaks nothing\n");
    expect(read(file)).toContain("| **Breaking** | GET /books<br><sub>after.yaml:5</sub> |");
  }
});

test("--json prints JSON alone", async () => {
  write("after.yaml", shorter);
  const { stdout, stderr } = await diff(["before.yaml", "after.yaml", "--json"]);
  expect(JSON.parse(stdout).changes).toHaveLength(1);
  expect(stderr).toContain("1 breaking change");
});

test("a document may consist of several files, and refer to what changed in another one", async () => {
  for (const [name, type] of [
    ["old", "string"],
    ["new", "integer"],
  ] as const) {
    mkdirSync(join(folder, name));
    write(`${name}/openapi.yaml`, before.replace("title: { type: string }", "title: { $ref: 'title.yaml' }"));
    write(`${name}/title.yaml`, `type: ${type}\n`);
  }
  const { code, stdout } = await diff(["old/openapi.yaml", "new/openapi.yaml"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("(response.type.changed)")]);
});

test("against a portal, the tests that break, their circles, schedules and alert rules are named", async () => {
  write("openapi.yaml", untitled);
  for (const given of [[], ["--api", "books"]]) {
    const { code, stdout, stderr } = await diff(["openapi.yaml", ...given], access);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(
      '✗ openapi.yaml:5  GET /books  "title" of the response 200 is gone. (response.property.removed)',
    );
    expect(stdout).toMatch(/\nTests that break\n {2}Finds Emma \(GET \/books\) {2}assertion 1: .*title.*\n/);
    expect(stdout).toContain("\nCircles that run them\n  Daily  scheduled: Mornings\n");
    expect(stdout).toContain("\nAlert rules that apply\n  of the circle Daily, to On call\n");
  }
  const { stdout } = await diff(["openapi.yaml", "--json"], access);
  expect(JSON.parse(stdout)).toMatchObject({
    before: "Books",
    touched: {
      tests: [{ name: "Finds Emma", operation: "GET /books" }],
      circles: [{ name: "Daily", schedules: ["Mornings"] }],
    },
  });
  write("openapi.yaml", before);
  const same = await diff(["openapi.yaml"], access);
  expect([same.code, same.stdout]).toEqual([0, "No changes; 3 operations are the same.\n"]);
});

test("a token that may not read tests compares, and says what is not known", async () => {
  write("openapi.yaml", untitled);
  const { code, stdout } = await diff(["openapi.yaml"], blind);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("Tests, circles, schedules and alert rules are not listed: the token may not read tests"),
  ]);
});

test("no portal, an unknown API and a portal that is away have codes of their own", async () => {
  const anonymous = await diff(["before.yaml"], { HOME: folder });
  expect([anonymous.code, anonymous.stderr]).toEqual([4, expect.stringContaining('Run "assurance login"')]);
  const unknown = await diff(["before.yaml", "--api", "Films"], access);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('No API has the name "Films"')]);
  const refused = await diff(["before.yaml"], { ...access, ASSURANCE_TOKEN: "aap_wrong" });
  expect(refused.code).toBe(4);
  const away = await diff(["before.yaml"], { ...access, ASSURANCE_URL: "http://127.0.0.1:9" });
  expect([away.code, away.stderr]).toEqual([2, expect.stringContaining("can't be reached")]);
}, 60_000);
