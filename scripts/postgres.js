import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { asRoot, installFromDebian } from "./debian.js";

function answers(port) {
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

/** What is written there ends with the tests; hundreds of databases would each be looked after. */
const unsafe = ["fsync=off", "full_page_writes=off", "autovacuum=off", "jit=off"];

/** The tests' PostgreSQL: the one that is named, or one of our own. */
export async function startPostgres(settings = unsafe) {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop() {} };
  return await startCluster(settings);
}

/** A PostgreSQL of our own in a temporary folder, run as `postgres` when we are root, which it refuses to be. */
export async function startCluster(given = unsafe) {
  if (!postgresBinaries()) installFromDebian(["postgresql-15"]);
  const binaries = postgresBinaries();
  const folder = mkdtempSync(join(tmpdir(), "portal-tests-postgres-"));
  const asOwner = (program, args) => {
    const command = [join(binaries, program), ...args];
    const [first, ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(first, rest, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
  };
  if (asRoot) execFileSync("chown", ["postgres", folder]);
  // Whoever may run the tests may reach its socket, in a namespace of their own too.
  execFileSync("chmod", ["755", folder]);
  const port = await freePort();
  asOwner("initdb", ["-D", join(folder, "cluster"), "-U", "postgres", "-A", "trust", "-E", "UTF8"]);
  const settings = [...given, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "max_connections=200"];
  const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(" ");
  const start = () =>
    asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-l", join(folder, "log"), "-o", options, "-w", "start"]);
  const end = (mode) => asOwner("pg_ctl", ["-D", join(folder, "cluster"), "-m", mode, "-w", "stop"]);
  /** The process that takes connections in. */
  const pid = () => Number.parseInt(readFileSync(join(folder, "cluster", "postmaster.pid"), "utf8"), 10);
  start();
  if (!(await answers(port))) throw new Error("PostgreSQL did not start.");
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    /** The same by its socket, which spares a fifth of the work that a statement costs. */
    socketUrl: `${url}?host=${encodeURIComponent(folder)}`,
    start,
    /** Until `start`, nobody answers. `fast` ends its connections with a word, `immediate` without. */
    end,
    pid,
    /** Ends it by `kill -9`, and waits until its backends have seen that: before, no other may start. */
    async kill() {
      const first = pid();
      const children = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").split(" ").filter(Boolean);
      process.kill(first, "SIGKILL");
      while ([first, ...children].some(isAlive)) await pause(20);
      // Nobody may have buried it yet, which would pass for a server that runs.
      for (const lock of [join("cluster", "postmaster.pid"), `.s.PGSQL.${port}.lock`]) rmSync(join(folder, lock));
    },
    stop() {
      end("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
