import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Files that only the user may read, each written whole or not at all, up to a total size. */
export class BoundedFolder {
  #bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** Names of what an earlier process stored; removes what it could not finish. */
  async load(isComplete: (name: string) => boolean): Promise<string[]> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const names: string[] = [];
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (!isComplete(name)) await unlink(path).catch(() => {});
      else {
        this.#bytes += (await stat(path)).size;
        names.push(name);
      }
    }
    return names;
  }

  async read(name: string): Promise<string> {
    return await readFile(join(this.folder, name), "utf8");
  }

  /** @returns false where there is no capacity for it */
  async write(name: string, text: string): Promise<boolean> {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > this.maxBytes) return false;
    const path = join(this.folder, name);
    try {
      const file = await open(`${path}.new`, "w", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
      this.#bytes += bytes;
      return true;
    } catch {
      return false;
    }
  }

  async remove(name: string): Promise<void> {
    const path = join(this.folder, name);
    try {
      const { size } = await stat(path);
      await unlink(path);
      this.#bytes -= size;
    } catch {
      // It is not there any more.
    }
  }
}
