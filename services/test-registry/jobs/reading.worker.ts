import { parentPort } from "node:worker_threads";
import { readFiles } from "#libraries/collections/read/read-files.ts";
import { UnreadableFile } from "#libraries/collections/read/reading.ts";
import { unpack } from "#libraries/collections/read/unpack.ts";
import { planImport } from "../domain/imports/plan-import.ts";
import { planOwnApi } from "../domain/imports/plan-own-api.ts";
import { parseTest } from "./parse-test.ts";
import type { ReadingAnswer, ReadingTask } from "./reading-thread.ts";

const port = parentPort!;

port.on("message", ({ files, format, target, choices }: ReadingTask) => {
  try {
    const reading = readFiles(unpack(files), format);
    const planned = target
      ? { plan: planImport(reading, target, choices, parseTest) }
      : planOwnApi(reading, choices, parseTest);
    port.postMessage(planned satisfies ReadingAnswer);
  } catch (error) {
    port.postMessage(toAnswer(error));
  }
});

function toAnswer(error: unknown): ReadingAnswer {
  if (error instanceof UnreadableFile) {
    const { file, line, message } = error;
    return { unreadable: { file, line, message } };
  }
  // Parsers that call themselves end this way on input made for it.
  if (error instanceof RangeError) return { unreadable: { file: "", line: 0, message: "It is nested too deeply." } };
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
