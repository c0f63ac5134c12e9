import type { Pair } from "../collection.ts";
import type { BruBlock, BruPair } from "./bru-blocks.ts";
import { toPlaceholders } from "./placeholders.ts";
import { toPair } from "./reading.ts";

/** A file with what it is for. */
export interface BruFile {
  file: string;
  /** Of its folder, "" for the root. */
  folder: string;
  blocks: BruBlock[];
}

export const parentOf = (path: string) => path.split("/").slice(0, -1).join("/");

export const pairsOf = ({ blocks }: BruFile, name: string): BruPair[] =>
  blocks.filter((block) => block.name === name).flatMap(({ pairs }) => pairs);
export const textIn = (file: BruFile, block: string, name: string): string =>
  pairsOf(file, block).find((pair) => pair.name === name)?.value ?? "";
export const toRow = ({ name, value, enabled }: BruPair): Pair =>
  toPair(toPlaceholders(name), toPlaceholders(value), enabled);
export const toRows = (pairs: readonly BruPair[]): Pair[] => pairs.map(toRow);
