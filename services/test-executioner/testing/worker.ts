import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeArguments } from "../../kit/testing/node-process.ts";

const program = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

/** Starts a process that runs executions, to be killed; parameters as in `worker-process.ts`. */
export function startWorker(...parameters: string[]) {
  const child: ChildProcess = spawn(process.execPath, nodeArguments(program, ...parameters), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const accepted = new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const said = JSON.parse(line) as { accepted?: string[] };
      if (said.accepted) resolve(said.accepted);
    });
    child.once("exit", () => reject(new Error("The worker ended before it was ready.")));
  });
  accepted.catch(() => {});
  return {
    accepted,
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
