/**
 * Searches the tests, circles, APIs and operations of an organization with 1,000 tests and operations and of one with
 * 1,000,000, alternating, through the services' own handlers; prints the medians and their ratio.
 * Run: npm run bench:search [rows] [embedded]
 */
import { sql } from "kysely";
import { smallDocument } from "../services/api-registry/testing/fixtures.ts";
import { startRegistry } from "../services/api-registry/testing/registry.ts";
import { type CallResult, requireValue } from "../services/kit/client/client.ts";
import { bothEngines } from "../services/kit/testing/databases.ts";
import { createTestRegistryWorld } from "../services/test-registry/testing/world.ts";
import { compareLists } from "./compared-lists.ts";

/** Several words that nearly all rows have are the slowest. */
const maxMilliseconds = 400;
const few = 1_000;
const many = Number(process.argv[2] ?? 1_000_000);
const engine = bothEngines().find(({ name }) => (name === "PGlite") === (process.argv[3] === "embedded"))!;

type TestWorld = Awaited<ReturnType<typeof createTestRegistryWorld>>;
type Registry = Awaited<ReturnType<typeof startRegistry>>;
interface Own {
  tests: ReturnType<TestWorld["createTenant"]>["client"];
  apis: Registry["client"];
}

/** Every test's name has a common word, one of a hundred words and a number. */
const name = sql`'Order no ' || n || ' of kind' || n % 100`;

async function fillTests(world: TestWorld, count: number): Promise<Own["tests"]> {
  const { client, apiId } = world.createTenant();
  const body = { name: "Zebra", method: "get", path: "/zebras", request: {}, checks: ["not_a_server_error" as const] };
  const test = requireValue(await client.createTest({ params: { apiId }, body }), "a test");
  const columns = sql.raw(
    "organization_id, api_id, method, enabled, tags, definition, definition_version, version, created_at, updated_at",
  );
  await sql`
    insert into test_registry.tests (id, name, path, ${columns})
    select gen_random_uuid(), ${name}, '/orders/' || n % 1000, ${columns}
    from test_registry.tests, generate_series(2, ${count}::int) n where id = ${test.id}`.execute(world.database.kysely);
  await sql`analyze test_registry.tests`.execute(world.database.kysely);
  return client;
}

/** One large document instead of many: indexing is the same. */
async function fillOperations(
  { database, client }: { database: TestWorld["database"]; client: Registry["client"] },
  count: number,
): Promise<Own["apis"]> {
  const paths = { "/zebras": { get: { responses: { 200: { description: "Fine" } } } } };
  const document = JSON.stringify(smallDocument({ paths }));
  const { documentId } = requireValue(await client.registerApi({ body: { source: { document } } }), "an API");
  const schema = sql.raw("document_id, kind, operation_id, method, summary, tags, deprecated, response_statuses");
  await sql`
    insert into api_registry.operations (position, lookup_key, path, search_text, ${schema})
    select n, n::text, '/orders/' || n, '', ${schema} from api_registry.operations, generate_series(2, ${count}::int) n
    where document_id = ${documentId}`.execute(database.kysely);
  await sql`
    insert into api_registry.operation_words (organization_id, document_id, position, key, words)
    select organization_id, document_id, n, 'get /orders/' || n, 'get /orders/' || n || ' ' || ${name} from api_registry.operation_words,
      generate_series(2, ${count}::int) n where document_id = ${documentId}`.execute(database.kysely);
  await sql`analyze api_registry.operation_words`.execute(database.kysely);
  return client;
}

const searches: Record<string, string> = {
  "a word all have": "order",
  "a letter": "o",
  "a word of one in 100": "kind77",
  "two words all have": "no order",
  "a common and a rare one": "order zebra",
  "a word one has": "zebra",
  "a word none has": "xylophone",
  "a whole name": "order no 500 of kind0",
  "a method and a path": "get /orders/500",
  "a method": "get",
};
const lists = Object.fromEntries(
  Object.entries(searches).flatMap(([label, query]): [string, (own: Own) => Promise<CallResult<unknown>>][] => [
    [`tests: ${label}`, ({ tests }) => tests.searchTests({ query: { query } })],
    [`operations: ${label}`, ({ apis }) => apis.searchApis({ query: { query } })],
  ]),
);

const world = await createTestRegistryWorld(engine);
const database = await engine.open();
const registry = await startRegistry(database);
try {
  const apisOf = async (client: Registry["client"], count: number) => await fillOperations({ database, client }, count);
  const small = { tests: await fillTests(world, few), apis: await apisOf(registry.stranger, few) };
  const start = performance.now();
  const large = { tests: await fillTests(world, many), apis: await apisOf(registry.client, many) };
  process.stdout.write(`filled in ${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
  const within = await compareLists(lists, { count: few, own: small }, { count: many, own: large }, maxMilliseconds);
  process.exitCode = within ? 0 : 1;
} finally {
  await registry.service.stop();
  await database.close();
  await world.close();
}
