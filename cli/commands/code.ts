import type { Command } from "commander";
import { collect, end } from "./command-parts.ts";

const ofFolder = (command: Command) =>
  command
    .argument("[folder]", "Folder of the files (assurance)")
    .option("--api <name>", "Only this API with its tests, by key, name or id");

/** Assurance as code. */
export function addCodeCommands(program: Command): void {
  ofFolder(program.command("pull"))
    .summary("Write what a portal has into files: assurance as code")
    .description(
      "Writes APIs, tests, circles, schedules, windows, alert rules, channels, service levels and status pages into YAML files. Files that are there keep their comments and order; what was changed in them stays, and is named where the portal changed it, too.",
    )
    .option("--overwrite", "Where both changed, take the portal's")
    .action(async (folder, flags) => {
      const { pull } = await import("../code/pull.ts");
      await end(pull(folder, flags));
    });

  ofFolder(program.command("plan"))
    .summary("Show what applying the files would change in the portal")
    .description(
      "Compares files and portal with what both had at the last pull or application, and changes nothing. Ends with 0 if the files are right, whether there is something to do or not.",
    )
    .option("--prune", "Show deletions of what no file has")
    .option("--report <kind=file>", "Write a report: json or markdown", collect, [])
    .option("--json", "Print the plan as JSON")
    .action(async (folder, flags) => {
      const { plan } = await import("../code/plan.ts");
      await end(plan(folder, flags));
    });

  ofFolder(program.command("apply"))
    .summary("Make the portal have what the files have")
    .description(
      "Shows the plan, asks, and applies it as one application, which is completed or undone whole. A secret that files name, e.g. {secret: SHOP_PASSWORD}, comes from ASSURANCE_SECRET_SHOP_PASSWORD in the environment.",
    )
    .option("--prune", "Also delete what no file has")
    .option("--overwrite", "Also take back what was changed in the portal since")
    .option("--yes", "Apply without asking, as in a pipeline")
    .action(async (folder, flags) => {
      const { apply } = await import("../code/apply.ts");
      await end(apply(folder, flags));
    });
}
