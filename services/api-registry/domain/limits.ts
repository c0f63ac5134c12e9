/** Resource limits of one import. A document beyond a limit is refused with a reason. */
export interface ImportLimits {
  /** Of the main document, and of all files together. */
  bytes: number;
  /** Nesting of objects and lists. */
  depth: number;
  /** Values of all files together, YAML aliases counted each time they are used. */
  nodes: number;
  /** Uses of YAML aliases in one file. */
  aliases: number;
  operations: number;
  /** Files in addition to the main document. */
  files: number;
  /** Of these, fetched files. */
  fetchedFiles: number;
  /** Processor time of the worker thread, and time spent waiting for files to be fetched. */
  milliseconds: number;
  /** Heap of the worker thread. */
  memoryMegabytes: number;
}

/** 10,000 operations take some seconds and 300 MB; the limits suffice for the largest public documents. */
export const defaultImportLimits: ImportLimits = {
  bytes: 64 * 1024 * 1024,
  depth: 100,
  nodes: 5_000_000,
  aliases: 20_000,
  operations: 20_000,
  files: 5_000,
  fetchedFiles: 300,
  milliseconds: 120_000,
  memoryMegabytes: 1_536,
};
