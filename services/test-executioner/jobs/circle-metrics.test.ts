import { afterAll, afterEach, expect, test } from "vitest";
import { renderFamilies } from "../../kit/metrics/metrics.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { createRunWorld, type Tenant } from "../testing/run-world.ts";
import { createCircleMetrics } from "./circle-metrics.ts";

for (const engine of testEngines()) {
  const { world, target, start, close } = await createRunWorld(await engine.open(), { maxMeasuredCircles: 2 });
  afterEach(() => world.settle());
  afterAll(close);

  async function runCircle(tenant: Tenant, name: string) {
    const { id: testId } = await tenant.createTest({ path: `/${name}` });
    const { id: testCircleId } = await tenant.createCircle({ members: [{ testId }], name });
    await start(tenant, { source: { testCircleId } });
    return { testCircleId, run: () => start(tenant, { source: { testCircleId } }), testId };
  }

  test(`${engine.name}: metrics show the newest run of circles of all organizations, and sum those beyond the limit`, async () => {
    target.answer(({ url }, response) => void response.writeHead(url === "/second" ? 500 : 200).end("{}"));
    const [one, other] = [await world.createTenant(target.baseUrl), await world.createTenant(target.baseUrl)];
    const first = await runCircle(one, "first");
    await runCircle(other, "second");
    await runCircle(one, "third");
    await first.run();
    // A run of a single test is none of a circle.
    await start(one, { source: { tests: [first.testId] } });
    const lines = renderFamilies(await world.service.metrics!()).split("\n");
    const labels = (organization: string, circle: string, id = "[0-9a-f-]{36}") =>
      `\\{organization="${organization}",circle="${circle}",circle_id="${id}"`;
    const matching = (pattern: string) => lines.filter((line) => new RegExp(`^${pattern}`).test(line));
    expect(matching(`circle_last_run${labels(one.organizationId, "first")},verdict="passed"\\} 1$`)).toHaveLength(1);
    expect(matching(`circle_last_run${labels(other.organizationId, "second")},verdict="failed"\\} 1$`)).toHaveLength(1);
    expect(matching(`circle_last_run${labels("other", "other", "other")},verdict="passed"\\} 1$`)).toHaveLength(1);
    expect(matching("circle_last_run\\{")).toHaveLength(3);
    expect(matching(`circle_runs_total${labels(one.organizationId, "first")},verdict="passed"\\} 2$`)).toHaveLength(1);
    expect(matching(`circle_runs_total${labels("other", "other", "other")},verdict="passed"\\} 1$`)).toHaveLength(1);
    expect(matching(`circle_last_run_duration_seconds${labels(one.organizationId, "first")}\\} \\d`)).toHaveLength(1);
    expect(matching(`circle_response_time_p95_seconds${labels(one.organizationId, "first")}\\} 0\\.\\d`)).toHaveLength(
      1,
    );
    const [stamp] = matching(`circle_last_run_timestamp_seconds${labels(one.organizationId, "first")}`);
    expect(Math.abs(Number(stamp!.split(" ").at(-1)) - Date.now() / 1_000)).toBeLessThan(600);
  });

  test(`${engine.name}: a circle that has not run for 35 days has no series`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    await runCircle(tenant, "rare");
    const clock = { now: () => new Date(Date.now() + 36 * 86_400_000) };
    const metrics = createCircleMetrics({
      db: world.database.inSchema<ExecutionTables>(schemaName),
      clock,
      maxCircles: 100,
    });
    expect((await metrics.families()).flatMap(({ samples }) => samples)).toEqual([]);
  });
}
