import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { createBookshop } from "../testing/bookshop.ts";
import { applyBookshop, openCodeWorld } from "../testing/bookshop-world.ts";
import type { CodeTenant } from "../testing/code-world.ts";

const { document, sha256, objects: bookshop, secrets } = createBookshop();

const world = await openCodeWorld();
const givenBookshop = (tenant = world.createTenant()) => applyBookshop(tenant);

test("files applied to an empty organization are pulled as they are, and nothing is left to change", async () => {
  const tenant = await givenBookshop();
  expect(await tenant.pullObjects()).toEqual(bookshop);
  const plan = await tenant.plan({ objects: bookshop, secrets });
  expect(plan).toMatchObject({ items: [], counts: { unchanged: bookshop.length } });
  const [, circle] = requireValue(await tenant.registry.listCircles(), "circles").items;
  const opened = requireValue(await tenant.registry.getCircle({ params: { testCircleId: circle!.id } }), "circle");
  expect(opened.variables).toContainEqual({ name: "password", value: null, secret: true });
});

test("a key is made from the first name, stays with a rename, and goes with its object", async () => {
  const tenant = world.createTenant();
  const registered = await tenant.apis.registerApi({ body: { source: { document }, name: "Bücher & mehr" } });
  const { id: apiId } = requireValue(registered, "api");
  const input = {
    name: "Lists books",
    method: "get",
    path: "/books",
    request: {},
    checks: ["not_a_server_error" as const],
  };
  const create = async () => requireValue(await tenant.registry.createTest({ params: { apiId }, body: input }), "test");
  const [first] = [await create(), await create()];
  const keys = async () =>
    (await tenant.pull()).map(({ kind, parent, key }) => [kind, parent, key].filter(Boolean).join("/"));
  expect(await keys()).toEqual(["api/bucher-mehr", "test/bucher-mehr/lists-books", "test/bucher-mehr/lists-books-2"]);
  await tenant.registry.changeTest({ params: { testId: first!.id }, body: { ...input, name: "Every book" } });
  await create();
  expect(await keys()).toContain("test/bucher-mehr/lists-books-3");
  await tenant.registry.deleteTest({ params: { testId: first!.id } });
  expect(await keys()).not.toContain("test/bucher-mehr/lists-books");
});

const renamed = (name: string) =>
  bookshop.map((object) => (object.kind === "test" ? { ...object, value: { ...object.value, name } } : object));

async function renameInPortal(tenant: CodeTenant, name: string) {
  const [stored] = requireValue(await tenant.registry.listAllTests(), "tests").items;
  const { id, apiId, version, createdAt, updatedAt, ...input } = stored!;
  world.clock.advance(1_000);
  requireValue(await tenant.registry.changeTest({ params: { testId: id }, body: { ...input, name } }), "test");
}

test("files hold no locations, and applying them leaves those of tests and circles as they are", async () => {
  const tenant = await givenBookshop();
  const locationId = "0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8e";
  const [stored] = requireValue(await tenant.registry.listAllTests(), "tests").items;
  const { id: testId, apiId, version, createdAt, updatedAt, ...input } = stored!;
  world.clock.advance(1_000);
  requireValue(await tenant.registry.changeTest({ params: { testId }, body: { ...input, locationId } }), "test");
  expect(JSON.stringify(await tenant.pullObjects())).not.toContain(locationId);
  await tenant.apply({ objects: renamed("All books"), secrets });
  const tests = requireValue(await tenant.registry.listAllTests({ query: { locationId } }), "tests").items;
  expect(tests).toMatchObject([{ id: testId, name: "All books" }]);
});

test("places of a circle are in files by the names of locations, and an unknown name is an error at its line", async () => {
  const tenant = await givenBookshop();
  world.locations.push({ id: "0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8f", name: "Berlin office" });
  const withPlaces = (places: object) =>
    bookshop.map((object) => (object.kind === "circle" ? { ...object, value: { ...object.value, places } } : object));
  const places = { from: ["portal", "Berlin office"], rule: "atLeast", minimum: 2 };
  await tenant.apply({ objects: withPlaces(places) as never, secrets });
  const circles = requireValue(await tenant.registry.listCircles(), "circles").items;
  const ids = { portal: true, locationIds: ["0198c1f4-7c1b-7a52-9d2e-3f1a5b6c7d8f"], rule: "atLeast", minimum: 2 };
  expect(circles.map((circle) => circle.places)).toEqual(circles.map(() => ids));
  expect(await tenant.pullObjects()).toEqual(withPlaces(places));
  const wrong = withPlaces({ from: ["portal", "Paris"], rule: "any" });
  const index = wrong.findIndex(({ kind }) => kind === "circle");
  const refused = await tenant.registry.planCode({ body: { objects: wrong as never } });
  expect(refused).toMatchObject({ ok: false, problem: { code: "invalid_input" } });
  const errors = refused.ok ? [] : (refused.problem.errors ?? []);
  expect(errors).toContainEqual({
    path: `objects[${index}].value.places.from[1]`,
    message: "There is no location Paris. Create it in the portal first",
  });
});

test("a plan says what changes, where it was changed, and is refused once something else changed", async () => {
  const tenant = await givenBookshop();
  const planned = await tenant.plan({ objects: renamed("All books") });
  expect(planned.items).toEqual([
    {
      ...{ kind: "test", parent: "books", key: "lists-books", name: "Lists books", action: "change" },
      fields: [{ path: "name", before: "Lists books", after: "All books" }],
      ...{ changedIn: "files", portalFields: [], secrets: [] },
    },
  ]);
  await renameInPortal(tenant, "Books manually");
  const refused = await tenant.registry.applyCode({
    body: { objects: renamed("All books") as never, version: planned.version },
  });
  expect(refused).toMatchObject({ status: 412 });
  const [again] = (await tenant.plan({ objects: renamed("All books") })).items;
  expect(again).toMatchObject({
    changedIn: "both",
    portalFields: [{ path: "name", before: "Lists books", after: "Books manually" }],
  });
  expect((await tenant.plan({ objects: bookshop })).items[0]).toMatchObject({ changedIn: "portal" });
});

test("an object that was first applied after a pull is compared with what was applied", async () => {
  const tenant = world.createTenant();
  const registered = await tenant.apis.registerApi({ body: { source: { document }, name: "Books" } });
  const { id: apiId } = requireValue(registered, "api");
  const body = { name: "Lists", method: "get", path: "/books", request: {}, checks: ["not_a_server_error" as const] };
  requireValue(await tenant.registry.createTest({ params: { apiId }, body }), "test");
  const pulled = await tenant.pull();
  const base = pulled.map(({ kind, parent, key, hash, applied }) => ({
    ...{ kind, ...(parent ? { parent } : {}), key, hash, appliedAt: applied?.at ?? null },
  }));
  const named = (name: string) =>
    pulled.map(({ kind, parent, key, value }) => ({
      ...{ kind, ...(parent ? { parent } : {}), key, value: kind === "test" ? { ...value, name } : value },
    })) as never;
  // A pipeline applies a change of the files, from a checkout without a base.
  expect(await tenant.apply({ objects: named("Lists all") })).toMatchObject({ state: "applied" });
  const [changed] = (await tenant.plan({ objects: named("Lists every book"), base })).items;
  expect(changed).toMatchObject({ changedIn: "files", fields: [{ before: "Lists all", after: "Lists every book" }] });
  await renameInPortal(tenant, "Manually");
  const [both] = (await tenant.plan({ objects: named("Lists every book"), base })).items;
  expect(both).toMatchObject({ changedIn: "both" });
  // One that was applied before the pull is compared with the pull.
  const again = (await tenant.pull()).map(({ kind, parent, key, hash, applied }) => ({
    ...{ kind, ...(parent ? { parent } : {}), key, hash, appliedAt: applied?.at ?? null },
  }));
  const [own] = (await tenant.plan({ objects: named("Lists every book"), base: again })).items;
  expect(own).toMatchObject({ changedIn: "files" });
});

test("what was changed in the portal shows as drift, and is overwritten only where that was allowed", async () => {
  const tenant = await givenBookshop();
  await renameInPortal(tenant, "Books manually");
  const [drifted, ...others] = await tenant.pull({ drifted: "true" });
  expect(others).toEqual([]);
  expect(drifted).toMatchObject({ key: "lists-books", drift: [{ path: "name", after: "Books manually" }] });
  const { id } = drifted!;
  const managed = await tenant.registry.getManagedObject({ params: { kind: "test", objectId: id } });
  expect(requireValue(managed, "managed")).toMatchObject({
    managed: { key: "lists-books", commit: "4f2a9c1", isDrifted: true },
  });
  expect(await tenant.start({ objects: bookshop })).toMatchObject({ status: 409 });
  expect(await tenant.apply({ objects: bookshop, overwrite: true })).toMatchObject({ state: "applied" });
  expect(await tenant.pullObjects()).toEqual(bookshop);
});

test("an object that the files no longer have is deleted with prune only, and takes along what it had", async () => {
  const tenant = await givenBookshop();
  const objects = bookshop.filter(
    ({ key, kind }) =>
      key !== "nightly" && key !== "circle-nightly" && kind !== "schedule" && kind !== "maintenanceWindow",
  );
  const counts = { create: 0, change: 0, delete: 0 };
  expect(await tenant.apply({ objects })).toMatchObject({ state: "applied", counts });
  expect(await tenant.pullObjects()).toEqual(bookshop);
  const pruned = await tenant.apply({ objects, prune: true });
  expect(pruned).toMatchObject({ state: "applied", counts: { ...counts, delete: 6 }, done: { delete: 6 } });
  expect(await tenant.pullObjects()).toEqual(objects);
});

test("errors of all services name the object and its field, and nothing is stored", async () => {
  const tenant = await givenBookshop();
  const objects = [
    ...bookshop,
    {
      kind: "test",
      parent: "books",
      key: "wrong",
      value: { name: "W", method: "g t", path: "/books", checks: ["not_a_server_error"] },
    },
    {
      kind: "circle",
      key: "other",
      value: { name: "Other", members: [{ test: "books/none" }], environments: { books: "production" } },
    },
    { kind: "alertRule", key: "organization", value: { scope: { kind: "organization" }, channels: ["none"] } },
  ];
  const refused = await tenant.registry.planCode({ body: { objects: objects as never } });
  expect(refused).toMatchObject({ status: 422 });
  const paths = refused.ok ? [] : refused.problem.errors!.map(({ path }) => path);
  const at = bookshop.length;
  expect(paths).toEqual([
    `objects[${at}].value.method`,
    `objects[${at + 1}].value.members[0].test`,
    `objects[${at + 1}].value.environments.books`,
    `objects[${at + 2}].value.channels[0]`,
  ]);
  expect(await tenant.pullObjects()).toEqual(bookshop);
  const unknown = await tenant.registry.planCode({
    body: { objects: [{ ...bookshop[1], value: { name: "", colour: 1 } }] as never },
  });
  expect(unknown.ok ? [] : unknown.problem.errors!.map(({ path }) => path)).toContain("objects[0].value.name");
});

test("a call that is repeated with its key applies nothing twice, and two applications don't run at once", async () => {
  const tenant = await givenBookshop();
  const objects = renamed("All books");
  const { version } = await tenant.plan({ objects });
  const body = { objects: objects as never, version };
  const [first, second] = await Promise.all(
    ["a", "b"].map((key) => tenant.registry.applyCode({ headers: { "idempotency-key": key }, body })),
  );
  const [taken, refused] = first!.ok ? [first!, second!] : [second!, first!];
  expect(refused.status).toBeOneOf([409, 412]);
  const application = requireValue(taken, "application");
  await tenant.waitFor(application.id);
  const repeated = await tenant.registry.applyCode({ headers: { "idempotency-key": first!.ok ? "a" : "b" }, body });
  expect(requireValue(repeated, "application")).toMatchObject({ id: application.id, state: "applied" });
});

test("another organization sees and changes nothing, and each scope is needed", async () => {
  const tenant = await givenBookshop();
  const stranger = world.createTenant();
  expect(await stranger.pull()).toEqual([]);
  const application = requireValue(await tenant.start({ objects: renamed("All books") }), "application");
  expect(await stranger.registry.getCodeApplication({ params: { applicationId: application.id } })).toMatchObject({
    status: 404,
  });
  await tenant.waitFor(application.id);
  const documents = { [sha256]: await stranger.stage(document) };
  await stranger.apply({ objects: bookshop, documents, secrets });
  expect((await tenant.pullObjects())[1]).toMatchObject({ value: { name: "All books" } });
  const reader = world.createTenant({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
  expect(await reader.registry.pullCode()).toMatchObject({ status: 403 });
  const writer = world.createTenant({
    organizationId: tenant.organizationId,
    scopes: ["apis:read", "tests:read", "tests:write"],
  });
  expect(await writer.apply({ objects: bookshop })).toMatchObject({ state: "applied" });
  const [api, ...others] = bookshop;
  const changed = [{ ...api, value: { ...api!.value, name: "Other" } }, ...others];
  expect(await writer.start({ objects: changed })).toMatchObject({ status: 403 });
});
