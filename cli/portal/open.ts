import { spawn } from "node:child_process";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { connect } from "./access-file.ts";
import { toRunAddress } from "./addresses.ts";
import { findLatest } from "./run.ts";

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Prints the address of a run's page and opens it in a browser where there is one. */
export async function open(runId: string | undefined): Promise<ExitCode> {
  const connection = await connect();
  const run = runId
    ? await connection.call<RunSummary>("test-executioner", `/api/v1/runs/${runId}`, { query: { limit: 1 } })
    : await findLatest(connection);
  const address = toRunAddress(connection, run);
  process.stdout.write(`${address}\n`);
  if (!process.stdout.isTTY) return exitCodes.passed;
  const [command, ...options] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...options, address], { detached: true, stdio: "ignore" });
  // Without a browser the address is enough.
  child.on("error", () => {});
  child.unref();
  return exitCodes.passed;
}
