import { spawn } from "node:child_process";
import { resolve } from "node:path";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built command line, as the portal serves it. */
export const builtCommandLine = [resolve("build/cli/package/main.js")];

/** Runs a program with only this environment, and what is written to its standard input. */
export async function runCommand(
  command: readonly string[],
  { environment = {}, input, cwd }: { environment?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<Ended> {
  const [program, ...given] = command;
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_ENV: "production", ...environment };
  const child = spawn(program!, given, { env, ...(cwd ? { cwd } : {}) });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  child.stdin.end(input ?? "");
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code, stdout, stderr };
}

/** Runs the built command line. */
export async function runAssurance(
  given: readonly string[],
  options: Parameters<typeof runCommand>[1] = {},
): Promise<Ended> {
  return await runCommand([process.execPath, ...builtCommandLine, ...given], options);
}
