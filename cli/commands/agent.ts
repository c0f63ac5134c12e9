import type { Command } from "commander";
import { collect, end } from "./command-parts.ts";

const calling = (command: Command) =>
  command
    .option("--folder <folder>", "Where its keys and results are (~/.local/state/assurance/agent)")
    .option("--ca <file>", "Certificate authority of the portal or a proxy, as PEM")
    .option("--insecure", "Accept an http: address of a portal that is not on this machine");

/** What runs the tests of a location. */
export function addAgentCommands(program: Command): void {
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
    .option(
      "--secrets <prefix>",
      "How variables of the environment begin that credentials may name (ASSURANCE_SECRET_)",
    )
    .option(
      "--vault <address>",
      "Read secrets of Vault from here: with VAULT_TOKEN, or --vault-role and VAULT_SECRET_ID",
    )
    .option("--vault-mount <mount>", "Of its KV secrets engine, version 2 (secret)")
    .option("--vault-namespace <namespace>", "If it has namespaces")
    .option("--vault-role <id>", "Role id of an AppRole, in place of a token")
    .option("--start-after <seconds>", "How late the agent starts a schedule that the portal is not there for (30)")
    .option("--json", "Write log lines as JSON")
    .action(async (flags) => {
      const { runAgent } = await import("../agent/run-agent.ts");
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
      const { register } = await import("../agent/register.ts");
      await end(register(flags));
    });
}
