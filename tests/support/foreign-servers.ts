import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findAlertmanager } from "../../scripts/alertmanager.js";
import { type Program, startCommand } from "./program.ts";

/** A third-party server, at the same address whenever it runs. */
export interface ForeignServer {
  /** For example `127.0.0.1:41236`. */
  host: string;
  /** Resolves when it responds. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface ForeignServerOptions {
  /** Beside `PORT`. */
  environment?: Record<string, string>;
  cwd?: string;
  /** Whether any response to the ready path shows that it is ready, or only a 2xx. */
  ready?: "succeeds" | "responds";
}

export async function createForeignServer(
  commandFor: (port: number) => [program: string, ...given: string[]],
  readyPath: string,
  { environment = {}, cwd, ready = "succeeds" }: ForeignServerOptions = {},
): Promise<ForeignServer> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  const host = `127.0.0.1:${port}`;
  const results = () =>
    fetch(`http://${host}${readyPath}`).then(
      ({ ok }) => ok || ready === "responds",
      () => false,
    );
  let running: Program | undefined;
  return {
    host,
    async start() {
      const program = startCommand(commandFor(port), { PORT: String(port), ...environment }, cwd);
      running = program;
      while (!(await results())) {
        if (program.process.exitCode !== null) throw new Error(`It ended:\n${program.output()}`);
        await pause(20);
      }
    },
    stop: async () => await running?.kill(),
  };
}

/** Better Auth from npm; it serves its own document. */
export const createAuthServer = () =>
  createForeignServer((port) => [process.execPath, "tests/support/auth-server.js", String(port)], "/api/auth/ok");

/** Prometheus' Alertmanager from Debian, with the document that is compiled into it. */
export async function createAlertmanager(): Promise<ForeignServer & { document: string; remove(): void }> {
  const program = findAlertmanager();
  const folder = mkdtempSync(join(tmpdir(), "portal-alertmanager-"));
  const configuration = join(folder, "alertmanager.yml");
  writeFileSync(configuration, "route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n");
  const server = await createForeignServer(
    (port) => [
      program,
      `--config.file=${configuration}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ],
    "/-/ready",
  );
  const document = { ...findDocument(readFileSync(program)), host: server.host, schemes: ["http"] };
  return {
    ...server,
    document: JSON.stringify(document),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The server implements it but does not serve it. */
function findDocument(program: Buffer): object {
  const start = program.lastIndexOf("{", program.indexOf('"swagger": "2.0"'));
  const text = program.toString("latin1", start, start + 200_000);
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth === 0) return JSON.parse(Buffer.from(text.slice(0, index + 1), "latin1").toString("utf8"));
  }
  throw new Error("The program holds no OpenAPI document.");
}
