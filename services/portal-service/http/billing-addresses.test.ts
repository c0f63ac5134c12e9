import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditTables } from "../../kit/audit/audit-table.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { schemaName } from "../store/tables.ts";
import { requireValue } from "../testing/buyer.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

let database: Database;
let world: PortalWorld;

beforeEach(async () => {
  database = await testEngines()[0]!.open();
  world = await createPortalWorld(database);
});
afterEach(async () => {
  await world.stop();
  await database.close();
});

const books = {
  country: "IE",
  organization: "Books Ltd",
  street: "1 Main Street",
  city: "Dublin",
  postalCode: "D02 AF30",
};

test("an address is stored in its country's format, recorded, and visible to its own organization only", async () => {
  const client = world.member({ scopes: ["billing:manage"] });
  expect(await requireValue(client.getBillingAddress())).toEqual({ address: null });
  const { address } = await requireValue(client.putBillingAddress({ body: { ...books, vatId: "IE1234567T" } }));
  expect(address).toMatchObject({
    vatId: "IE1234567T",
    lines: ["Books Ltd", "1 Main Street", "Dublin", "D02 AF30", "Ireland"],
  });
  expect(await requireValue(client.getBillingAddress())).toEqual({ address });
  await requireValue(client.putBillingAddress({ body: { ...books, city: "Cork" } }));
  expect((await requireValue(client.getBillingAddress())).address).toMatchObject({ city: "Cork" });

  const other = world.member({ scopes: ["billing:manage"], organizationId: randomUUID() });
  expect(await requireValue(other.getBillingAddress())).toEqual({ address: null });
  expect((await world.member({ scopes: ["tests:read"] }).getBillingAddress()).status).toBe(403);
  const records = await database
    .inSchema<AuditTables>(schemaName)
    .selectFrom("audit_records")
    .select(["operation", "after"])
    .where("resource_id", "=", world.organizationId)
    .execute();
  expect(records.map(({ operation }) => operation)).toEqual(["putBillingAddress", "putBillingAddress"]);
});

test("an address that is invalid in its country is refused at the field", async () => {
  const client = world.member({ scopes: ["billing:manage"] });
  const refused = await client.putBillingAddress({ body: { ...books, city: "", postalCode: "12345" } });
  expect(refused).toMatchObject({
    status: 422,
    problem: {
      errors: [
        { path: "city", message: "Enter the city" },
        { path: "postalCode", message: "Enter an Eircode, e.g. A65 F4E2" },
      ],
    },
  });
  expect((await client.putBillingAddress({ body: { ...books, country: "XX" } })).status).toBe(422);
});

test("countries list their fields", async () => {
  const client = world.member();
  const { items } = await requireValue(client.listCountries());
  expect(items.length).toBeGreaterThan(200);
  expect(items.find(({ code }) => code === "IE")).toEqual({ code: "IE", name: "Ireland" });
  const ireland = await requireValue(client.getCountryMetadata({ params: { code: "ie" } }));
  expect(ireland.fields.find(({ name }) => name === "postalCode")).toMatchObject({ label: "Eircode", required: false });
  expect((await client.getCountryMetadata({ params: { code: "XX" } })).status).toBe(404);
});
