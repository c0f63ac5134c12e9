/**
 * Pulls, plans and applies an organization of 5,000 tests as files, to an empty organization and unchanged again, on
 * PostgreSQL, and prints the seconds of each.
 * Run: npm run bench:code [tests]
 */
import { testEngines } from "../services/kit/testing/databases.ts";
import { createBookshop } from "../services/test-registry/testing/bookshop.ts";
import { createCodeWorld } from "../services/test-registry/testing/code-world.ts";

const count = Number(process.argv[2] ?? 5_000);
const perCircle = 100;
const print = (line: string) => void process.stdout.write(`${line}\n`);

const { document, sha256 } = createBookshop();

function createObjects(): object[] {
  const tests = Array.from({ length: count }, (_, index) => ({
    ...{ kind: "test", parent: "books", key: `test-${index}` },
    value: {
      ...{ name: `Test ${index}`, method: "get", path: "/books", tags: ["smoke", `group ${index % 50}`] },
      request: { query: [{ name: "page", value: String(index) }], headers: [{ name: "X-Trace", value: "{{$uuid}}" }] },
      assertions: [
        { source: "statusCode", comparison: "equals", target: 200 },
        { source: "jsonPath", property: "$.items[0].name", comparison: "matches", target: "^[A-Z].*" },
      ],
      checks: ["response_schema_conformance"],
    },
  }));
  const circles = Array.from({ length: Math.ceil(count / perCircle) }, (_, at) => {
    const own = tests.slice(at * perCircle, (at + 1) * perCircle);
    return {
      ...{ kind: "circle", key: `circle-${at}` },
      value: { name: `Circle ${at}`, members: own.map(({ key }) => ({ test: `books/${key}` })) },
    };
  });
  return [{ kind: "api", key: "books", value: { name: "Books", document: { sha256 } } }, ...tests, ...circles];
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  print(`${name.padEnd(48)} ${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s`);
  return result;
}

const world = await createCodeWorld(testEngines()[0]);
try {
  const [tenant, other] = [world.createTenant(), world.createTenant()];
  const objects = createObjects();
  print(`${count} tests in ${Math.ceil(count / perCircle)} circles`);
  const documents = { [sha256]: await tenant.stage(document) };
  await timed("plan, everything new", () => tenant.plan({ objects, documents }));
  const applied = await timed("plan and apply, everything new", () => tenant.apply({ objects, documents }));
  if (applied.state !== "applied") throw new Error(JSON.stringify(applied));
  const pulled = await timed("pull", () => tenant.pull({ limit: 1_000 }));
  if (pulled.length !== objects.length) throw new Error(`${pulled.length} of ${objects.length} were pulled`);
  const { counts } = await timed("plan, nothing changed", () => tenant.plan({ objects }));
  if (counts.unchanged !== objects.length) throw new Error(JSON.stringify(counts));
  const again = pulled.map(({ kind, parent, key, value }) => ({ kind, ...(parent ? { parent } : {}), key, value }));
  const sent = { [sha256]: await other.stage(document) };
  await timed("apply what was pulled to an empty organization", () => other.apply({ objects: again, documents: sent }));
  const changed = again.map((one) => (one.kind === "test" ? { ...one, value: { ...one.value, tags: ["all"] } } : one));
  await timed("apply, every test changed", () => other.apply({ objects: changed }));
} finally {
  await world.close();
}
