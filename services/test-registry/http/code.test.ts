import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createBookshop } from "../testing/bookshop.ts";
import { createCodeWorld } from "../testing/code-world.ts";

const { document, sha256, objects: bookshop, secrets } = createBookshop();

let world: Awaited<ReturnType<typeof createCodeWorld>>;
beforeAll(async () => {
  world = await createCodeWorld(testEngines()[0]);
});
afterAll(() => world.close());

const givenBookshop = async (tenant = world.createTenant()) => {
  const documents = { [sha256]: await tenant.stage(document) };
  const application = await tenant.apply({ objects: bookshop, documents, secrets });
  expect(application).toMatchObject({ state: "applied", problem: null });
  return tenant;
};

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

async function renameInPortal(tenant: Awaited<ReturnType<typeof givenBookshop>>, name: string) {
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

test("a secret written out in a header, and what a status page can't show, are refused at their fields", async () => {
  const tenant = await givenBookshop();
  const withValue = (key: string, kind: string, value: object) =>
    bookshop.map((object) =>
      object.key === key && object.kind === kind ? { ...object, value: { ...object.value, ...value } } : object,
    );
  const messagesOf = async (objects: object[]) => {
    const refused = await tenant.registry.planCode({ body: { objects: objects as never } });
    return refused.ok ? [] : refused.problem.errors!.map(({ path, message }) => [path.split(".value.")[1], message]);
  };
  const headers = [
    { name: "Authorization", value: "Bearer 8f14e45fceea167a" },
    { name: "X-Team", value: "books" },
    { name: "x-team", value: "shop" },
  ];
  expect(await messagesOf(withValue("hook", "alertChannel", { headers }))).toEqual([
    ["headers[0].value", "Authorization carries a secret, which is named: { secret: AUTHORIZATION }"],
    ["headers[2].name", "This header is there already"],
  ]);
  const components = [
    { circle: "hourly", name: "Search" },
    { circle: "hourly", name: "Search" },
    { circle: "none", name: "Orders" },
  ];
  expect(await messagesOf(withValue("nightly", "statusPage", { components }))).toEqual([
    ["components[1].name", "This name is on the page already"],
    ["components[1].circle", "This circle is on the page already"],
    ["components[2].circle", "There is no circle none"],
  ]);
});

test("headers that were set in the portal are named in files, never written, and stay with their address", async () => {
  const tenant = await givenBookshop();
  const hook = (await tenant.pull()).find(({ key }) => key === "hook")!;
  const change = { kind: "webhook" as const, name: "Hook", url: "https://hooks.example.com/alerts" };
  const body = { ...change, headers: [{ name: "X-Team", value: "books" }] };
  requireValue(await tenant.analyzer.changeChannel({ params: { channelId: hook.id }, body }), "channel");
  const [pulled] = (await tenant.pull({ drifted: "true" })).filter(({ key }) => key === "hook");
  expect(pulled!.value.headers).toEqual([{ name: "X-Team", value: { secret: "HOOK_X_TEAM" } }]);
  const moved = { kind: "alertChannel", key: "hook", value: { ...pulled!.value, url: "https://other.example.com/" } };
  const { missingSecrets } = await tenant.plan({ objects: [moved] });
  expect(missingSecrets).toEqual(["HOOK_X_TEAM"]);
});

test("only those who manage credentials choose where a secret variable is read", async () => {
  const tenant = await givenBookshop();
  const scopes = ["apis:read", "apis:write", "tests:read", "tests:write"] as const;
  const editor = world.createTenant({ organizationId: tenant.organizationId, scopes: [...scopes] });
  const withPath = (path: string) =>
    bookshop.map((object) => {
      if (object.key !== "nightly" || object.kind !== "circle") return object;
      const variables = [{ name: "pin", value: { reference: { kind: "vault", path, key: "pin" } } }];
      return { ...object, value: { ...object.value, variables } };
    });
  expect(await editor.start({ objects: withPath("payroll/live") })).toMatchObject({ status: 403 });
  expect(await editor.start({ objects: withPath("shop/live") })).toMatchObject({ status: 202 });
  const reference = { kind: "vault" as const, path: "payroll/live", key: "pin" };
  const members = [{ kind: "selection" as const, apiId: (await tenant.pull())[0]!.id }];
  const body = { name: "Another", members, variables: [{ name: "pin", secret: true, reference }] };
  expect(await editor.registry.createCircle({ body })).toMatchObject({ status: 403 });
});

test("a secret that is missing is named, and one that is sent again changes what has it", async () => {
  const tenant = world.createTenant();
  const documents = { [sha256]: await tenant.stage(document) };
  expect((await tenant.plan({ objects: bookshop })).missingDocuments).toEqual([sha256]);
  expect((await tenant.plan({ objects: bookshop, documents })).missingSecrets).toEqual([
    "HOOK_AUTHORIZATION",
    "PAGER_KEY",
    "SHOP_PASSWORD",
    "SLACK_URL",
  ]);
  expect(await tenant.start({ objects: bookshop, documents })).toMatchObject({ status: 422 });
  await tenant.apply({ objects: bookshop, documents, secrets });
  expect((await tenant.plan({ objects: bookshop, secrets })).items).toEqual([]);
  const { items } = await tenant.plan({ objects: bookshop, secrets: { ...secrets, SHOP_PASSWORD: "another" } });
  expect(items).toMatchObject([{ kind: "circle", key: "nightly", fields: [], secrets: ["SHOP_PASSWORD"] }]);
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

const withVariables = (own: object, staging: object) =>
  bookshop.map((object) => {
    if (object.kind !== "api") return object;
    const environments = [{ name: "staging", baseUrl: "https://staging.example.com", variables: staging }];
    return { ...object, value: { ...object.value, variables: own, environments } };
  });

test("secret variables of APIs and environments are named by files, or say where they are read", async () => {
  const tenant = world.createTenant();
  const reference = { kind: "environment", name: "ASSURANCE_SECRET_SHOP" };
  const own = { plain: "1", token: { secret: "SHOP_TOKEN" } };
  const staging = { pin: { reference }, plain: "2", token: { secret: "STAGING_TOKEN" } };
  const objects = withVariables(own, staging);
  expect((await tenant.plan({ objects, secrets })).missingSecrets).toEqual(["SHOP_TOKEN", "STAGING_TOKEN"]);
  const documents = { [sha256]: await tenant.stage(document) };
  const sent = { ...secrets, SHOP_TOKEN: "canary-a1", STAGING_TOKEN: "canary-b2" };
  expect(await tenant.apply({ objects, documents, secrets: sent })).toMatchObject({ state: "applied", problem: null });
  const pulled = await tenant.pull();
  expect(JSON.stringify(pulled)).not.toContain("canary-");
  expect(pulled[0]!.value).toMatchObject({ variables: own, environments: [{ variables: staging }] });
  // Stored values are not needed again, and other ones are a change.
  expect((await tenant.plan({ objects, secrets })).items).toEqual([]);
  const { items } = await tenant.plan({ objects, secrets: { ...secrets, STAGING_TOKEN: "canary-c3" } });
  expect(items).toMatchObject([{ kind: "api", fields: [], secrets: ["STAGING_TOKEN"] }]);
  const params = { apiId: pulled[0]!.id };
  expect(requireValue(await tenant.apis.getVariables({ params }), "variables").secretVariables).toEqual([
    { name: "token", value: null },
  ]);
});

test("only those who manage credentials choose by files where a secret of an API is read", async () => {
  const tenant = await givenBookshop();
  const scopes = ["apis:read", "apis:write", "tests:read", "tests:write"] as const;
  const editor = world.createTenant({ organizationId: tenant.organizationId, scopes: [...scopes] });
  const pin = { reference: { kind: "vault", path: "payroll/live", key: "pin" } };
  expect(await editor.start({ objects: withVariables({ pin }, {}) })).toMatchObject({ status: 403 });
  expect(await editor.start({ objects: withVariables({}, { pin }) })).toMatchObject({ status: 403 });
});

test("a secret moves between an API and its environment and back by files", async () => {
  const tenant = world.createTenant();
  const documents = { [sha256]: await tenant.stage(document) };
  const objects = withVariables({ token: { secret: "SHOP_TOKEN" } }, {});
  const sent = { ...secrets, SHOP_TOKEN: "canary-d4" };
  expect(await tenant.apply({ objects, documents, secrets: sent })).toMatchObject({ state: "applied", problem: null });
  const before = JSON.stringify(await tenant.pullObjects());
  const removed = withVariables({}, { token: { secret: "SHOP_TOKEN" } });
  expect(await tenant.apply({ objects: removed, secrets: sent })).toMatchObject({ state: "applied" });
  expect(await tenant.apply({ objects, secrets: sent })).toMatchObject({ state: "applied" });
  expect(JSON.stringify(await tenant.pullObjects())).toBe(before);
});
