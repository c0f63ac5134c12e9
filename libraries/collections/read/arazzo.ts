import { type Reading, type SourceFile, UnreadableFile } from "./reading.ts";
export function readArazzo([file]: readonly SourceFile[]): Reading {
  throw new UnreadableFile(file?.name ?? "", 0, "Not there yet.");
}
export const isArazzo = (_value: unknown): boolean => false;
