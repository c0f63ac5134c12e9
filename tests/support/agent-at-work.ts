import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxTestsPerBatch } from "#contracts/test-registry/test-batches.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { builtCommandLine, runAssurance } from "./command-line.ts";
import type { PortalBackend } from "./portal-backend.ts";
import { type Program, startCommand } from "./program.ts";

/** An agent of the built command line: its folder, which outlives its processes. */
export interface AgentAtWork {
  agentId: string;
  folder: string;
  start(options?: string[], allow?: string[]): Program;
  /** Kills its processes and removes its folder. */
  stop(): Promise<void>;
}

export async function createLocation(backend: PortalBackend, name: string): Promise<string> {
  return requireValue(await backend.testExecutioner.createLocation({ body: { name } }), "a location").id;
}

/** Registers it as a user does. */
export async function registerAgent(
  backend: PortalBackend,
  url: string,
  locationId: string,
  { environment = {}, flags = [] }: { environment?: Record<string, string>; flags?: string[] } = {},
): Promise<AgentAtWork> {
  const folder = mkdtempSync(join(tmpdir(), "assurance-agent-"));
  const { code } = requireValue(await backend.testExecutioner.createAgentCode({ params: { locationId } }), "a code");
  const given = ["agent", "register", "--url", url, "--code", code, "--name", "host", "--folder", folder, ...flags];
  const { stderr, code: exitCode } = await runAssurance(given, { environment });
  if (exitCode !== 0) throw new Error(`The agent was not registered: ${stderr}`);
  const { agentId } = JSON.parse(readFileSync(join(folder, "agent.json"), "utf8")) as { agentId: string };
  const programs: Program[] = [];
  return {
    agentId,
    folder,
    start(more = [], allow = []) {
      const options = ["agent", "--folder", folder, ...flags, ...more, ...allow.flatMap((one) => ["--allow", one])];
      const program = startCommand([process.execPath, ...builtCommandLine, ...options], environment);
      programs.push(program);
      return program;
    },
    async stop() {
      for (const program of programs) await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An API with this many tests, which all pass. */
export async function createTests(backend: PortalBackend, baseUrl: string, count: number): Promise<string[]> {
  const responses = { 200: { description: "ok" } };
  const paths = { "/": { get: { responses } } };
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Inside", version: "1" }, paths });
  const api = { source: { document }, baseUrl };
  const { id: apiId } = requireValue(await backend.apiRegistry.registerApi({ body: api }), "an API");
  const assertions = [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }];
  const items = Array.from({ length: count }, (_, index) => ({
    ...{ name: `Test ${index}`, method: "get", path: "/", request: {}, assertions },
  }));
  const ids: string[] = [];
  for (let first = 0; first < count; first += maxTestsPerBatch) {
    const body = { items: items.slice(first, first + maxTestsPerBatch) as never };
    const made = requireValue(await backend.testRegistry.createTests({ params: { apiId }, body }), "tests");
    ids.push(...made.items.map(({ id }) => id));
  }
  return ids;
}
