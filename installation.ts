import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { StartRefused } from "./services/kit/service/start-refused.ts";

/** What this installation keeps in its data folder besides the database. */
export interface Installation {
  secretsKey: string;
  /** The password of the first administrator, when it was made here; stays readable in the data folder. */
  administratorPassword: string;
  administratorPasswordFile: string;
  /** Made by this very start: shown once at the terminal. */
  administratorPasswordIsNew: boolean;
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    if (text === "") throw new StartRefused(`${path} is empty. Put back what it held; a backup of the folder has it.`);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * A file that is there is whole: it gets its name only once its text is on the disk, so that a process killed here
 * leaves no half secret behind. Of two starts that make it at once, one names its own and both read that.
 */
async function readOrCreate(path: string, create: () => string): Promise<{ text: string; created: boolean }> {
  const kept = await readKept(path);
  if (kept !== undefined) return { text: kept, created: false };
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${create()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  let created = true;
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    created = false;
  } finally {
    await rm(draft, { force: true });
  }
  return { text: (await readKept(path)) ?? "", created };
}

/**
 * Creates the installation's own secrets at first start and finds them again at every other.
 * @throws StartRefused when a kept secret is empty
 */
export async function openInstallation(
  dataDirectory: string,
  given: { secretsKey: string | undefined; administratorPassword: string | undefined },
): Promise<Installation> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const administratorPasswordFile = join(dataDirectory, "administrator-password.txt");
  const secretsKey =
    given.secretsKey ??
    (await readOrCreate(join(dataDirectory, "secrets.key"), () => randomBytes(32).toString("base64"))).text;
  const password =
    given.administratorPassword === undefined
      ? await readOrCreate(administratorPasswordFile, () => randomBytes(15).toString("base64url"))
      : { text: given.administratorPassword, created: false };
  return {
    secretsKey,
    administratorPassword: password.text,
    administratorPasswordFile,
    administratorPasswordIsNew: password.created,
  };
}
