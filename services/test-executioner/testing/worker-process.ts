import { parseArgs } from "node:util";
import { openEmbeddedDatabase, openPostgresDatabase } from "../../kit/database/database.ts";
import { Nats } from "../../kit/nats/nats.ts";
import { workChannel } from "../store/changes.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { createExecutionWorld } from "./world.ts";

/**
 * A separate process that runs executions until it is killed. On a folder (which only one process may open) it also
 * starts them: it prints the ids of each accepted run as a line of JSON, and exits once `--finish` says that no more
 * tests come and everything has ended.
 * Arguments: database address or folder, base URL of the target, tests to start; `--finish`, `--lease` in seconds, `--nats`, `--installation`
 * and `--replicas` where NATS hands out the work.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    finish: { type: "boolean" },
    lease: { type: "string", default: "3" },
    nats: { type: "string" },
    installation: { type: "string", default: "" },
    replicas: { type: "string", default: "1" },
  },
});
const [location = "", baseUrl = "", testCount = "0"] = positionals;
const isFolder = !location.startsWith("postgres");
const log = { info() {}, warn() {} };
const carrier = values.nats
  ? new Nats({
      ...{ url: values.nats, installation: values.installation, replicas: Number(values.replicas) },
      ...{ offeredChannels: [workChannel], log },
    })
  : undefined;
const database = isFolder ? await openEmbeddedDatabase(location) : await openPostgresDatabase(location, { carrier });
const world = await createExecutionWorld(database, {
  ...{ leaseSeconds: Number(values.lease), withAnalyzer: true },
  ...(carrier && { offers: carrier.offers }),
});
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (Number(testCount) > 0) {
  const tenant = await world.createTenant(baseUrl);
  for (let index = 0; index < Number(testCount); index += 1) await tenant.createTest({ name: `t${index}` });
  const run = await tenant.client.runTestsOfApi({ params: { apiId: tenant.apiId }, query: {}, body: {} });
  if (!run.ok) throw new Error(run.problem.detail);
  say({ accepted: run.value.items.map(({ id }) => id) });
} else {
  say({ accepted: [] });
}

if (values.finish) {
  const db = database.inSchema<ExecutionTables>("test_executioner");
  for (;;) {
    const unfinished = await db.selectFrom("unfinished_executions").select("id").limit(1).executeTakeFirst();
    if (!unfinished) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await world.stop();
  await database.close();
  say({ ended: true });
}
