import { type Reading, type SourceFile, UnreadableFile } from "./reading.ts";
export function readHttpFiles([file]: readonly SourceFile[]): Reading {
  throw new UnreadableFile(file?.name ?? "", 0, "Not there yet.");
}
