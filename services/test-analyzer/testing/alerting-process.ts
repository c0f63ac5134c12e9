import { systemClock } from "../../kit/clock/clock.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";

/**
 * A separate process that runs tests, handles their events and notifies channels, until it is killed. It prints a line
 * once it has started. Arguments: database URL, and the seconds by which its clock is ahead, to simulate a later start.
 */
const [url = "", aheadSeconds = "0"] = process.argv.slice(2);
await createExecutionWorld(await openPostgresDatabase(url), {
  withAnalyzer: true,
  leaseSeconds: 3,
  clock: { now: () => new Date(systemClock.now().getTime() + Number(aheadSeconds) * 1_000) },
});
process.stdout.write("ready\n");
