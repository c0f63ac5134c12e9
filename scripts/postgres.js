import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { asRoot, installFromDebian } from "./debian.js";

function results(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const binariesPattern = "/usr/lib/postgresql";
function postgresBinaries() {
  if (!existsSync(binariesPattern)) return undefined;
  const versions = readdirSync(binariesPattern)
    .filter((version) => existsSync(join(binariesPattern, version, "bin/initdb")))
    .sort((a, b) => Number(b) - Number(a));
  return versions[0] && join(binariesPattern, versions[0], "bin");
}

function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** The data ends with the tests; autovacuum would process hundreds of databases. */
const unsafe = ["fsync=off", "full_page_writes=off", "autovacuum=off", "jit=off"];

/** The tests' PostgreSQL: the configured one, or a temporary one. */
export async function startPostgres(settings = unsafe) {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop() {} };
  return await startCluster(settings);
}

/**
 * A PostgreSQL in a temporary folder, run as `postgres` under root, since it refuses to run as root.
 * @param {string[]} given settings
 * @param {string} [folder] instead, such as one on a disk of its own; its content is removed at the end
 */
export async function startCluster(given = unsafe, folder = mkdtempSync(join(tmpdir(), "portal-tests-postgres-"))) {
  if (!postgresBinaries()) installFromDebian(["postgresql-15"]);
  const binaries = postgresBinaries();
  const asOwner = (program, args) => {
    const command = [join(binaries, program), ...args];
    const [first, ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(first, rest, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  };
  if (asRoot) execFileSync("chown", ["postgres", folder]);
  // Every user who may run the tests may reach its socket, including in a user namespace.
  execFileSync("chmod", ["755", folder]);
  const port = await freePort();
  asOwner("initdb", ["-D", join(folder, "cluster"), "-U", "postgres", "-A", "trust", "-E", "UTF8"]);
  const settings = [...given, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "max_connections=200"];
  const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(" ");
  const start = () =>
    asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-l", join(folder, "log"), "-o", options, "-w", "start"]);
  const end = (mode) => asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-m", mode, "-w", "stop"]);
  /** The process that accepts connections. */
  const pid = () => Number.parseInt(readFileSync(join(folder, "cluster", "postmaster.pid"), "utf8"), 10);
  start();
  if (!(await results(port))) throw new Error("PostgreSQL did not start.");
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    /** The same by its socket, which saves a fifth of a statement's cost. */
    socketUrl: `${url}?host=${encodeURIComponent(folder)}`,
    start,
    /** After it, connections are refused until `start`. `fast` closes its connections with a message, `immediate` without. */
    end,
    pid,
    /** Ends it by `kill -9`, and waits until its backends have noticed: no other server can start before. */
    async kill() {
      const first = pid();
      const children = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").split(" ").filter(Boolean);
      process.kill(first, "SIGKILL");
      while ([first, ...children].some(isAlive)) await pause(20);
      // It may be a zombie that is not reaped yet, which would look like a running server.
      for (const lock of [join("cluster", "postmaster.pid"), `.s.PGSQL.${port}.lock`]) rmSync(join(folder, lock));
    },
    stop() {
      end("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
