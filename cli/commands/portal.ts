import type { Command } from "commander";
import { collect, end } from "./command-parts.ts";

const waiting = (command: Command) =>
  command
    .option("--wait <seconds>", "How long to wait for the end (30 minutes)")
    .option("--no-wait", "Return when the run has started")
    .option(
      "--report <kind=file>",
      "Write a report: junit, json, har, html, markdown, github or code-quality",
      collect,
      [],
    )
    .option("--json", "Print the result as JSON");

/** Commands that call a portal. */
export function addPortalCommands(program: Command): void {
  program
    .command("login")
    .summary("Store the address and an API token of a portal")
    .description(
      "Reads an API token from a prompt, or from the standard input, and stores it in a file that only you can read.",
    )
    .argument("<address>", "https://portal.example.com")
    .action(async (address) => {
      const { login } = await import("../portal/login.ts");
      await end(login(address));
    });

  waiting(program.command("run"))
    .summary("Run a circle or tests of a portal and wait for the verdict")
    .option("--circle <name>", "Circle, by name or id")
    .option("--api <name>", "Tests of an API, by name or id")
    .option("--tag <tag>", "Tests with this tag, of all APIs or of one")
    .option("--test <id>", "A test", collect, [])
    .option("--all", "Also tests with methods that may change something")
    .option("--only-changed <document>", "With --api: only tests of operations that this document changes")
    .option("--environment <name>", "Environment of the APIs")
    .option("--base-url <address>", "Where requests go instead, such as a preview deployment")
    .option("--variable <name=value>", "Variable of the run", collect, [])
    .action(async (flags) => {
      const { run } = await import("../portal/run.ts");
      await end(run(flags));
    });

  waiting(program.command("rerun"))
    .summary("Repeat what failed in a run")
    .argument("[run]", "Id of the run (the newest)")
    .action(async (id, flags) => {
      const { rerun } = await import("../portal/run.ts");
      await end(rerun(id, flags));
    });

  program
    .command("export")
    .summary("Write tests of a portal as files of another tool")
    .description(
      "Prints the files that it wrote, and what is not carried over on the standard error. Secrets become variables without a value.",
    )
    .requiredOption("--format <format>", "curl, postman, bruno, hurl, http, arazzo, har or k6")
    .option("--circle <name>", "A circle, by name or id")
    .option("--api <name>", "Tests of an API, by name or id")
    .option("--test <id>", "A test")
    .option("--environment <name>", "Environment of the API; a circle has its own")
    .option("--out <folder>", "Where to write", ".")
    .action(async (flags) => {
      const { exportTests } = await import("../portal/export.ts");
      await end(exportTests(flags));
    });

  program
    .command("import")
    .summary("Import collections of Postman, Bruno, Insomnia, Hurl, .http, HAR or Arazzo")
    .description(
      "Shows what would be created and, by file and line, what can't be carried over. Asks before anything is stored. The portal reads the files, and nothing in them is ever run.",
    )
    .argument("<files...>", "Files, folders or ZIP archives")
    .option("--api <name>", "API whose operations the requests are of, by name or id")
    .option("--new-api <name>", "Instead: register an API made from the requests")
    .option("--format <format>", "postman, bruno, insomnia, har, hurl, http or arazzo (recognized)")
    .option("--environment <name>", "Environment of the files that new circles run in (the first)")
    .option("--unmatched", "Also import requests of no operation")
    .option("--to-api", "Send all tests to the API's base URL, whatever host the files name")
    .option("--no-circles", "Create tests only")
    .option("--dry-run", "Only show it")
    .option("--yes", "Do not ask")
    .option("--json", "Print the result as JSON")
    .action(async (files, flags) => {
      const { importFiles } = await import("../portal/import.ts");
      await end(importFiles(files, flags));
    });

  program
    .command("status")
    .summary("Show what fails now, and since when")
    .option("--json", "Print it as JSON")
    .action(async (flags) => {
      const { status } = await import("../portal/status.ts");
      await end(status(flags));
    });

  program
    .command("explain")
    .summary("Show why a run failed, and what has changed since it passed")
    .argument("[run]", "Id of the run (the newest)")
    .action(async (id) => {
      const { explain } = await import("../portal/explain.ts");
      await end(explain(id));
    });

  program
    .command("open")
    .summary("Open the page of a run")
    .argument("[run]", "Id of the run (the newest)")
    .action(async (id) => {
      const { open } = await import("../portal/open.ts");
      await end(open(id));
    });

  program
    .command("comment")
    .summary("Write a summary into the pull or merge request of this pipeline")
    .description(
      "In a job of GitHub Actions or GitLab CI/CD, writes a file of Markdown as a comment, or updates the one that it wrote before. GITHUB_TOKEN needs the permission pull-requests: write; GITLAB_TOKEN is an access token of the project with the scope api.",
    )
    .requiredOption("--file <file>", "What to write, such as the report markdown=summary.md")
    .option("--name <name>", "Which comment, where a pipeline writes several (the name of the job)")
    .action(async (flags) => {
      const { comment } = await import("../comment/comment.ts");
      await end(comment(flags));
    });
}
