import type { StoredFile } from "#contracts/test-registry/files.ts";

/** Stands for a file's bytes wherever a request is shown. */
export function describeFile({ name, size, sha256 }: StoredFile): string {
  return `[file ${name}, ${size} bytes, SHA-256 ${sha256}]`;
}
