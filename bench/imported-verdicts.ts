/**
 * Verdicts of imported Postman collections beside newman's, request by request, against one local server.
 *
 *     npm run bench:imported-verdicts
 *
 * Each common form of an assertion is there twice: with a response that it passes, and with one that it fails. Newman is
 * installed on demand below `node_modules/.cache`.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireValue } from "../services/kit/client/client.ts";
// The services run on a database of its own, as in `services/kit/testing/databases.ts`.
import { toTheEnd } from "../services/test-executioner/testing/to-the-end.ts";
import { openHandledServices } from "../tests/support/handled-services.ts";
import { body, forms } from "./imported-forms.ts";
import { installPeer, print } from "./peer-package.ts";

const newmanVersion = "6.2.1";

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
  const program = join(installPeer("imported-verdicts", "newman", newmanVersion), "bin/newman.js");
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
