import { CommandError, exitCodes } from "./exit-codes.ts";

/** @throws CommandError for a text that is no `name=value` */
export function parseVariables(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const equals = text.indexOf("=");
      if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
      throw new CommandError(
        exitCodes.usage,
        `--variable takes a name and a value: --variable userId=7, got "${text}".`,
      );
    }),
  );
}
