/**
 * An exploration of servers that others wrote: findings by kind, requests and time. `--list` prints each finding's
 * sentence and its chain, for a person to judge.
 *
 *     npm run bench:explored-servers [-- --list] [names of servers …]
 *
 * The servers are installed on demand, below `node_modules/.cache`; one that can't be is left out with a sentence.
 */
import type { Finding } from "#contracts/test-executioner/explorations.ts";
import { explore } from "#libraries/suite/exploration/explore.ts";
import { readDescribed } from "./exploration/described.ts";
import { createEngine } from "./exploration/engine.ts";
import { seed } from "./exploration/ours.ts";
import { type MeasuredServer, NotInstallable, type StartedServer } from "./made-suite/measured-server.ts";
import { alertmanager } from "./made-suite/servers/alertmanager.ts";
import { betterAuth } from "./made-suite/servers/better-auth.ts";
import { loopbackTodo } from "./made-suite/servers/loopback-todo.ts";
import { mockoon } from "./made-suite/servers/mockoon.ts";
import { prisms } from "./made-suite/servers/prism.ts";
import { shop } from "./made-suite/servers/shop.ts";
import { unleash } from "./made-suite/servers/unleash.ts";

const servers: MeasuredServer[] = [alertmanager, betterAuth, loopbackTodo, ...prisms, mockoon, shop, unleash];
const maxRequests = 2_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const words = process.argv.slice(2);
const isListed = words.includes("--list");
const wanted = words.filter((word) => !word.startsWith("--"));
const engine = createEngine();

print("| server | operations | explored | requests | seconds | findings | by kind |");
print("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
for (const server of servers) {
  if (wanted.length > 0 && !wanted.some((word) => server.name.includes(word))) continue;
  try {
    // Only the portal itself has a use for a running portal.
    const started = await server.start({ portal: undefined as never });
    try {
      print(await exploreStarted(server.name, started));
    } finally {
      await started.stop();
    }
  } catch (error) {
    if (!(error instanceof NotInstallable)) throw error;
    print(`${server.name} is left out: ${error.message}`);
  }
}
await engine.stop();
process.exit(0);

async function exploreStarted(name: string, { origin, documentFor, credentials }: StartedServer): Promise<string> {
  const input = await readDescribed(documentFor(origin));
  const { signal } = new AbortController();
  const served = input.operations.flatMap(({ operation }) => operation.servers.map(({ url }) => url))[0] ?? "/";
  const address = new URL(served, origin).href.replace(/\/$/, "");
  const [own] = credentials ?? [];
  const credential = own && { type: own.type, settings: own.settings, secret: own.secret ?? "" };
  const call = engine.connect({ origin: address, credential }, input, signal);
  const began = performance.now();
  const { findings, requests, operations } = await explore(input, {
    ...{ seed, maxRequests, changes: true, call, signal, onProgress() {}, onFinding() {} },
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  if (isListed) for (const finding of findings) for (const line of toLines(name, finding)) print(line);
  const kinds = new Map<string, number>();
  for (const { kind } of findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const byKind = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
  const explored = operations.filter((one) => one.requests > 0).length;
  return `| ${[name, input.wanted.length, explored, requests, seconds, findings.length, byKind].join(" | ")} |`;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function* toLines(name: string, { kind, message, seen, also, isRepeated, steps }: Finding): Generator<string> {
  const places = also.length > 0 ? ` Also at ${also.length} others.` : "";
  yield `${name}: ${kind}, ${seen} times${isRepeated ? "" : ", not repeated"}: ${message}${places}`;
  for (const { phase, request, response } of steps) {
    if (phase === "tearDown" || !request) continue;
    yield `    ${request.method} ${short(request.url)} ${short(request.body ?? "")} → ${response?.status} ${short(response?.body ?? "")}`;
  }
}
