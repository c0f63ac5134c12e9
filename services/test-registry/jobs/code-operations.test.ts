import { expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { type Bookshop, createBookshop } from "../testing/bookshop.ts";
import { openCodeWorld } from "../testing/bookshop-world.ts";
import type { CodeTenant } from "../testing/code-world.ts";

const world = await openCodeWorld();

const killed = () => new Error("killed");
/** Longer than a process claims an operation without a sign of life. */
const claimMilliseconds = 6 * 60_000;

function changeOf({ kind, value }: Bookshop["objects"][number]): object {
  if (kind === "statusPage")
    return { name: undefined, title: "All books", components: (value.components as object[]).toReversed() };
  if (!("name" in value)) return {};
  const name = `${value.name} 2`;
  if (kind === "api") return { name, watch: { ...(value.watch as object), everyMinutes: 1_440 } };
  return value.kind === "webhook" ? { name, headers: (value.headers as object[]).toReversed() } : { name };
}

/** Objects of all three services to create, change and delete. */
function changedBookshop({ objects }: Bookshop): object[] {
  const others = objects.filter(({ kind, key }) => key !== "mail" && kind !== "schedule" && key !== "deployments");
  const changed = others.map((object) => ({ ...object, value: { ...object.value, ...changeOf(object) } }));
  const added = {
    ...{ kind: "test", parent: "books", key: "added" },
    value: { name: "Added", method: "get", path: "/books", checks: ["not_a_server_error"] },
  };
  // Pulled in this order: tests after their APIs.
  return [...changed.slice(0, 2), added, ...changed.slice(2)];
}

/** Ends the process before a step, and then lets another one take the operation up. */
async function applyKilledBefore(tenant: CodeTenant, at: string, body: Parameters<CodeTenant["start"]>[0]) {
  let isKilled = false;
  await world.restartTestRegistry({
    async beforeCodeStep(state, step) {
      if (isKilled || `${state} ${step}` !== at) return;
      isKilled = true;
      throw killed();
    },
  });
  const { id } = requireValue(await tenant.start(body), "application");
  await expect.poll(() => isKilled).toBe(true);
  world.clock.advance(claimMilliseconds);
  await world.restartTestRegistry();
  return await tenant.waitFor(id);
}

const steps = ["applying", "deleting"].flatMap((state) => [0, 1, 2, 3].map((step) => `${state} ${step}`));

test.each(steps)("an operation that was ended before %s is completed, each change once", async (at) => {
  const tenant = world.createTenant();
  const bookshop = createBookshop();
  await tenant.apply(await bookshop.toApply(tenant));
  const objects = changedBookshop(bookshop);
  const { counts } = await tenant.plan({ objects });
  const operation = await applyKilledBefore(tenant, at, { objects, prune: true });
  const done = { create: counts.create, change: counts.change, delete: counts.delete };
  expect(operation).toMatchObject({ state: "applied", problem: null, done });
  expect(await tenant.pullObjects()).toEqual(JSON.parse(JSON.stringify(objects)));
  const records = requireValue(await tenant.registry.listAuditRecords({ query: { kind: "code" } }), "records").items;
  expect(records).toHaveLength(2);
});

test.each(["undoing 0", "undoing 1", "undoing 2", "undoing 3"])(
  "an operation that a service refuses, ended before %s, leaves all as it was",
  async (at) => {
    const tenant = world.createTenant();
    const bookshop = createBookshop();
    await tenant.apply(await bookshop.toApply(tenant));
    const before = await tenant.pull();
    const address = `page-${tenant.organizationId.slice(-12)}`.replace(/[^a-z0-9-]/g, "x");
    const objects = changedBookshop(bookshop).map((object) =>
      (object as { kind: string }).kind === "statusPage"
        ? { ...object, value: { ...(object as { value: object }).value, name: address } }
        : object,
    );
    let isKilled = false;
    await world.restartTestRegistry({
      async beforeCodeStep(state, step) {
        // Another organization takes the address after the check.
        if (`${state} ${step}` === "applying 2") await takeAddress(address);
        if (isKilled || `${state} ${step}` !== at) return;
        isKilled = true;
        throw killed();
      },
    });
    const { id } = requireValue(await tenant.start({ objects, prune: true }), "application");
    await expect.poll(() => isKilled).toBe(true);
    world.clock.advance(claimMilliseconds);
    await world.restartTestRegistry();
    const operation = await tenant.waitFor(id);
    const path = `objects[${objects.findIndex((object) => (object as { kind: string }).kind === "statusPage")}].value.name`;
    expect(operation).toMatchObject({
      state: "undone",
      problem: { errors: [{ path }] },
      done: { create: 0, change: 0, delete: 0 },
    });
    const comparable = (items: typeof before) =>
      items.map(({ applied, ...item }) => ({ ...item, commit: applied?.commit }));
    expect(comparable(await tenant.pull())).toEqual(comparable(before));
  },
);

async function takeAddress(name: string): Promise<void> {
  const other = world.createTenant();
  const apiId = requireValue(
    await other.apis.registerApi({ body: { source: { document: createBookshop().document } } }),
    "api",
  ).id;
  const body = { name: "Nightly", members: [{ kind: "selection" as const, apiId }] };
  const { id: testCircleId } = requireValue(await other.registry.createCircle({ body }), "circle");
  requireValue(
    await other.analyzer.setStatusPage({ params: { testCircleId }, body: { title: "Taken", name } }),
    "page",
  );
}
