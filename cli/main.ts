#!/usr/bin/env node
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { addAgentCommands } from "./commands/agent.ts";
import { addCheckCommands } from "./commands/check.ts";
import { addCodeCommands } from "./commands/code.ts";
import { addPortalCommands } from "./commands/portal.ts";
import { CommandError, exitCodes } from "./exit-codes.ts";
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

// As --help lists them.
addCheckCommands(program);
addPortalCommands(program);
addAgentCommands(program);
addCodeCommands(program);

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
