/**
 * Lists, filters and searches the audit records, domains, credentials and tests of an organization with 1,000 of each and
 * of one with 100,000, alternating, through the services' own handlers; prints the medians and their ratio.
 * Run: npm run bench:records [records]
 */
import { type Kysely, sql } from "kysely";
import { type CallResult, requireValue } from "../services/kit/client/client.ts";
import type { AnyTables } from "../services/kit/database/database.ts";
import { encodeCursor } from "../services/kit/database/keyset.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { addMember, addOrganization, signInAs } from "../services/security-service/testing/members.ts";
import { createSecurityWorld, type SecurityWorld } from "../services/security-service/testing/world.ts";
import { createTestRegistryWorld } from "../services/test-registry/testing/world.ts";
import { compareLists } from "./compared-lists.ts";

const few = 1_000;
const many = Number(process.argv[2] ?? 100_000);
const hour = 60 * 60 * 1_000;

type TestWorld = Awaited<ReturnType<typeof createTestRegistryWorld>>;

interface Own {
  client: Awaited<ReturnType<typeof signInAs>>["client"];
  tests: ReturnType<TestWorld["connect"]>;
  /** In the middle of its lists. */
  middle: { recordId: string; domain: string; credential: string; time: Date };
}

/** Used by three tests. */
const credentialId = "0190a000-0000-7000-8000-00000000000a";

/** Tests that reference credentials, nearly all of them a different one. */
async function fillTests(world: TestWorld, count: number): Promise<Own["tests"]> {
  const { client, apiId, organizationId } = world.createTenant();
  const bindings = [{ schemeName: "key", credentialId }];
  const request = { authorization: { kind: "credentials" as const, bindings } };
  const body = { name: "Test", method: "get", path: "/pets", request, checks: ["not_a_server_error" as const] };
  const test = requireValue(await client.createTest({ params: { apiId }, body }), "a test");
  const columns = sql.raw(
    "organization_id, api_id, method, path, enabled, tags, definition_version, version, created_at, updated_at",
  );
  await sql`
    insert into test_registry.tests (id, name, definition, ${columns})
    select gen_random_uuid(), 'Test ' || n, case when n % ${count / 2} = 3 then definition
      else replace(definition::text, ${credentialId}, gen_random_uuid()::text)::json end, ${columns}
    from test_registry.tests, generate_series(2, ${count}::int) n where id = ${test.id}`.execute(world.database.kysely);
  await sql`analyze`.execute(world.database.kysely);
  return world.connect({ token: await world.serviceToken(organizationId) });
}

/** One change per hour, mostly to tests; a few to domains, by another user; one rare. */
async function fill(world: SecurityWorld, name: string, count: number): Promise<Omit<Own, "tests">> {
  const { db } = world as unknown as { db: Kysely<AnyTables> };
  const organizationId = await addOrganization(world, name);
  await addMember(world, organizationId, { username: `${name}-boss`, roles: ["ADMIN"] });
  const { client } = await signInAs(world, `${name}-boss`);
  // Ids of version 7 begin with their time: one per hour up to now.
  const end = Date.now();
  const millisecond = sql`(${end}::bigint - (${count}::bigint - n) * ${hour / 100}::bigint)`;
  const id = sql`(substr(lpad(to_hex(${millisecond}), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(${millisecond}), 12, '0'), 9, 4)
    || '-7000-8000-' || right(${organizationId}, 6) || lpad(to_hex(n), 6, '0'))::uuid`;
  await sql`
    insert into security_service.audit_records
      (id, organization_id, recorded_at, actor_kind, actor_id, actor_name, request_id, operation, resource_kind, resource_id)
    select ${id}, ${organizationId}, to_timestamp(${millisecond} / 1000.0), 'user', 'u',
      case n when ${count - 2} then 'Zenobia Rare' else 'Anna Example' end, 'r',
      case when n % ${count / 4} = 3 then 'changeDomain' else 'changeUser' end,
      case when n % ${count / 4} = 3 then 'domain' else 'user' end, 'thing-' || n
    from generate_series(1, ${count}::int) n order by n`.execute(db);
  const half = String(Math.floor(count / 2)).padStart(7, "0");
  await sql`
    insert into security_service.domains (id, organization_id, name, description, method, token, state, created_at, updated_at)
    select gen_random_uuid(), ${organizationId}, ${name} || lpad(n::text, 7, '0') || '.example.com',
      case n when ${count - 2} then 'zenobia' else 'anything' end, 'dnsTxt', 't',
      case when n % ${count / 4} = 3 then 'verified' else 'unverified' end, now(), now()
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`
    insert into security_service.credentials (id, organization_id, name, domain, type, settings, sealed_secret, created_at, updated_at)
    select gen_random_uuid(), ${organizationId}, ${name} || lpad(n::text, 7, '0'),
      ${name} || lpad(n::text, 7, '0') || '.example.com', 'bearer', '{"type": "bearer"}', '', now(), now()
    from generate_series(1, ${count}::int) n`.execute(db);
  await sql`analyze`.execute(db);
  const { rows } = await sql<{ id: string; recorded_at: Date }>`
    select id, recorded_at from security_service.audit_records where organization_id = ${organizationId}
    order by id offset ${Math.floor(count / 2)} limit 1`.execute(db);
  const { id: recordId, recorded_at: time } = rows[0]!;
  return { client, middle: { recordId, time, domain: `${name}${half}.example.com`, credential: `${name}${half}` } };
}

type List = (own: Own) => Promise<CallResult<unknown>>;
const audit =
  (query: (middle: Own["middle"]) => object): List =>
  ({ client, middle }) =>
    client.listAuditRecords({ query: query(middle) });

const lists: Record<string, List> = {
  "audit records": audit(() => ({})),
  "records, further down": audit(({ recordId }) => ({ beforeId: recordId })),
  "records until a day": audit(({ time }) => ({ until: time.toISOString() })),
  "records of a kind": audit(() => ({ kind: "user" })),
  "records of a rare kind": audit(() => ({ kind: "domain" })),
  "records of a call": audit(() => ({ operation: "changeDomain" })),
  "a word all have": audit(() => ({ query: "exam" })),
  "a word one has": audit(() => ({ query: "zeno" })),
  "a word none has": audit(() => ({ query: "nobody" })),
  "a word and a kind": audit(() => ({ query: "anna", kind: "domain" })),
  "a rare word and a kind": audit(() => ({ query: "zeno", kind: "user" })),
  "a word until a day": audit(({ time }) => ({ query: "anna", until: time.toISOString() })),
  domains: ({ client }) => client.listDomains({ query: {} }),
  "domains, further down": ({ client, middle }) =>
    client.listDomains({ query: { cursor: encodeCursor([middle.domain]) } }),
  "verified domains": ({ client }) => client.listDomains({ query: { state: "verified" } }),
  "domains by a word": ({ client }) => client.listDomains({ query: { query: "zenobia" } }),
  credentials: ({ client }) => client.listCredentials({ query: {} }),
  "credentials, further": ({ client, middle }) =>
    client.listCredentials({ query: { cursor: encodeCursor([middle.credential]) } }),
  "credentials by a word": ({ client, middle }) => client.listCredentials({ query: { query: middle.credential } }),
  "tests of a credential": ({ tests }) => tests.findTestsOfCredentials({ body: { credentialIds: [credentialId] } }),
};

const [engine] = testEngines();
const [database, testWorld] = [await engine.open(), await createTestRegistryWorld(engine)];
try {
  const world = await createSecurityWorld(database, { work: false });
  try {
    const open = async (name: string, count: number) => ({
      count,
      own: { ...(await fill(world, name, count)), tests: await fillTests(testWorld, count) },
    });
    const [small, large] = [await open("few", few), await open("many", many)];
    process.exitCode = (await compareLists(lists, small, large)) ? 0 : 1;
  } finally {
    await world.stop();
  }
} finally {
  await testWorld.close();
  await database.close();
}
