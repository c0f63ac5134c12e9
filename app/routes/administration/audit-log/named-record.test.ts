import { expect, test } from "vitest";
import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import { nameRecord } from "./named-record";
import { changeSummary } from "./record-subject";
import { actionWords } from "./record-words";

const record: AuditRecord = {
  id: "01900000-0000-7000-8000-000000000001",
  organizationId: "01900000-0000-7000-8000-000000000002",
  recordedAt: "2026-04-01T08:00:00.000Z",
  actor: { kind: "user", id: "ada", name: "ada" },
  clientAddress: null,
  requestId: "request-1",
  operation: "changeTest",
  resource: { kind: "test", id: "t1" },
  before: { name: "Get an order", apiId: "a1", enabled: true, version: 1 },
  after: { name: "Get one order", apiId: "a1", enabled: true, version: 2 },
};
const known = {
  user: { ada: { name: "Ada Lovelace", username: "ada", address: "/users/ada" } },
  test: { t1: { name: "Renamed since", address: "/tests/t1", apiId: "a1" } },
  api: { a1: { name: "Example shop", address: "/apis/a1" } },
};

test("a resource has the name that it had then, with the page of what still exists", () => {
  expect(nameRecord(record, known)).toMatchObject({
    who: { name: "Ada Lovelace", username: "ada" },
    kindName: "Test",
    self: { name: "Get an order", address: "/tests/t1" },
    owner: { name: "Example shop", address: "/apis/a1" },
  });
  const gone = nameRecord({ ...record, operation: "deleteTest", after: null }, {});
  expect(gone).toMatchObject({ who: { name: "ada" }, self: { name: "Get an order" }, owner: undefined });
  expect(gone.self?.address).toBeUndefined();
});

test("a record without a name shows the current name, or the name of its parent", () => {
  const bare = { ...record, before: null, after: null };
  expect(nameRecord(bare, known)).toMatchObject({ self: { name: "Renamed since" }, owner: { name: "Example shop" } });
  const run = { kind: "circle", testCircleId: "c1", testCircleName: "Checkout" };
  const started = { ...record, resource: { kind: "run", id: "r1" }, before: null, after: { source: run } };
  expect(nameRecord(started, known)).toMatchObject({ kindName: "Run", self: undefined, owner: { name: "Checkout" } });
  const level = { ...record, resource: { kind: "service level", id: "c1" }, before: null, after: { objective: 99 } };
  const circle = { c1: { name: "Checkout", address: "/circles/c1" } };
  expect(nameRecord(level, { circle }).owner).toEqual({ name: "Checkout", address: "/circles/c1" });
});

test("the portal and visitors are named as such", () => {
  const by = (actor: AuditRecord["actor"]) => nameRecord({ ...record, actor }, known).who.name;
  expect(by({ kind: "service", id: "portal", name: "portal" })).toBe("The portal");
  expect(by({ kind: "visitor", id: null, name: "visitor" })).toBe("A visitor");
});

test("a change says what it is in a few words", () => {
  expect(changeSummary(record)).toBe("Name changed");
  expect(changeSummary({ ...record, after: { name: "x", apiId: "a2", enabled: false } })).toBe("3 fields changed");
  expect(changeSummary({ ...record, operation: "createTest", before: null })).toBe("Created");
  expect(changeSummary({ ...record, operation: "deleteTest", after: null })).toBe("Deleted");
  expect(changeSummary({ ...record, operation: "cancelRun", after: null })).toBe("Details");
});

test("an action is in the past and doesn't repeat what it was done to", () => {
  const words = [
    ["createTests", "test"],
    ["changeChannel", "alert channel"],
    ["setServiceLevel", "service level"],
    ["runCircle", "run"],
    ["deleteTestsOfApi", "test"],
    ["revokeApiToken", "api-token"],
    ["unknownThing", "thing"],
  ] as const;
  expect(words.map(([operation, kind]) => actionWords(operation, kind))).toEqual([
    ...["Created", "Changed", "Set", "Started", "Deleted with its API", "Revoked", "Unknown thing"],
  ]);
});
