import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer } from "../../scripts/nats-server.js";

/** Runs a program of the system, as root. */
function run(program: string, ...parameters: string[]): void {
  const { status, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}: ${stderr}`);
}

/**
 * Three NATS servers, each in its own network namespace. Clients have a separate link to each; the servers are connected by
 * a bridge, from which one can be disconnected. Needs root.
 */
export async function startNatsCluster() {
  const folder = mkdtempSync(join(tmpdir(), "nats-cluster-"));
  const bridge = "assurance-nats";
  const numbers = [1, 2, 3];
  const namespace = (number: number) => `assurance-nats-${number}`;
  const running = new Map<number, ChildProcess>();

  function remove(): void {
    for (const number of numbers) {
      // Deleting a namespace deletes its links, but asynchronously.
      for (const link of [`anc${number}`, `ans${number}`]) spawnSync("ip", ["link", "del", link]);
      spawnSync("ip", ["netns", "del", namespace(number)]);
    }
    spawnSync("ip", ["link", "del", bridge]);
  }
  // Left over from a run that was killed.
  remove();
  run("ip", "link", "add", bridge, "type", "bridge");
  run("ip", "link", "set", bridge, "up");
  for (const number of numbers) {
    const inside = ["netns", "exec", namespace(number), "ip"];
    run("ip", "netns", "add", namespace(number));
    run("ip", "link", "add", `anc${number}`, "type", "veth", "peer", "name", "clients", "netns", namespace(number));
    run("ip", "link", "add", `ans${number}`, "type", "veth", "peer", "name", "servers", "netns", namespace(number));
    run("ip", "link", "set", `ans${number}`, "master", bridge, "up");
    run("ip", "addr", "add", `10.198.${number}.1/24`, "dev", `anc${number}`);
    run("ip", "link", "set", `anc${number}`, "up");
    run("ip", ...inside, "addr", "add", `10.198.${number}.2/24`, "dev", "clients");
    run("ip", ...inside, "addr", "add", `10.199.0.${number}/24`, "dev", "servers");
    for (const link of ["clients", "servers", "lo"]) run("ip", ...inside, "link", "set", link, "up");
    writeFileSync(
      join(folder, `${number}.conf`),
      `server_name: nats-${number}
listen: 10.198.${number}.2:4222
jetstream { store_dir: "${join(folder, String(number))}" }
cluster {
  name: assurance
  listen: 10.199.0.${number}:6222
  no_advertise: true
  routes: [${numbers.map((other) => `"nats://10.199.0.${other}:6222"`).join(", ")}]
}
`,
    );
  }

  async function start(number: number): Promise<void> {
    const parameters = [
      "netns",
      "exec",
      namespace(number),
      findNatsServer(),
      "--config",
      join(folder, `${number}.conf`),
    ];
    const child = spawn("ip", parameters, { stdio: ["ignore", "ignore", "pipe"] });
    running.set(number, child);
    let output = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr!.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("Server is ready")) resolve();
      });
      child.once("exit", () => reject(new Error(output)));
    });
  }
  async function kill(number: number): Promise<void> {
    const child = running.get(number);
    if (!child) return;
    running.delete(number);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await Promise.all(numbers.map(start));
  return {
    url: (...of: number[]) => of.map((number) => `nats://10.198.${number}.2:4222`).join(","),
    kill,
    start,
    /** Disconnects a server from the other two, not from its clients. */
    cut: (number: number) => run("ip", "link", "set", `ans${number}`, "down"),
    join: (number: number) => run("ip", "link", "set", `ans${number}`, "up"),
    async stop() {
      await Promise.all(numbers.map(kill));
      remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
