import { systemClock } from "../../kit/clock/clock.ts";
import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";

/**
 * A process of its own that runs tests, hears of it and tells channels, until it is killed. It prints a line once it has
 * begun. Arguments: database address, and by how many seconds its clock is ahead, as of one that starts later.
 */
const [url = "", aheadSeconds = "0"] = process.argv.slice(2);
await createExecutionWorld(await openPostgresDatabase(url), {
  withAnalyzer: true,
  leaseSeconds: 3,
  clock: { now: () => new Date(systemClock.now().getTime() + Number(aheadSeconds) * 1_000) },
});
process.stdout.write("ready\n");
