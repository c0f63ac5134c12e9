import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository, shorter, withoutDelete, written } from "../support/compared-books.ts";

let repository: ReturnType<typeof openRepository>;
beforeEach(() => {
  repository = openRepository();
});
afterEach(() => repository.close());

test("an accepted change does not fail, and says until when and why", async () => {
  repository.write(".assurance/accepted.yaml", written);
  const { code, stdout } = await repository.compare(withoutDelete);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("(operation.removed)  Accepted until 2999-01-31: No client deletes\n"),
  ]);
  const other = await repository.compare(shorter);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain(
    "Acceptances that are no longer needed\n  .assurance/accepted.yaml:5  delete /books (operation.removed)",
  );
});

test("an acceptance is of the change with its words only", async () => {
  const [rule, operation] = ["request.bound.narrowed", "GET /books"];
  const accepting = (change: string) =>
    `accepted: [{ rule: ${rule}, operation: ${operation}, change: '${change}', reason: r, until: 2999-01-01 }]`;
  repository.write("accepted.yaml", accepting('parameter "q"'));
  expect((await repository.compare(shorter, "--accepted", "accepted.yaml")).code).toBe(0);
  repository.write("accepted.yaml", accepting('parameter "page"'));
  expect((await repository.compare(shorter, "--accepted", "accepted.yaml")).code).toBe(1);
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
    repository.write("accepted.yaml", written.replace(from, to));
    const { code, stderr } = await repository.compare(withoutDelete, "--accepted", "accepted.yaml");
    expect([code, stderr]).toEqual([3, expect.stringContaining(error)]);
  }
});

test("in a job of GitHub, an acceptance that is over is shown at its line", async () => {
  repository.write(".assurance/accepted.yaml", written.replace("2999", "2020"));
  const { code, stdout } = await repository.diff(["before.yaml", "before.yaml"], { GITHUB_ACTIONS: "true" });
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
    if (text !== undefined) repository.write(".assurance/accepted.yaml", text);
    const accepting = ["--accept", "No title is longer", "--until", "2999-12-31"];
    const { code, stderr, stdout } = await repository.compare(shorter, ...accepting);
    expect([code, stderr]).toEqual([0, "1 acceptance added to .assurance/accepted.yaml.\n"]);
    expect(stdout).toContain("Accepted until 2999-12-31: No title is longer\n");
    const now = repository.read(".assurance/accepted.yaml");
    expect(now).toBe(expected);
    expect((await repository.compare(shorter)).code).toBe(0);
    const again = await repository.compare(shorter, ...accepting);
    expect([again.code, again.stderr]).toEqual([0, "Nothing fails that could be accepted.\n"]);
    expect(repository.read(".assurance/accepted.yaml")).toBe(now);
  });
}
