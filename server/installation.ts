import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartRefused } from "../services/kit/service/start-refused.ts";

/** This installation's files in its data folder, except the database. */
export interface Installation {
  secretsKey: string;
  /** The file with the first administrator's password, if it was generated here. */
  administratorPasswordFile: string;
  /** Stores the generated password of the first administrator, readable for the operator. */
  keepAdministratorPassword(password: string): Promise<void>;
  /** The one stored by this start: displayed once at the terminal. */
  newAdministratorPassword(): string | undefined;
}

async function writeDraft(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function readStored(path: string): Promise<string | undefined> {
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
 * An existing file is complete: it gets its name only after its text is on the disk, so that a process killed here
 * leaves no partial secret. Of two simultaneous starts one names its file and both read that.
 */
async function readOrCreate(path: string, create: () => string): Promise<string> {
  const stored = await readStored(path);
  if (stored !== undefined) return stored;
  const draft = await writeDraft(path, create());
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readStored(path)) ?? "";
}

/**
 * Creates the installation's own key at the first start and reads it at every later one.
 * @param givenSecretsKey used instead; nothing is stored then
 * @throws StartRefused when the stored key is empty
 */
export async function openInstallation(
  dataDirectory: string,
  givenSecretsKey: string | undefined,
): Promise<Installation> {
  const administratorPasswordFile = join(dataDirectory, "administrator-password.txt");
  let newPassword: string | undefined;
  return {
    secretsKey:
      givenSecretsKey ??
      (await readOrCreate(join(dataDirectory, "secrets.key"), () => randomBytes(32).toString("base64"))),
    administratorPasswordFile,
    // Replaces one stored by a start that was killed before it created the account.
    async keepAdministratorPassword(password) {
      await rename(await writeDraft(administratorPasswordFile, password), administratorPasswordFile);
      newPassword = password;
    },
    newAdministratorPassword: () => newPassword,
  };
}
