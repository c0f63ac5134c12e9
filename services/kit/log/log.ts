import { type Logger, pino, stdSerializers } from "pino";
import { readableStack } from "./readable-stack.ts";

/** The log of a process, one JSON object per line. */
export function createLog(level: string): Logger {
  return pino({
    level,
    serializers: {
      err(error: Error) {
        const serialized = stdSerializers.err(error);
        return typeof serialized?.stack === "string"
          ? { ...serialized, stack: readableStack(serialized.stack) }
          : serialized;
      },
    },
  });
}
