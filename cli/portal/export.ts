import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { TestExport } from "#contracts/test-registry/test-exports.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { countOf } from "../report/words.ts";
import { connect } from "./access-file.ts";
import type { Connection } from "./connection.ts";
import { find } from "./find.ts";

export interface ExportFlags {
  circle?: string;
  api?: string;
  test?: string;
  format: string;
  environment?: string;
  out: string;
}

/** Writes tests of a portal as files of another tool; what is lost goes to the standard error. */
export async function exportTests(flags: ExportFlags): Promise<ExitCode> {
  const { files, losses } = await requestExport(await connect(), flags);
  if (files.length === 0) throw new CommandError(exitCodes.usage, "There is nothing to export.");
  const root = resolve(flags.out);
  for (const { path, text } of files) {
    const target = resolve(root, path);
    if (!target.startsWith(root + sep)) throw new CommandError(exitCodes.notJudged, `${path} is outside ${root}.`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    process.stdout.write(`${join(flags.out, path)}\n`);
  }
  for (const { of, what, reason } of losses) process.stderr.write(`${of}: ${what}. ${reason}\n`);
  if (losses.length > 0) process.stderr.write(`${countOf(losses.length, "note")} on what is not carried over.\n`);
  return exitCodes.passed;
}

async function requestExport(connection: Connection, flags: ExportFlags): Promise<TestExport> {
  const { circle, api, test, format, environment } = flags;
  if ([circle, api, test].filter(Boolean).length !== 1)
    throw new CommandError(exitCodes.usage, "Say what to export: --circle <name>, --api <name> or --test <id>.");
  if (circle) {
    const { id } = await find(connection, "circle", circle);
    return await connection.call("test-registry", `/api/v1/test-circles/${id}/export`, { query: { format } });
  }
  if (test) {
    const query = { format, environment };
    return await connection.call("test-registry", `/api/v1/tests/${encodeURIComponent(test)}/export`, { query });
  }
  const { id } = await find(connection, "api", api!);
  return await connection.call("test-registry", `/api/v1/apis/${id}/test-exports`, {
    ...{ method: "POST", onlyReads: true },
    body: { format, environment },
  });
}
