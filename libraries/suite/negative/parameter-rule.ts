import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import type { BrokenRule } from "./broken-rule.ts";
import type { BrokenValue } from "./broken-values.ts";

/** Characters: a longer address is refused as such. */
const longestText = 1_000;

type Path = readonly (string | number)[];

export const toRule = (parameter: OperationParameter) => ({
  ...{ in: parameter.in as BrokenRule["in"], parameter: parameter.name, path: [] as Path },
});

/**
 * A row for a broken value.
 * @param path where in the parameter's value; an item is named as its list
 * @param text the whole parameter as a test has it
 */
export function toBrokenParameter(
  parameter: OperationParameter,
  path: Path,
  { words, keyword, rank }: Pick<BrokenValue, "words" | "keyword" | "rank">,
  text: string,
): BrokenRule {
  const place = parameter.in;
  const subject = [parameter.name, ...path.filter((step) => typeof step === "string")].join(".");
  // "the header X-Limit is 0, at least 1", but "bookId is no UUID".
  const name = place === "path" || place === "query" ? `${subject} ${words}` : `the ${place} ${subject} ${words}`;
  const wanted = rank + (place === "path" ? -0.5 : parameter.required ? 0.5 : 1);
  return { ...toRule(parameter), path, keyword, text, rank: wanted, name };
}

/** Whether a parameter's value has one fault, at this place. */
export function breaksAt(path: Path, value: unknown, { schema }: OperationParameter, source: SampleSource): boolean {
  const faults = new ValueChecker("request", source).listFaults(value, schema);
  return faults.length === 1 && faults[0]!.path.join("/") === path.join("/");
}

/** Whether a text arrives as it is. */
export function arrives(text: string, { in: place, style }: Pick<OperationParameter, "in" | "style">): boolean {
  if (text.length > longestText || (/Delimited$/.test(style) && /[\s|]/.test(text))) return false;
  if (place === "path") return text !== "" && !/[/.\s]/.test(text) && (style === "simple" || !/[,;=]/.test(text));
  if (place === "query") return true;
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/[;,"]/.test(text);
}

/** Whether it arrives among others of a list or an object: many servers decode before they split. */
export function arrivesAmong(text: string, parameter: Pick<OperationParameter, "in" | "style">): boolean {
  return arrives(text, parameter) && (parameter.style === "deepObject" || !/[,;=&]/.test(text));
}
