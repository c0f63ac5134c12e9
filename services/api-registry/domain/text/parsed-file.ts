import type { Position } from "./positions.ts";

export interface ParsedFile {
  format: "json" | "yaml";
  value: unknown;
  /**
   * Line and column of each pointer: of its key in an object, else of the value. A missing one gets its nearest
   * ancestor's.
   */
  locate(pointers: readonly string[]): Map<string, Position>;
  /** A scalar as the file writes it: YAML's unquoted `1.0` is the number 1. */
  writtenAs(pointer: string): string | undefined;
  nodes: number;
}
