#!/usr/bin/env node
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { CommandError, type ExitCode, exitCodes } from "./exit-codes.ts";
import { productVersion } from "./version.ts";

// In the bundle, worker threads and schemas are beside this file.
if (import.meta.url.endsWith(".js")) process.env.BUNDLED_PROGRAMS = dirname(fileURLToPath(import.meta.url));

const collect = (value: string, before: string[]) => [...before, value];

const program = new Command("assurance")
  .description("Tests whether an API does what its OpenAPI document promises.")
  .version(productVersion, "-v, --version", "Print the version")
  .helpOption("-h, --help", "Print this help")
  .helpCommand(false)
  .showHelpAfterError("(--help lists commands and options)")
  .exitOverride()
  .addHelpText(
    "after",
    "\nExit codes: 0 passed, 1 a test failed, 2 something could not be run or judged, 3 wrong usage, 4 credentials missing or refused.",
  );

program
  .command("check")
  .summary("Test a server against an OpenAPI document, without a portal")
  .description(
    "Creates the suite of a document and runs it against a server, in this process: the life of each resource that can be created and deleted, reads of the others, and requests that break one rule each. It changes and deletes only what it created itself.",
  )
  .argument("<document>", "File or address of an OpenAPI document")
  .option("--url <address>", "Where the API runs: http://localhost:8080/v1")
  .option("--read-only", "Send safe methods only")
  .option("--no-invalid", "Send no invalid requests")
  .option("--only <text>", "Only operations with this in their method and path, or as operationId or tag", collect, [])
  .option("--include <circle>", "Also run this circle, which changes what was there before", collect, [])
  .option("--token <token>", "Bearer token (or API_TOKEN in the environment)")
  .option("--api-key <key>", "API key, sent where the document says (or API_KEY)")
  .option("--basic <user:password>", "User name and password (or API_BASIC)")
  .option("--header <header>", "Header to authenticate with: 'X-Tenant: shop'", collect, [])
  .option("--variable <name=value>", "Value that only a person knows", collect, [])
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
