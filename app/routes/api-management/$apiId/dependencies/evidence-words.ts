import type { Consumer, Evidence, OperationKey, Producer } from "#contracts/api-registry/resources.ts";
import { plural } from "~/ui/count/plural";

/** "POST /books" */
export function operationInWords({ method, path }: OperationKey): string {
  return `${method.toUpperCase()} ${path}`;
}

const lastOf = (reference: string) => reference.split("/").at(-1)!.replaceAll("~1", "/").replaceAll("~0", "~");

/** Why two operations belong together: "both are Book". */
export function evidenceInWords(evidence: Evidence): string {
  switch (evidence.kind) {
    case "link":
      return `the document links them (${evidence.name})`;
    case "schema":
      return `both are ${lastOf(evidence.component)}`;
    case "path":
      return "one path continues the other";
    case "name":
      return `${evidence.name} is named after it`;
    case "seen":
      return `its values were accepted ${plural(evidence.times, "time")}`;
    case "person":
      return "set manually";
  }
}

/** "Special event" */
export const toTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Why a request needs a resource. */
export function needInWords(evidence: Evidence): string {
  if (evidence.kind === "seen") {
    const { operation, times } = evidence;
    return `Seen ${plural(times, "time")}: a value of ${operationInWords(operation)} was accepted here.`;
  }
  return evidence.kind === "path" ? "its path names it" : evidenceInWords(evidence);
}

/** Where a response or a request has the identifier: "$.id of its response". */
export function producedInWords({ from, path, many }: Producer): string {
  if (from === "location") return "the end of its Location header";
  if (from === "sent") return path === "" ? "the path that was sent" : `${path} of the body that was sent`;
  return many ? `${path}, one of its list` : `${path} of its response`;
}

const locations: Record<Consumer["in"], string> = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
  body: "body",
};

/** "bookId in its query" */
export function consumedInWords({ in: location, name }: Pick<Consumer, "in" | "name">): string {
  return `${location === "body" ? name.slice(1).replaceAll("/-", "").replaceAll("/", ".") : name} in its ${locations[location]}`;
}
