import { isMap, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from "yaml";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type Acceptance, type AcceptedFile, parseAcceptances } from "./accepted-file.ts";

const header = `# Changes of the OpenAPI document that may break clients and were accepted, each with its reason and its last day.
`;

/**
 * The text of a file with further acceptances at the end of its list. Everything else stays the same, byte for byte.
 * @param today as 2027-01-31
 * @throws CommandError where the list is written so that none can be added
 */
export function addAcceptances(
  { path, text = header, acceptances }: AcceptedFile,
  added: readonly Acceptance[],
  today: string,
): string {
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const { at, inserted } = findPlace(text, added);
  const whole = text.slice(0, at) + inserted.replaceAll("\n", newLine) + text.slice(at);
  const written = parseAcceptances(whole, today);
  if (written.errors.length === 0 && written.acceptances.length === acceptances.length + added.length) return whole;
  throw new CommandError(
    exitCodes.usage,
    `Nothing can be added to the list in ${path} as it is written. Add these:\n${toItems(added, "  ")}`,
  );
}

interface Place {
  at: number;
  inserted: string;
}

function findPlace(text: string, added: readonly Acceptance[]): Place {
  const { contents } = parseDocument(text);
  const pair = isMap(contents) ? contents.items[0] : undefined;
  if (!pair) return atLineEnd(text, text.length, `accepted:\n${toItems(added, "  ")}`);
  const list = pair.value;
  if (!isSeq(list)) return atLineEnd(text, (pair.key as YAMLMap).range![1], toItems(added, "  "));
  const last = list.items.at(-1) as YAMLMap | undefined;
  if (list.flow) return insideBrackets(list, last, added);
  return atLineEnd(text, last!.range![1], toItems(added, " ".repeat(getColumn(text, list.range![0]))));
}

/** JSON is YAML, too. */
function insideBrackets(list: YAMLSeq, last: YAMLMap | undefined, added: readonly Acceptance[]): Place {
  const items = added.map((one) => JSON.stringify(one)).join(",\n  ");
  if (last) return { at: last.range![1], inserted: `,\n  ${items}` };
  return { at: list.range![0] + 1, inserted: `\n  ${items}\n` };
}

/** Whole lines after the line of an offset, which may be the first one after the line. */
function atLineEnd(text: string, offset: number, lines: string): Place {
  if (offset === 0 || text[offset - 1] === "\n") return { at: offset, inserted: lines };
  const end = text.indexOf("\n", offset);
  return end < 0 ? { at: text.length, inserted: `\n${lines}` } : { at: end + 1, inserted: lines };
}

const getColumn = (text: string, offset: number) => offset - (text.lastIndexOf("\n", offset - 1) + 1);

function toItems(added: readonly Acceptance[], indent: string): string {
  return stringify(added, { lineWidth: 0 }).replace(/^(?=.)/gm, indent);
}
