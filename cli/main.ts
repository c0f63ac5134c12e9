#!/usr/bin/env node
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { CommandError, type ExitCode, exitCodes } from "./exit-codes.ts";
import { productVersion } from "./version.ts";

if (import.meta.url.endsWith(".js")) {
  const folder = dirname(fileURLToPath(import.meta.url));
  // In the bundle, worker threads are beside this file.
  process.env.BUNDLED_PROGRAMS = folder;
  // From the second start on (Node 22.8). Who can write here can change the program anyway.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => void };
  enableCompileCache?.(join(folder, ".compiled"));
}

// Node's own exit code for a fault of ours would look like a failed test.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack ?? error}\n`);
  process.exit(exitCodes.notJudged);
});

// A pager or `head` that has enough closes the pipe.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit();
});

const collect = (value: string, before: string[]) => [...before, value];

const program = new Command("assurance")
  .description("Tests whether an API does what its OpenAPI document promises.")
  .version(productVersion, "-v, --version", "Print the version")
  .helpOption("-h, --help", "Print this help")
  .helpCommand(false)
  // `agent register` has options of the same names as `agent`.
  .enablePositionalOptions()
  .showHelpAfterError("(--help lists commands and options)")
  .exitOverride()
  .addHelpText(
    "after",
    "\nExit codes: 0 passed, 1 a test failed or a change breaks, 2 something could not be run or judged, 3 wrong usage, 4 credentials missing or refused.",
  );

/** Options of commands that send requests to an API. */
const targeting = (command: Command) =>
  command
    .argument("<document>", "File or address of an OpenAPI document")
    .option("--url <address>", "Where the API runs: http://localhost:8080/v1")
    .option(
      "--only <text>",
      "Only operations with this in their method and path, or as operationId or tag",
      collect,
      [],
    )
    .option("--token <token>", "Bearer token (or API_TOKEN in the environment)")
    .option("--api-key <key>", "API key, sent where the document says (or API_KEY)")
    .option("--basic <user:password>", "User name and password (or API_BASIC)")
    .option("--client-id <id>", "OAuth 2 client (or API_CLIENT_ID), its secret in API_CLIENT_SECRET")
    .option("--client-secret-file <file>", "File with the client's secret, instead of API_CLIENT_SECRET")
    .option("--client-in-body", "Send id and secret of the client in the body, as client_secret_post")
    .option("--token-url <address>", "Where the client gets its token (or API_TOKEN_URL)")
    .option("--scope <scopes>", "Scopes that the client asks for, separated by spaces")
    .option("--audience <audience>", "API that the token is for, if its server requires it")
    .option("--certificate <file>", "Client certificate in PEM (or API_CERTIFICATE)")
    .option("--private-key <file>", "Its private key in PEM (or API_PRIVATE_KEY)")
    .option("--authority <file>", "Certificates that verify the server, in PEM (or API_AUTHORITY)")
    .option("--header <header>", "Header to authenticate with: 'X-Tenant: shop'", collect, [])
    .option("--variable <name=value>", "Value that only a person knows", collect, []);

targeting(program.command("check"))
  .summary("Test a server against an OpenAPI document, without a portal")
  .description(
    "Creates the suite of a document and runs it against a server, in this process: the life of each resource that can be created and deleted, reads of the others, and requests that break one rule each. It changes and deletes only what it created itself.",
  )
  .option("--read-only", "Send safe methods only")
  .option("--no-invalid", "Send no invalid requests")
  .option("--include <circle>", "Also run this circle, which changes what was there before", collect, [])
  .option("--concurrency <number>", "Circles at the same time")
  .option(
    "--report <kind=file>",
    "Write a report: junit, json, har, html, markdown, github or code-quality",
    collect,
    [],
  )
  .option("--json", "Print the result as JSON")
  .option("--list", "List what would be sent, and send nothing")
  .action(async (document, flags) => {
    const { check } = await import("./check/check.ts");
    await end(check(document, flags));
  });

targeting(program.command("explore"))
  .summary("Look for faults with generated requests, without a portal")
  .description(
    "Sends requests generated from the document: valid ones, ones that break one rule each, boundaries, random values and chains. Prints each cause once, with the shortest chain that shows it.",
  )
  .option(
    "--disposable",
    "Also create, change and delete what it created itself; without it only safe methods are sent",
  )
  .option("--seed <number>", "Of an earlier exploration, to repeat it")
  .option("--max-requests <number>", "At most so many requests (1,000)")
  .option("--max-seconds <number>", "At most so many seconds (300)")
  .option("--json", "Print the findings as JSON")
  .action(async (document, flags) => {
    const { explore } = await import("./check/explore.ts");
    await end(explore(document, flags));
  });

program
  .command("diff")
  .summary("Compare two versions of an OpenAPI document: does something break?")
  .description(
    "Compares two documents, or one with the registered version of an API of a portal, which also says what tests, circles, schedules and alert rules are touched. Each change has a rule, a sentence and a line.",
  )
  .argument("<document>", "File or address; with another one, the version before")
  .argument("[other]", "File or address of the new version")
  .option("--api <name>", "API of a portal, by name or id (the one with the document's title)")
  .option("--fail-on <changes>", "Which changes fail: breaking, any or none (breaking)")
  .option("--accepted <file>", "Acceptances of changes (.assurance/accepted.yaml, if it exists)")
  .option("--accept <reason>", "Accept what fails now: write it into that file")
  .option("--until <date>", "Last day of these acceptances: 2027-01-31")
  .option("--report <kind=file>", "Write a report: json, markdown or sarif", collect, [])
  .option("--json", "Print the result as JSON")
  .action(async (document, other, flags) => {
    const { diff } = await import("./diff/diff.ts");
    await end(diff(other === undefined ? [document] : [document, other], flags));
  });

program
  .command("login")
  .summary("Store the address and an API token of a portal")
  .description(
    "Reads an API token from a prompt, or from the standard input, and stores it in a file that only you can read.",
  )
  .argument("<address>", "https://portal.example.com")
  .action(async (address) => {
    const { login } = await import("./portal/login.ts");
    await end(login(address));
  });

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
    const { run } = await import("./portal/run.ts");
    await end(run(flags));
  });

waiting(program.command("rerun"))
  .summary("Repeat what failed in a run")
  .argument("[run]", "Id of the run (the newest)")
  .action(async (id, flags) => {
    const { rerun } = await import("./portal/run.ts");
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
    const { exportTests } = await import("./portal/export.ts");
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
  .option("--environment <name>", "Environment of the files whose values are taken (the first)")
  .option("--unmatched", "Also import requests of no operation")
  .option("--to-api", "Send all tests to the API's base URL, whatever host the files name")
  .option("--no-circles", "Create tests only")
  .option("--dry-run", "Only show it")
  .option("--yes", "Do not ask")
  .option("--json", "Print the result as JSON")
  .action(async (files, flags) => {
    const { importFiles } = await import("./portal/import.ts");
    await end(importFiles(files, flags));
  });

program
  .command("status")
  .summary("Show what fails now, and since when")
  .option("--json", "Print it as JSON")
  .action(async (flags) => {
    const { status } = await import("./portal/status.ts");
    await end(status(flags));
  });

program
  .command("explain")
  .summary("Show why a run failed, and what has changed since it passed")
  .argument("[run]", "Id of the run (the newest)")
  .action(async (id) => {
    const { explain } = await import("./portal/explain.ts");
    await end(explain(id));
  });

program
  .command("open")
  .summary("Open the page of a run")
  .argument("[run]", "Id of the run (the newest)")
  .action(async (id) => {
    const { open } = await import("./portal/open.ts");
    await end(open(id));
  });

const calling = (command: Command) =>
  command
    .option("--folder <folder>", "Where its keys and results are (~/.local/state/assurance/agent)")
    .option("--ca <file>", "Certificate authority of the portal or a proxy, as PEM")
    .option("--insecure", "Accept an http: address of a portal that is not on this machine");

const agent = calling(program.command("agent"))
  .enablePositionalOptions()
  .summary("Run the tests of a location, from a network that only lets out")
  .description(
    "Asks the portal for work and sends the requests from here, until it is stopped. SIGTERM lets it finish what it runs, for 30 seconds, and hand back the rest.",
  )
  .option(
    "--allow <target>",
    "What may be sent to: host:port, 10.0.0.0/8:443, loopback or public (public addresses only)",
    collect,
    [],
  )
  .option("--concurrency <number>", "Tests at the same time (32)")
  .option("--secrets <prefix>", "How variables of the environment begin that credentials may name (ASSURANCE_SECRET_)")
  .option("--json", "Write log lines as JSON")
  .action(async (flags) => {
    const { runAgent } = await import("./agent/run-agent.ts");
    await end(runAgent(flags));
  });

calling(agent.command("register"))
  .summary("Register this agent by a code that the portal shows once")
  .description("Creates the agent's keys, which stay in a file here that only you can read, and registers them.")
  .requiredOption("--url <address>", "https://portal.example.com")
  .requiredOption("--code <code>", "From the page of the location")
  .option("--name <name>", "How the portal calls it (the name of this machine)")
  .option("--replace", "Replace the agent that is registered in the folder")
  .action(async (flags) => {
    const { register } = await import("./agent/register.ts");
    await end(register(flags));
  });

const ofFolder = (command: Command) =>
  command
    .argument("[folder]", "Folder of the files (assurance)")
    .option("--api <name>", "Only this API with its tests, by key, name or id");

ofFolder(program.command("pull"))
  .summary("Write what a portal has into files: assurance as code")
  .description(
    "Writes APIs, tests, circles, schedules, windows, alert rules, channels, service levels and status pages into YAML files. Files that are there keep their comments and order; what was changed in them stays, and is named where the portal changed it, too.",
  )
  .option("--overwrite", "Where both changed, take the portal's")
  .action(async (folder, flags) => {
    const { pull } = await import("./code/pull.ts");
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
    const { plan } = await import("./code/plan.ts");
    await end(plan(folder, flags));
  });

ofFolder(program.command("apply"))
  .summary("Make the portal have what the files have")
  .description(
    "Shows the plan, asks, and applies it as one operation, which is completed or undone whole. Secrets that files name, as in {secret: SHOP_PASSWORD}, come from the environment.",
  )
  .option("--prune", "Also delete what no file has")
  .option("--overwrite", "Also take back what was changed in the portal since")
  .option("--yes", "Apply without asking, as in a pipeline")
  .action(async (folder, flags) => {
    const { apply } = await import("./code/apply.ts");
    await end(apply(folder, flags));
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
    const { comment } = await import("./comment/comment.ts");
    await end(comment(flags));
  });

async function end(code: Promise<ExitCode>): Promise<void> {
  process.exitCode = await code;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    return error.code;
  }
  // Commander has printed its message; help and version are no errors.
  if (error instanceof Error && "exitCode" in error && "code" in error && String(error.code).startsWith("commander."))
    return error.exitCode === 0 ? 0 : exitCodes.usage;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return exitCodes.notJudged;
}
