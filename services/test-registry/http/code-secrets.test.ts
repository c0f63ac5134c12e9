import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { createBookshop } from "../testing/bookshop.ts";
import { applyBookshop, openCodeWorld } from "../testing/bookshop-world.ts";

const { document, sha256, objects: bookshop, secrets } = createBookshop();

const world = await openCodeWorld();
const givenBookshop = (tenant = world.createTenant()) => applyBookshop(tenant);

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
