import { openPostgresDatabase } from "../../kit/database/database.ts";
import { createExecutionWorld } from "../../test-executioner/testing/world.ts";
import { fastTime } from "./fast-time.ts";

/**
 * A process of its own that starts what schedules bring and runs it, until it is killed. It prints a line once it has
 * begun. Arguments: database address, and where its time is to go fast, the instant since which it does and how many
 * times as fast.
 */
const [url = "", since, speed] = process.argv.slice(2);
const database = await openPostgresDatabase(url);
const readTime = since ? fastTime(database, { since: Number(since), speed: Number(speed) }) : undefined;
await createExecutionWorld(database, { schedule: true, readTime, leaseSeconds: since ? 3 : 60, withAnalyzer: true });
process.stdout.write("ready\n");
