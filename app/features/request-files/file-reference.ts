import type { StoredFile } from "#contracts/test-registry/files.ts";

/** A stored file in a hidden field: hash, size and name, so that a form that comes back need not send it again. */
export function writeFileReference(file: StoredFile | undefined): string {
  return file ? `${file.sha256} ${file.size} ${file.name}` : "";
}

/** Undefined for anything else. */
export function readFileReference(text: string): StoredFile | undefined {
  const [, sha256, size, name] = /^([0-9a-f]{64}) (\d{1,9}) (.{1,300})$/s.exec(text) ?? [];
  return sha256 === undefined ? undefined : { sha256, size: Number(size), name: name! };
}

/** Those of an input that takes several files, one per line: a file's name has no line break. */
export function readFileReferences(text: string): StoredFile[] {
  return text.split(/\r?\n/).flatMap((line) => readFileReference(line) ?? []);
}
