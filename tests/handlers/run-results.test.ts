import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";

let portal: HandledPortal;
let target: Target;
let visitor: Visitor;
beforeAll(async () => {
  [portal, target] = await Promise.all([openHandledPortal(), startTarget(() => {})]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await target.close();
});

const ok = { responses: { 200: { description: "ok" } } };
const paths = { "/price": { get: ok }, "/stock": { get: ok }, "/orders": { post: ok } };
let outcomes = 0;

/** The target describes itself; each response has a unique number, like ids and times. */
function answerWith(price: number, status = 200) {
  target.answer(({ url }, response) => {
    outcomes += 1;
    const document = {
      openapi: "3.0.3",
      info: { title: "Shop", version: "1" },
      servers: [{ url: target.baseUrl }],
      paths,
    };
    const body = url === "/openapi.json" ? document : { at: outcomes, price };
    response.writeHead(url === "/openapi.json" ? 200 : status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}

/** A circle whose set-up requests the price, and which then requests it once more and orders. */
async function makeShop() {
  answerWith(1);
  const { backend } = portal;
  const apiId = await registerApi(backend, `${target.baseUrl}/openapi.json`);
  const makeTest = async (name: string, method: string, path: string) => {
    const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
    const body = { name, method, path, request: {}, assertions };
    return requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "test").id;
  };
  const price = await makeTest("Asks for the price", "get", "/price");
  const stock = await makeTest("Asks for the stock", "get", "/stock");
  const order = await makeTest("Orders", "post", "/orders");
  const members = [
    { kind: "test" as const, testId: price, phase: "setUp" as const },
    { kind: "test" as const, testId: stock },
    { kind: "test" as const, testId: order },
    { kind: "test" as const, testId: stock, phase: "tearDown" as const },
  ];
  const circle = await backend.testRegistry.createCircle({ body: { name: "Buying", members } });
  const testCircleId = requireValue(circle, "circle").id;
  return {
    apiId,
    results: `/test-management/${apiId}/test-circles/${testCircleId}/executions`,
    run: async () => {
      const body = { source: { testCircleId } };
      return requireValue(await toTheEnd(backend.testExecutioner).startRun({ body }), "run").id;
    },
  };
}

test("a run is compared with the previous one and with a chosen one; values that always differ are hidden and can be displayed", async () => {
  const { apiId, results, run } = await makeShop();
  const getComparison = (runId: string) => `/test-management/${apiId}/runs/${runId}/comparison`;
  const first = await run();
  const alone = await (await visitor.open(`${results}/${first}/results`)).follow("Compare with the previous run");
  expect(alone.text).toContain("There is no run to compare with");
  await run();
  const third = await run();
  const same = await (await visitor.open(`${results}/${third}/results`)).follow("Compare with the previous run");
  expect(same.heading).toBe("Run of Buying, compared");
  expect(same.text).toContain("No verdicts or status codes changed.");
  const all = await same.submit("Compare", { show: "all" });
  expect(all.rows("Asks for the price")[0]).toMatch(/Set-upPassed200.*what always differs/);
  expect(all.text).toMatch(/1 value left out, since it differs from run to run although the test passes: \/at/);

  answerWith(2, 500);
  const fourth = await run();
  const changed = await visitor.open(getComparison(fourth));
  expect(changed.text).toContain("4 verdicts and 2 status codes changed.");
  expect(changed.rows("Asks for the price")[0]).toMatch(/Failed, was passed500, was 200.*1 value/);
  expect(changed.rows("/price")).toEqual(["/price12", "/price12"]);
  expect(changed.rows("Orders")[0]).toMatch(/Skipped, was passed/);
  const chosen = await changed.submit("Compare", { with: first });
  expect(chosen.address).toContain(`with=${first}`);
  expect(chosen.rows("Asks for the price")[0]).toMatch(/Failed, was passed/);
  expect((await chosen.follow("This run")).address).toBe(`${results}/${fourth}/results`);
  expect((await visitor.open(getComparison(crypto.randomUUID()))).status).toBe(404);
});

test("a run shows its phases, and is run from one member on; members that may change data require confirmation", async () => {
  const { results, run } = await makeShop();
  const page = await visitor.open(`${results}/${await run()}/results`);
  expect(page.rows("Set-up")[0]).toContain("Asks for the price");
  expect(page.rows("Tear-down")[0]).toContain("Asks for the stock");
  const requested = await page.submit("From here: rerun from no. 3");
  expect(requested.text).toContain("Run 3 executions again?");
  expect(requested.text).toContain("POST (1)");
  expect(requested.address).toContain("dialog=again&from=3");
  const again = await requested.submit("Run again");
  expect(again.address).not.toBe(page.address);
  expect(again.text).toContain("From no. 3 of an earlier run");

  answerWith(1, 500);
  const failed = await visitor.open(`${results}/${await run()}/results`);
  expect(failed.text).toMatch(/Failures.*Set-up: Asks for the price/);
  const confirm = await failed.submit("Run failed again");
  expect(confirm.text).toContain("Run 4 executions again?");
  expect((await confirm.follow("Cancel")).address).toBe(failed.address);
});
