import { dirname, posix, resolve } from "node:path";
import { findProject, readWithin } from "./project.ts";

/** Files that a document of API descriptions may consist of. */
const ofDocument = /\.(json|ya?ml)$/i;
const reference = /["']?(?:\$ref|operationRef)["']?\s*:\s*["']?([^"'#\s,}]+)/g;

/**
 * The files of its project that a document refers to, directly or through others, by their path from its folder. What
 * can't be read, or is outside, is left out: reading the document reports it at its line.
 */
export async function readReferredFiles(path: string, bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const folder = dirname(resolve(path));
  const project = await findProject(folder);
  const files = new Map<string, Uint8Array>();
  const open = [{ name: "", bytes }];
  for (let current = open.pop(); current; current = open.pop()) {
    for (const name of listReferred(current.name, current.bytes)) {
      if (files.has(name)) continue;
      const read = await readWithin(project, resolve(folder, name)).catch(() => undefined);
      if (!read) continue;
      files.set(name, read);
      open.push({ name, bytes: read });
    }
  }
  return files;
}

function listReferred(from: string, bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes);
  return [...text.matchAll(reference)]
    .map(([, file = ""]) => file)
    .filter((file) => ofDocument.test(file) && !URL.canParse(file))
    .map((file) => posix.normalize(posix.join(posix.dirname(from), decodeURI(file))));
}
