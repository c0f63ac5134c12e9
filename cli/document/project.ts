import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

const isWithin = (folder: string, path: string) => path === folder || !relative(folder, path).split(sep).includes("..");

/**
 * The folder whose files other files may refer to: the repository, else the working directory, else the folder itself. A
 * pull request can change any file in there, and must not make a pipeline read others, such as files with tokens.
 * @returns its real path
 */
export async function findProject(folder: string): Promise<string> {
  const start = await realpath(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (current === dirname(current)) break;
  }
  const here = await realpath(process.cwd());
  return isWithin(here, start) ? here : start;
}

/** A path or link that leads out of the project. */
export class OutsideProject extends Error {
  override readonly name = "OutsideProject";
}

/** @throws OutsideProject, or what reading it throws */
export async function readWithin(project: string, path: string): Promise<Buffer> {
  const real = await realpath(path);
  if (!isWithin(project, real)) throw new OutsideProject(`it is outside of ${project}`);
  return await readFile(real);
}
