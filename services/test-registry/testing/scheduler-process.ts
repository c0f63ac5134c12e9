import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";
import { fastTime } from "./fast-time.ts";

/**
 * A process of its own that starts what schedules bring and runs it, until it is killed. It prints a line once it has
 * begun. Arguments: database address, the instant since which its time goes fast, and how many times as fast.
 */
const [url = "", since = "0", speed = "1"] = process.argv.slice(2);
const database = await openPostgresDatabase(url);
const readTime = fastTime(database, { since: Number(since), speed: Number(speed) });
await createExecutionWorld(database, { schedule: true, readTime, leaseSeconds: 3 });
process.stdout.write("ready\n");
