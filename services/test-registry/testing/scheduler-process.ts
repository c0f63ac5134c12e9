import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";
import { fastTime } from "./fast-time.ts";

/**
 * A separate process that starts and runs due schedules until it is killed. It prints a line once it has started.
 * Arguments: database URL, and for fast time the instant from which it applies and the factor.
 */
const [url = "", since, speed] = process.argv.slice(2);
const database = await openPostgresDatabase(url);
const readTime = since ? fastTime(database, { since: Number(since), speed: Number(speed) }) : undefined;
await createExecutionWorld(database, { schedule: true, readTime, leaseSeconds: since ? 3 : 60, withAnalyzer: true });
process.stdout.write("ready\n");
