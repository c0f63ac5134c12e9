import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readStartFlags } from "../measured-process.ts";

export interface Measured {
  milliseconds: number;
  output: string;
}

/** Runs a program to its end and measures it as a whole. Fails when the program fails. */
export async function measureProcess(command: string, parameters: string[], cwd: string): Promise<Measured> {
  const start = performance.now();
  const child = spawn(command, parameters, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, STEPCI_DISABLE_ANALYTICS: "1", NO_COLOR: "1" },
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const [code] = (await once(child, "exit")) as [number | null];
  const milliseconds = performance.now() - start;
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output.slice(-3_000)}`);
  return { milliseconds, output };
}

export interface RunningPortal {
  address: string;
  pid: number;
  /** Stops it as an operator would, and waits. */
  stop(): Promise<void>;
}

export interface PortalSurroundings {
  /** Folder of another checkout; determines the Node options of `npm start`. */
  checkout?: string;
  environment?: Record<string, string>;
}

/** Starts the built portal on a folder, as `npm start` does, and waits until it reports that it is ready. */
export async function startPortal(
  program: string,
  dataDirectory: string,
  password: string,
  { checkout = ".", environment = {} }: PortalSurroundings = {},
): Promise<RunningPortal> {
  const child: ChildProcess = spawn(process.execPath, [...readStartFlags(checkout), program], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: "0",
      DATA_DIRECTORY: dataDirectory,
      ADMIN_USERNAME: "admin",
      ADMIN_PASSWORD: password,
      LOG_LEVEL: "warn",
      DATABASE_URL: "",
      ...environment,
    },
  });
  const ended = once(child, "exit");
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /ready at (http:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error(`The portal ended before it was ready:\n${said}`)));
  });
  return {
    address,
    pid: child.pid!,
    async stop() {
      child.kill("SIGTERM");
      // Also when it has been stopped already.
      await ended;
    },
  };
}

/** Starts the target in a separate process, so that its work counts towards no runner. */
export async function startTarget(program: string): Promise<{ baseUrl: string; stop(): void }> {
  const child = spawn(process.execPath, ["--import", "tsx", program, "target"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { baseUrl: `http://127.0.0.1:${chunk.toString().trim()}`, stop: () => child.kill("SIGKILL") };
}
