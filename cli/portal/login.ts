import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { productVersion } from "../version.ts";
import { accessPath, storeAccess, toBase } from "./access-file.ts";
import { Connection } from "./connection.ts";

/** Stores the address of a portal and a token that it accepts. The token is read from a prompt or the standard input. */
export async function login(address: string): Promise<ExitCode> {
  const url = toBase(address);
  const token = (process.stdin.isTTY ? await ask(`API token of ${url}: `) : await text(process.stdin)).trim();
  if (token === "") throw new CommandError(exitCodes.usage, `No token was given. ${url}/profile creates one.`);
  const connection = new Connection({ url, token });
  await connection.call("api-registry", "/api/v1/apis", { query: { limit: 1 } });
  await storeAccess({ url, token });
  process.stdout.write(`The token is stored in ${accessPath()}, for you alone.\n`);
  await warnOfVersion(connection);
  return exitCodes.passed;
}

/** Client and portal of one version belong together. */
export async function warnOfVersion(connection: Connection): Promise<void> {
  const version = await connection.readVersion();
  if (version === productVersion) return;
  process.stderr.write(
    `This is assurance ${productVersion}, and the portal is ${version}. Its own is at ${connection.access.url}/cli/${version}.tgz\n`,
  );
}

/** Asks without showing what is typed. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await prompt.question("");
  } finally {
    prompt.close();
    process.stderr.write("\n");
  }
}
