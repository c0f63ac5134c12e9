import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { parseReportOf, writeReportFile } from "../report/report-file.ts";
import { openTerminal, type Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { sortPlan } from "./describe-plan.ts";
import { toJson, toMarkdown } from "./plan-reports.ts";
import { planObjects } from "./portal-code.ts";
import { prepare } from "./prepare.ts";
import { toVariable } from "./secrets.ts";
import { writePlan } from "./write-plan.ts";

export interface PlanFlags {
  api?: string;
  prune?: true;
  report: string[];
  json?: true;
}

const reportKinds = ["json", "markdown"] as const;

/** Says what applying the files would change, and changes nothing. */
export async function plan(folder: string | undefined, flags: PlanFlags): Promise<ExitCode> {
  const wanted = [...flags.report, ...(flags.json ? ["json=-"] : [])].map((text) => parseReportOf(reportKinds, text));
  const prune = flags.prune === true;
  const { connection, request } = await prepare(folder, flags.api);
  const planned = await planObjects(connection, request);
  const terminal = openTerminal(wanted.some(({ file }) => file === "-") ? process.stderr : process.stdout);
  writePlan(terminal, planned, { objects: request.objects, prune });
  const { drifts } = sortPlan(planned, prune);
  if (drifts.length > 0)
    terminal.write(
      `${countOf(drifts.length, "object")} changed in the portal since: pull takes it over, apply --overwrite takes it back.\n`,
    );
  writeMissing(terminal, planned.missingSecrets);
  for (const { kind, file } of wanted)
    await writeReportFile(file, kind === "json" ? toJson(planned) : toMarkdown(planned, prune));
  return exitCodes.passed;
}

function writeMissing(terminal: Terminal, secrets: readonly string[]): void {
  if (secrets.length > 0)
    terminal.write(
      `Applying needs values in the environment, which the portal has not: ${secrets.map(toVariable).join(", ")}.\n`,
    );
}
