import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What this installation keeps in its data folder besides the database. */
export interface Installation {
  secretsKey: string;
  /** The password of the first administrator, when it was made here; stays readable in the data folder. */
  administratorPassword: string;
  administratorPasswordFile: string;
  /** Made by this very start: shown once at the terminal. */
  administratorPasswordIsNew: boolean;
}

async function readOrCreate(path: string, create: () => string): Promise<{ text: string; created: boolean }> {
  let created = true;
  try {
    // `wx`: of two first starts only one writes, and both read what was written.
    await writeFile(path, `${create()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    created = false;
  }
  return { text: (await readFile(path, "utf8")).trim(), created };
}

/** Creates the installation's own secrets at first start and finds them again at every other. */
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
