/**
 * The suite that the page "Generate tests" creates, run against third-party servers. For each server: registers its document,
 * stores the credentials of an existing account, submits the page with its default selection, and runs the suite three
 * times through a recording proxy. Prints a table; `--list` adds a line for each execution that did not pass, for a
 * person to judge.
 *
 *     npm run build && npm run bench:suite [-- --list] [names of servers …]
 *
 * The servers are installed on demand, below `node_modules/.cache`; one that can't be is left out with a sentence.
 */
import { signInToBackend } from "../tests/support/portal-backend.ts";
import { portalItself } from "../tests/support/portal-itself.ts";
import { startPortalProcess } from "../tests/support/portal-process.ts";
import { measure, type Result } from "./made-suite/measure.ts";
import { type MeasuredServer, NotInstallable } from "./made-suite/measured-server.ts";
import { alertmanager } from "./made-suite/servers/alertmanager.ts";
import { betterAuth } from "./made-suite/servers/better-auth.ts";
import { loopbackTodo } from "./made-suite/servers/loopback-todo.ts";
import { mockoon } from "./made-suite/servers/mockoon.ts";
import { prisms } from "./made-suite/servers/prism.ts";
import { shop } from "./made-suite/servers/shop.ts";
import { unleash } from "./made-suite/servers/unleash.ts";
import { toLines, toTable } from "./made-suite/table.ts";
import { signInWithForm } from "./made-suite/visitor.ts";

const servers: MeasuredServer[] = [
  alertmanager,
  betterAuth,
  loopbackTodo,
  ...prisms,
  mockoon,
  shop,
  unleash,
  portalItself,
];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const words = process.argv.slice(2);
const isListed = words.includes("--list");
const wanted = words.filter((word) => !word.startsWith("--"));
const chosen = servers.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));

const portal = await startPortalProcess({ environment: { EGRESS_ALLOW: "loopback", LOG_LEVEL: "error" } });
const results: Result[] = [];
try {
  const backend = await signInToBackend(portal);
  const visitor = await signInWithForm(portal);
  for (const server of chosen) {
    try {
      const result = await measure(server, { portal, backend, visitor });
      results.push(result);
      if (isListed) for (const line of toLines(result)) print(line);
    } catch (error) {
      if (!(error instanceof NotInstallable)) throw error;
      print(`${server.name} is left out: ${error.message}`);
    }
  }
  print(toTable(results));
} finally {
  await portal.stop();
}
