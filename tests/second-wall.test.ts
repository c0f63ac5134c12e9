import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../services/kit/testing/databases.ts";
import { forgetOrganization } from "./support/forgetful-queries.ts";

/** Why tables belong to no organization, so that no policy separates their rows. */
const nobodys: Record<string, string> = {
  "api_registry.loose_contents": "Names contents whose document is not there yet, or not any more",
  "portal_service.kept_forms": "Sealed, and found by an id that only one browser has",
  "portal_service.monthly_subscriptions": "The operator's numbers",
  "portal_service.provider_plans": "What is sold",
  "portal_service.reconciliations": "The operator's",
  "portal_service.refused_deliveries": "Of whoever pretends to be PayPal",
  "portal_service.services": "What is sold",
  "portal_service.webhook_deliveries": "PayPal's, before it is known what they are about; for operators only",
  "security_service.installation_settings": "The installation's",
  "security_service.known_places": "Hashes, asked for before it is known who signs in",
  "security_service.login_tries": "Hashes, asked for before it is known who signs in",
  "security_service.mailed_links": "Found by the secret that was mailed, or by whom they lead to",
  "security_service.registrations": "Of those who have no organization yet",
  "security_service.setting_changes": "The installation's",
  "security_service.signing_keys": "The installation's",
  "security_service.spent_human_checks": "Of visitors",
  "test_executioner.schedule_fences": "Versions of schedules, by ids that only the scheduler has",
};
/** In every schema that has them. */
const ofEvery: Record<string, string> = {
  ended_organizations: "What is left of deleted organizations is deleted for all of them",
  received_events: "Ids of events that had their effect",
  migrations: "The schema's own",
  migrations_lock: "The schema's own",
};

/** The code that leaves the organization of a request on purpose. */
const acrossOrganizations: Record<string, string> = {
  "services/api-registry/jobs/content-store.ts":
    "Contents are nobody's before their document is there and after it is gone",
  "services/api-registry/jobs/document-watch.ts": "Claims what is due of any organization, and looks within its own",
  "services/api-registry/jobs/relating.ts":
    "Finds what stored documents lack, one after the other, for all organizations",
  "services/kit/audit/audit-handlers.ts": "Operators see what was changed in every organization",
  "services/kit/batcher/batcher.ts": "A batch is of whoever asks at the same moment",
  "services/kit/database/likely-search.ts": "Finds ids by words that begin with the organization",
  "services/kit/database/word-search.ts": "Finds ids by words that begin with the organization",
  "services/kit/identity/access-state.ts": "Who was signed out is looked up for everyone, also in the middle of a call",
  "services/kit/service/service.ts": "Calls open to everyone, the operator's, and those for no organization",
  "services/test-registry/store/affected-tests.ts": "Finds ids of tests by credentials, which are one organization's",
};

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test("every table separates the rows of organizations, or is listed with the reason why it has none", async () => {
  const { rows } = await client.query<{ schema: string; name: string; isApart: boolean }>(`
    select space.nspname as schema, class.relname as name,
      class.relrowsecurity and exists (select from pg_policy where polrelid = class.oid) as "isApart"
    from pg_class class join pg_namespace space on space.oid = class.relnamespace
    where class.relkind in ('r', 'p') and not class.relispartition
      and space.nspname not in ('pg_catalog', 'information_schema', 'job_queue')`);
  expect(rows.length).toBeGreaterThan(80);
  const isListed = ({ schema, name }: (typeof rows)[number]) => name in ofEvery || `${schema}.${name}` in nobodys;
  const getName = ({ schema, name }: (typeof rows)[number]) => `${schema}.${name}`;
  expect(rows.filter((row) => !row.isApart && !isListed(row)).map(getName)).toEqual([]);
  expect(rows.filter((row) => row.isApart && isListed(row)).map(getName)).toEqual([]);
  const names = new Set(rows.map(getName));
  expect(Object.keys(nobodys).filter((name) => !names.has(name))).toEqual([]);
});

test("partitions can't be queried directly, where no policy applies", async () => {
  const { rows } = await client.query<{ name: string }>(`
    select class.oid::regclass::text as name from pg_class class
    where class.relispartition and class.relkind = 'r'
      and has_table_privilege('portal_organization', class.oid, 'SELECT')`);
  expect(rows).toEqual([]);
});

test("code that leaves the organization of a request is listed with the reason", () => {
  const files = readdirSync("services", { recursive: true })
    .map((name) => `services/${String(name)}`)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith("/organization-scope.ts"));
  const leaving = files.filter((name) => readFileSync(name, "utf8").includes("acrossOrganizations("));
  expect(leaving.sort()).toEqual(Object.keys(acrossOrganizations).sort());
});

test("forgetting removes conditions on organizations and nothing else", () => {
  expect(forgetOrganization('select 1 from "a"."tests" where "a"."tests"."organization_id" = $2 and "id" = $1')).toBe(
    'select 1 from "a"."tests" where $2::uuid is not null and "id" = $1',
  );
  expect(forgetOrganization("where plan.organization_id = any($1::uuid[]) and version > 0")).toBe(
    "where $1::uuid[] is not null and version > 0",
  );
  expect(forgetOrganization("where organization_id = $1::uuid")).toBe("where $1::uuid is not null");
});
