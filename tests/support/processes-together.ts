import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../../scripts/postgres.js";
import { type Program, serverProgram, startProgram } from "./program.ts";

export const administrator = { username: "admin", password: "correct-horse-battery" };

export interface NamedProcess {
  /** Also in the names of its database connections. */
  name: string;
  program: Program;
  origin: string;
}

/** Two portals and two workers on their own PostgreSQL, each of which can be killed. */
export async function startTogether() {
  const location = await mkdtemp(join(tmpdir(), "together-"));
  const cluster = await startCluster();
  const started: Program[] = [];
  const portals: NamedProcess[] = [];
  const workers: NamedProcess[] = [];

  async function start(family: NamedProcess[], run: string): Promise<void> {
    const name = `process ${started.length + 1}`;
    const url = new URL(cluster.url);
    url.searchParams.set("application_name", name);
    const program = startProgram(serverProgram, {
      DATABASE_URL: url.href,
      DATA_DIRECTORY: join(location, name),
      SECRETS_KEY: "one key for all processes of this installation",
      ADMIN_PASSWORD: administrator.password,
      EGRESS_ALLOW: "loopback",
      LOG_LEVEL: "warn",
      RUN: run,
    });
    started.push(program);
    const origin = await program.says(/ is ready at (\S+)/);
    family.push({ name, program, origin });
  }
  const startPortal = () => start(portals, "portal");
  const startWorker = () => start(workers, "worker,scheduler");

  async function stop(): Promise<void> {
    await Promise.all(started.map((program) => program.kill()));
    cluster.stop();
    await rm(location, { recursive: true, force: true });
  }
  try {
    // The first creates the tables.
    await startPortal();
    await Promise.all([startPortal(), startWorker(), startWorker()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: cluster.url,
    portals,
    workers,
    startPortal,
    startWorker,
    async kill(process: NamedProcess): Promise<void> {
      for (const family of [portals, workers]) if (family.includes(process)) family.splice(family.indexOf(process), 1);
      await process.program.kill();
    },
    killPostgres: cluster.kill,
    startPostgres: cluster.start,
    stop,
  };
}

export type Together = Awaited<ReturnType<typeof startTogether>>;
