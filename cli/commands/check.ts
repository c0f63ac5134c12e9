import type { Command } from "commander";
import { collect, end } from "./command-parts.ts";

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

/** Commands that work on an OpenAPI document. */
export function addCheckCommands(program: Command): void {
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
      const { check } = await import("../check/check.ts");
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
    .option("--max-requests <number>", "Maximum number of requests (1,000)")
    .option("--max-seconds <number>", "Maximum duration in seconds (300)")
    .option("--json", "Print the findings as JSON")
    .action(async (document, flags) => {
      const { explore } = await import("../check/explore.ts");
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
      const { diff } = await import("../diff/diff.ts");
      await end(diff(other === undefined ? [document] : [document, other], flags));
    });
}
