import { type Reading, type SourceFile, UnreadableFile } from "./reading.ts";
export function readInsomnia([file]: readonly SourceFile[]): Reading {
  throw new UnreadableFile(file?.name ?? "", 0, "Not there yet.");
}
export const isInsomnia = (_value: unknown): boolean => false;
