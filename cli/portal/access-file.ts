import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { Connection, type PortalAccess } from "./connection.ts";

/** Where `login` stores address and token: `assurance/access.json` below `XDG_CONFIG_HOME` or `~/.config`. */
export function accessPath(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "assurance", "access.json");
}

/** Stores what only the user may read (mode 0600). */
export async function storeAccess(access: PortalAccess): Promise<void> {
  const path = accessPath();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 });
  // The mode above applies to new files only.
  await chmod(path, 0o600);
}

/**
 * A connection with `ASSURANCE_URL` and `ASSURANCE_TOKEN`, or with what `login` stored.
 * @throws CommandError if neither says both
 */
export async function connect(): Promise<Connection> {
  const { ASSURANCE_URL, ASSURANCE_TOKEN } = process.env;
  const stored = ASSURANCE_URL && ASSURANCE_TOKEN ? undefined : await readStored();
  // A token is for one portal: another address needs another one.
  const isOther = ASSURANCE_URL !== undefined && stored !== undefined && toBase(ASSURANCE_URL) !== stored.url;
  const url = ASSURANCE_URL ?? stored?.url;
  const token = ASSURANCE_TOKEN ?? (isOther ? undefined : stored?.token);
  if (url && token) return new Connection({ url: toBase(url), token });
  throw new CommandError(
    exitCodes.credentials,
    `${url ? `No token for ${url} is known` : "No portal is known"}. Run "assurance login", or set ASSURANCE_URL and ASSURANCE_TOKEN.`,
  );
}

async function readStored(): Promise<PortalAccess | undefined> {
  const text = await readFile(accessPath(), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as PortalAccess;
  } catch {
    throw new CommandError(exitCodes.credentials, `${accessPath()} is no JSON. "assurance login" writes it again.`);
  }
}

/** @throws CommandError if it is no address of a portal */
export function toBase(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(
      exitCodes.usage,
      `"${text}" is no address of a portal. It looks like https://portal.example.com`,
    );
  return text.replace(/\/+$/, "");
}
