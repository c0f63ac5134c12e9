import type { RequestBody } from "#contracts/test-registry/requests.ts";
import type { FindFile } from "./lookups.ts";
import { listFiles, type ReadFile } from "./request-body.ts";
import { Unsendable } from "./unsendable.ts";

const noFiles: ReadFile = () => new Uint8Array();

/**
 * Loads the files of a body, one after another and each once.
 * @throws Unsendable for one that is not stored any more
 */
export async function loadFiles(body: RequestBody, findFile: FindFile, organizationId: string): Promise<ReadFile> {
  const files = listFiles(body);
  if (files.length === 0) return noFiles;
  const loaded = new Map<string, Uint8Array>();
  for (const file of files) {
    if (loaded.has(file.sha256)) continue;
    const bytes = await findFile(organizationId, file);
    if (!bytes) {
      const detail = `The file ${file.name} is no longer stored. Choose it again in the test.`;
      throw new Unsendable("file_missing", detail);
    }
    loaded.set(file.sha256, bytes);
  }
  return ({ sha256 }) => loaded.get(sha256)!;
}
