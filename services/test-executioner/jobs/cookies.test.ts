import { sql } from "kysely";
import { expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createCircleWorld } from "../testing/circle-world.ts";

const { world, target, runCircle, start, get } = await createCircleWorld(testEngines()[0]);

const session = "s3ss10n-of-rex";
/** Logs in at /login, and knows who is logged in elsewhere. */
const login: Parameters<typeof target.answer>[0] = (request, response) => {
  const isLogin = request.url === "/login";
  if (isLogin) response.setHeader("set-cookie", [`sid=${session}; Path=/; HttpOnly`, "n=1", "area=x; Path=/admin"]);
  const isKnown = request.headers.cookie?.includes(`sid=${session}`);
  response.writeHead(isLogin || isKnown ? 200 : 401, { "content-type": "application/json" });
  response.end(isLogin ? "{}" : JSON.stringify({ echo: request.headers.cookie ?? null }));
};
const me: Partial<TestInput> = { assertions: [{ source: "statusCode", comparison: "equals", target: 200 }] };

test("members of a sequential circle send the cookies that a login set, and only their names are displayed", async () => {
  target.answer(login);
  const { run, tenant } = await runCircle([
    ["setUp", "login", me],
    ["main", "me", me],
  ]);
  expect(run.verdict).toBe("passed");
  expect(target.requests.at(-1)?.headers.cookie).toBe(`sid=${session}; n=1`);
  expect(run.captures).toEqual([]);
  const { executionId } = run.members.items[1]!;
  const { attempts } = requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution");
  expect(new Map(attempts[0]!.request!.headers).get("cookie")).toBe("sid=[secret]; n=[secret]");
  const everything = JSON.stringify(
    await Promise.all(
      run.members.items.map((member) => tenant.client.getExecution({ params: { executionId: member.executionId } })),
    ),
  );
  expect(everything).not.toContain(session);
  const stored = await sql`select t::text as row from test_executioner.run_captures t`.execute(world.database.kysely);
  expect(stored.rows).toHaveLength(1);
  expect(JSON.stringify(stored.rows)).not.toContain(session);
});

test("a circle without a cookie jar sends none", async () => {
  target.answer(login);
  const { run } = await runCircle(
    [
      ["setUp", "login", me],
      ["main", "me", me],
    ],
    { cookies: false },
  );
  expect(run.verdict).toBe("failed");
  expect(target.requests.at(-1)?.headers.cookie).toBeUndefined();
});

test("a circle at the same time has the cookies of its set-up", async () => {
  target.answer(login);
  const { run } = await runCircle(
    [
      ["setUp", "login", me],
      ["main", "me", me],
      ["main", "you", me],
    ],
    { order: "parallel", cookies: true },
  );
  expect(run.verdict).toBe("passed");
});

test("a run of tests in order has a cookie jar, one of tests at the same time has none", async () => {
  target.answer(login);
  const tenant = await world.createTenant(target.baseUrl);
  const tests: string[] = [];
  for (const path of ["/login", "/me"]) tests.push((await tenant.createTest({ path, ...me })).id);
  const inOrder = await start(tenant, { source: { tests }, order: "sequential" });
  expect((await get(tenant, inOrder.id)).verdict).toBe("passed");
  const beside = await start(tenant, { source: { tests }, order: "parallel" });
  expect((await get(tenant, beside.id)).verdict).toBe("failed");
});

test("a run continued from a member sends the cookies set before it", async () => {
  target.answer(login);
  const { run, tenant } = await runCircle([
    ["main", "login", me],
    ["main", "me", me],
  ]);
  const again = await start(tenant, { source: { runId: run.id, from: 1 } });
  expect((await get(tenant, again.id)).verdict).toBe("passed");
});

test("cookies that a redirect sets are sent to its target", async () => {
  target.answer((request, response) => {
    if (request.url === "/login") {
      response.writeHead(303, { location: "/me", "set-cookie": `sid=${session}` }).end();
    } else login(request, response);
  });
  const tenant = await world.createTenant(target.baseUrl);
  const { id } = await tenant.createTest({ path: "/login", request: { followRedirects: true } as never, ...me });
  const { id: runId } = await start(tenant, { source: { tests: [id] } });
  expect((await get(tenant, runId)).verdict).toBe("passed");
});
