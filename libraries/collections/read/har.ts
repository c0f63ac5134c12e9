import { type Reading, type SourceFile, UnreadableFile } from "./reading.ts";
export function readHar([file]: readonly SourceFile[]): Reading {
  throw new UnreadableFile(file?.name ?? "", 0, "Not there yet.");
}
export const isHar = (_value: unknown): boolean => false;
