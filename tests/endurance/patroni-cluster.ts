import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { installFromDebian } from "../../scripts/debian.js";
import { listFreePorts } from "../support/free-ports.ts";

interface Node {
  name: string;
  port: number;
  restPort: number;
  process?: ChildProcess;
}

const programs = { patroni: "/usr/bin/patroni", etcd: "/usr/bin/etcd", haproxy: "/usr/sbin/haproxy" };

function findBinaries(): string {
  const folder = "/usr/lib/postgresql";
  const [latest] = readdirSync(folder).sort((one, other) => Number(other) - Number(one));
  return join(folder, latest!, "bin");
}

/**
 * A primary and a synchronous standby, managed by Patroni with etcd, behind HAProxy, which connects to the current primary.
 * Needs root; installs Debian's packages.
 */
export async function startPatroni() {
  if (Object.values(programs).some((program) => !existsSync(program)))
    installFromDebian(["patroni", "etcd-server", "haproxy", "python3-etcd"]);
  const folder = mkdtempSync(join(tmpdir(), "patroni-"));
  execFileSync("chmod", ["755", folder]);
  const [etcdPort, peerPort, proxyPort, ...ports] = await listFreePorts(7);
  const nodes: Node[] = ["one", "two"].map((name, index) => ({
    ...{ name, port: ports[2 * index]!, restPort: ports[2 * index + 1]! },
  }));
  const started: ChildProcess[] = [];
  const start = (command: string[], log: string): ChildProcess => {
    const child = spawn(command[0]!, command.slice(1), {
      stdio: ["ignore", "ignore", "ignore"],
      cwd: folder,
      detached: true,
    });
    child.once("error", (error) => process.stderr.write(`${log}: ${error.message}\n`));
    started.push(child);
    return child;
  };
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  start(
    [
      ...[programs.etcd, "--data-dir", join(folder, "etcd"), "--listen-client-urls", etcdUrl],
      ...["--advertise-client-urls", etcdUrl, "--listen-peer-urls", `http://127.0.0.1:${peerPort}`],
    ],
    "etcd",
  );
  writeFileSync(
    join(folder, "haproxy.cfg"),
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${proxyPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join("\n")}
`,
  );
  for (const { name, port, restPort } of nodes) {
    mkdirSync(join(folder, name));
    writeFileSync(
      join(folder, `${name}.yml`),
      `scope: assurance
name: ${name}
restapi: { listen: "127.0.0.1:${restPort}", connect_address: "127.0.0.1:${restPort}" }
etcd3: { host: "127.0.0.1:${etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_keep_size: 1GB, wal_log_hints: "on" }
  initdb: [{ encoding: UTF8 }, { auth: trust }, { username: postgres }]
  pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
postgresql:
  listen: "127.0.0.1:${port}"
  connect_address: "127.0.0.1:${port}"
  data_dir: ${join(folder, name, "data")}
  bin_dir: ${findBinaries()}
  pgpass: ${join(folder, name, "pgpass")}
  authentication:
    superuser: { username: postgres }
    replication: { username: postgres }
    rewind: { username: postgres }
  parameters: { unix_socket_directories: "${join(folder, name)}" }
`,
    );
  }
  execFileSync("chown", ["-R", "postgres", folder]);
  const startNode = (node: Node) => {
    node.process = start(
      ["runuser", "-u", "postgres", "--", programs.patroni, join(folder, `${node.name}.yml`)],
      node.name,
    );
  };
  for (const node of nodes) startNode(node);
  start([programs.haproxy, "-f", join(folder, "haproxy.cfg")], "haproxy");

  const ask = async (node: Node, path: string) =>
    await fetch(`http://127.0.0.1:${node.restPort}${path}`).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
  async function findPrimary(): Promise<Node | undefined> {
    for (const node of nodes) if ((await ask(node, "/primary"))?.status === 200) return node;
    return undefined;
  }
  /** Waits for a primary with a synchronous standby. */
  async function untilBoth(): Promise<void> {
    for (const deadline = Date.now() + 300_000; Date.now() < deadline; await pause(200)) {
      const primary = await findPrimary();
      const follower = nodes.find((node) => node !== primary);
      if (primary && follower && (await ask(follower, "/synchronous"))?.status === 200) return;
    }
    throw new Error("There were not two PostgreSQLs within five minutes.");
  }
  const end = (child: ChildProcess | undefined) => {
    if (child?.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has exited.
    }
  };
  const pidOf = (node: Node) => {
    const file = join(folder, node.name, "data", "postmaster.pid");
    return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
  };
  /** Kills Patroni and all PostgreSQL processes, as a power failure does. */
  async function killNode(node: Node): Promise<void> {
    const postmaster = pidOf(node);
    const ended = node.process && once(node.process, "exit");
    end(node.process);
    if (postmaster !== undefined) {
      const listed = execFileSync("ps", ["-o", "pid=", "--ppid", String(postmaster)], { encoding: "utf8" });
      for (const pid of [postmaster, ...listed.trim().split(/\s+/).map(Number)]) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It has exited.
        }
      }
    }
    await ended;
  }
  await untilBoth();
  return {
    url: `postgresql://postgres@127.0.0.1:${proxyPort}/postgres`,
    untilBoth,
    /** @returns a function that starts it again, as a standby of the new primary */
    async killPrimary(): Promise<() => void> {
      const primary = await findPrimary();
      if (!primary) throw new Error("There is no primary.");
      await killNode(primary);
      return () => startNode(primary);
    },
    stop() {
      for (const node of nodes) {
        const postmaster = pidOf(node);
        end(node.process);
        if (postmaster !== undefined) {
          try {
            process.kill(postmaster, "SIGKILL");
          } catch {
            // It has exited.
          }
        }
      }
      for (const child of started) end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
