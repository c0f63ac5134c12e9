/**
 * Verdicts of imported Postman collections beside newman's, request by request, against one local server.
 *
 *     npm run bench:imported-verdicts
 *
 * Each common form of an assertion is there twice: with a response that it passes, and with one that it fails. Newman is
 * installed on demand below `node_modules/.cache`.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { requireValue } from "../services/kit/client/client.ts";
// The services run on a database of its own, as in `services/kit/testing/databases.ts`.
import { toTheEnd } from "../services/test-executioner/testing/to-the-end.ts";
import { openHandledServices } from "../tests/support/handled-services.ts";

const print = (line: string) => void process.stdout.write(`${line}\n`);
const newmanVersion = "6.2.1";

const body = {
  id: 7,
  name: "Rex",
  tags: ["dog", "old"],
  owner: { name: "Ada", age: 36 },
  price: 12.5,
  sold: false,
  note: null,
};

/** Statements with a response that they pass; `failing` are the same with one that they fail. */
const forms: { name: string; passing: string; failing: string }[] = [
  { name: "status", passing: "pm.response.to.have.status(200)", failing: "pm.response.to.have.status(201)" },
  {
    name: "status by its words",
    passing: "pm.response.to.have.status('OK')",
    failing: "pm.response.to.have.status('Created')",
  },
  {
    name: "code equals",
    passing: "pm.expect(pm.response.code).to.equal(200)",
    failing: "pm.expect(pm.response.code).to.equal(204)",
  },
  {
    name: "code is one of",
    passing: "pm.expect(pm.response.code).to.be.oneOf([200, 201])",
    failing: "pm.expect(pm.response.code).to.be.oneOf([201, 202])",
  },
  { name: "ok", passing: "pm.response.to.be.ok", failing: "pm.response.to.be.notFound" },
  { name: "no error", passing: "pm.response.to.not.be.error", failing: "pm.response.to.be.error" },
  { name: "JSON", passing: "pm.response.to.be.json", failing: "pm.response.to.not.be.json" },
  {
    name: "response time",
    passing: "pm.expect(pm.response.responseTime).to.be.below(20000)",
    failing: "pm.expect(pm.response.responseTime).to.be.above(20000)",
  },
  {
    name: "header is there",
    passing: "pm.response.to.have.header('X-Kind')",
    failing: "pm.response.to.have.header('X-Missing')",
  },
  {
    name: "header equals",
    passing: "pm.response.to.have.header('X-Kind', 'pet')",
    failing: "pm.response.to.have.header('X-Kind', 'car')",
  },
  {
    name: "header contains",
    passing: "pm.expect(pm.response.headers.get('Content-Type')).to.include('json')",
    failing: "pm.expect(pm.response.headers.get('Content-Type')).to.include('xml')",
  },
  {
    name: "body contains",
    passing: "pm.expect(pm.response.text()).to.include('Rex')",
    failing: "pm.expect(pm.response.text()).to.include('Max')",
  },
  {
    name: "value equals",
    passing: "pm.expect(json.owner.name).to.eql('Ada')",
    failing: "pm.expect(json.owner.name).to.eql('Bob')",
  },
  { name: "number equals", passing: "pm.expect(json.id).to.equal(7)", failing: "pm.expect(json.id).to.equal('7')" },
  {
    name: "value in a list",
    passing: "pm.expect(json.tags[1]).to.eql('old')",
    failing: "pm.expect(json.tags[2]).to.eql('old')",
  },
  {
    name: "object equals",
    passing: "pm.expect(json.owner).to.eql({ name: 'Ada', age: 36 })",
    failing: "pm.expect(json.owner).to.eql({ name: 'Ada' })",
  },
  {
    name: "member is there",
    passing: "pm.expect(json).to.have.property('name')",
    failing: "pm.expect(json).to.have.property('surname')",
  },
  {
    name: "member equals",
    passing: "pm.expect(json).to.have.property('name', 'Rex')",
    failing: "pm.expect(json).to.have.property('name', 'Max')",
  },
  {
    name: "members",
    passing: "pm.expect(json).to.include.keys('id', 'name')",
    failing: "pm.expect(json).to.include.keys('id', 'surname')",
  },
  {
    name: "type of number",
    passing: "pm.expect(json.price).to.be.a('number')",
    failing: "pm.expect(json.price).to.be.a('string')",
  },
  {
    name: "type of list",
    passing: "pm.expect(json.tags).to.be.an('array')",
    failing: "pm.expect(json.owner).to.be.an('array')",
  },
  {
    name: "length",
    passing: "pm.expect(json.tags).to.have.lengthOf(2)",
    failing: "pm.expect(json.tags).to.have.lengthOf(3)",
  },
  {
    name: "length of a list",
    passing: "pm.expect(json.tags.length).to.be.above(1)",
    failing: "pm.expect(json.tags.length).to.be.above(2)",
  },
  {
    name: "list contains",
    passing: "pm.expect(json.tags).to.include('dog')",
    failing: "pm.expect(json.tags).to.include('cat')",
  },
  {
    name: "text contains",
    passing: "pm.expect(json.name).to.include('ex')",
    failing: "pm.expect(json.name).to.include('ox')",
  },
  { name: "false", passing: "pm.expect(json.sold).to.be.false", failing: "pm.expect(json.sold).to.be.true" },
  { name: "null", passing: "pm.expect(json.note).to.be.null", failing: "pm.expect(json.name).to.be.null" },
  {
    name: "undefined",
    passing: "pm.expect(json.surname).to.be.undefined",
    failing: "pm.expect(json.name).to.be.undefined",
  },
  {
    name: "not equal",
    passing: "pm.expect(json.name).to.not.eql('Max')",
    failing: "pm.expect(json.name).to.not.eql('Rex')",
  },
  {
    name: "at least",
    passing: "pm.expect(json.id).to.be.at.least(7)",
    failing: "pm.expect(json.id).to.be.at.least(8)",
  },
  {
    name: "within",
    passing: "pm.expect(json.id).to.be.within(1, 10)",
    failing: "pm.expect(json.id).to.be.within(8, 10)",
  },
  {
    name: "matches",
    passing: "pm.expect(json.name).to.match(/^re/i)",
    failing: "pm.expect(json.name).to.match(/^ex/i)",
  },
  {
    name: "comparison",
    passing: "pm.expect(json.id === 7).to.be.true",
    failing: "pm.expect(json.id === 8).to.be.true",
  },
  { name: "empty", passing: "pm.expect(json.tags).to.not.be.empty", failing: "pm.expect(json.tags).to.be.empty" },
  {
    name: "jsonBody",
    passing: "pm.response.to.have.jsonBody('owner.age', 36)",
    failing: "pm.response.to.have.jsonBody('owner.age', 37)",
  },
  {
    name: "older style",
    passing: "tests['code'] = responseCode.code === 200",
    failing: "tests['code'] = responseCode.code === 404",
  },
  {
    name: "older style, body",
    passing: "tests['body'] = responseBody.has('Rex')",
    failing: "tests['body'] = responseBody.has('Max')",
  },
];

const wrap = (statement: string) =>
  statement.startsWith("tests[") ? [`${statement};`] : ["pm.test('holds', function () {", `  ${statement};`, "});"];
const item = (name: string, url: string, exec: string[]) => ({
  name,
  event: [{ listen: "test", script: { type: "text/javascript", exec: ["const json = pm.response.json();", ...exec] } }],
  request: { method: "GET", url },
});

function makeCollection(baseUrl: string): object {
  const items = forms.flatMap(({ name, passing, failing }) => [
    item(`${name}, passing`, "{{baseUrl}}/pets/7", wrap(passing)),
    item(`${name}, failing`, "{{baseUrl}}/pets/7", wrap(failing)),
  ]);
  const chained = [
    item("captures an id", "{{baseUrl}}/pets/7", [
      ...wrap("pm.expect(json.id).to.eql(7)"),
      "pm.collectionVariables.set('petId', json.id);",
      "pm.collectionVariables.set('petName', json.name);",
    ]),
    item(
      "uses the id",
      "{{baseUrl}}/pets/{{petId}}",
      wrap("pm.expect(json.name).to.eql(pm.collectionVariables.get('petName'))"),
    ),
    item("is not there", "{{baseUrl}}/nowhere", wrap("pm.response.to.have.status(404)")),
    item("is redirected", "{{baseUrl}}/moved", wrap("pm.response.to.have.status(200)")),
    item("says nothing", "{{baseUrl}}/pets/7", []),
  ];
  return {
    info: { name: "Forms", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    variable: [{ key: "baseUrl", value: baseUrl }],
    item: [...items, ...chained],
  };
}

async function runNewman(collection: object): Promise<Map<string, boolean>> {
  const peers = resolve("node_modules/.cache/imported-verdicts");
  const program = join(peers, "node_modules/newman/bin/newman.js");
  if (!existsSync(program)) {
    mkdirSync(peers, { recursive: true });
    execFileSync("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--prefix",
      peers,
      `newman@${newmanVersion}`,
    ]);
  }
  const folder = mkdtempSync(join(tmpdir(), "verdicts-"));
  const [given, report] = ["collection.json", "report.json"].map((name) => join(folder, name)) as [string, string];
  writeFileSync(given, JSON.stringify(collection));
  try {
    // Not waited for synchronously: the server that it asks is in this process.
    await promisify(execFile)(process.execPath, [
      program,
      "run",
      given,
      "--reporters",
      "json",
      "--reporter-json-export",
      report,
      "--suppress-exit-code",
    ]);
    const { run } = JSON.parse(readFileSync(report, "utf8")) as {
      run: { executions: { item: { name: string }; requestError?: unknown; assertions?: { error?: unknown }[] }[] };
    };
    return new Map(
      run.executions.map(({ item: { name }, requestError, assertions = [] }) => [
        name,
        !requestError && assertions.every(({ error }) => !error),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runImported(
  collection: object,
): Promise<{ verdicts: Map<string, boolean>; losses: { what: string }[] }> {
  const services = await openHandledServices();
  try {
    const { testRegistry, testExecutioner } = services.backend;
    const source = { files: [{ name: "forms.json", text: JSON.stringify(collection) }] };
    const imported = requireValue(await testRegistry.importTests({ body: { source } }), "importing");
    const body = { source: { testCircleId: imported.circles[0]!.id } };
    const run = requireValue(await toTheEnd(testExecutioner).startRun({ body }), "running");
    const verdicts = new Map<string, boolean>();
    let cursor: string | undefined;
    do {
      const page = requireValue(
        await testExecutioner.getRun({ params: { runId: run.id }, query: { limit: 200, cursor } }),
        "reading",
      );
      for (const { testName, verdict } of page.members.items)
        verdicts.set(testName, verdict === "passed" || verdict === "flaky");
      cursor = page.members.nextCursor ?? undefined;
    } while (cursor);
    return { verdicts, losses: imported.losses };
  } finally {
    await services.stop();
  }
}

const server = createServer(({ url }, response) => {
  if (url === "/moved") return void response.writeHead(302, { location: "/pets/7" }).end();
  response.writeHead(url === "/pets/7" ? 200 : 404, {
    "content-type": "application/json; charset=utf-8",
    "x-kind": "pet",
  });
  response.end(JSON.stringify(body));
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const collection = makeCollection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const imported = await runImported(collection);
const newman = await runNewman(collection);
server.close();
const different = [...newman].filter(([name, passed]) => imported.verdicts.get(name) !== passed);
print(
  `Requests: ${newman.size}. Passed by newman: ${[...newman.values()].filter(Boolean).length}. Statements not carried over: ${imported.losses.length}.`,
);
print(`Same verdict: ${newman.size - different.length} of ${newman.size}.`);
for (const { what } of imported.losses) print(`  not carried over: ${what}`);
for (const [name, passed] of different)
  print(`  ${name}: newman ${passed ? "passed" : "failed"}, imported ${String(imported.verdicts.get(name))}`);
process.exit(different.length === 0 ? 0 : 1);
