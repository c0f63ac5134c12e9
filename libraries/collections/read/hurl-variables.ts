import type { Variable } from "../collection.ts";
import { toVariableName } from "./placeholders.ts";
import type { Collector, SourceFile } from "./reading.ts";

/** A file of variables, as `hurl --variables-file staging.env` takes it. */
export const isHurlVariables = (name: string) => /(^|\/)[^/.][^/]*\.env$/i.test(name);

/** Each file is an environment: lines of `name=value`, and comments. */
export function readHurlVariables(file: SourceFile, collector: Collector): void {
  const variables: Variable[] = [];
  for (const [index, line] of file.text.split("\n").entries()) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(text) ?? [];
    if (name === undefined)
      collector.lose({ file: file.name, line: index + 1 }, file.name, "line", "It is no “name=value”.");
    else variables.push({ name: toVariableName(name), value: value!.replace(/^"(.*)"$/, "$1"), secret: false });
  }
  const name = file.name
    .split("/")
    .at(-1)!
    .replace(/\.env$/i, "");
  collector.collection.environments.push({ name, variables });
}
