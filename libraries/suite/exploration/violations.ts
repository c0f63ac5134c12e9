import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import type { Called } from "./exploring.ts";

/** What a response did wrong. */
export interface Violation {
  kind: FindingKind;
  /** The same for the same cause, whichever operation shows it. */
  cause: string;
  /** A sentence without its end, which tells the operation and the status. */
  says: string;
  /** The operation that is to blame, if it is not the one whose response shows it. */
  operation?: OperationKey;
}

/** What a request was meant to show, where an assertion of its own fails; undefined if that shows nothing. */
export type Expectation = (failed: Verification) => Violation | undefined;

/** Checks of valid requests. */
export const conformance: CheckName[] = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];

const kinds: Partial<Record<string, FindingKind>> = {
  status_code_conformance: "undocumentedStatus",
  content_type_conformance: "contentType",
  response_headers_conformance: "responseHeaders",
  response_schema_conformance: "responseSchema",
};

/** Causes without a response that the server is to blame for. */
const closed = /connection|reset|closed|socket|timed? ?out|timeout|incomplete|protocol/i;

const sharedFrom = 400;

/**
 * What is wrong with a response: by its checks, and by its assertions if it was to show something.
 * @param area what shares its schemas: the resource of the operation
 */
export function listViolations(
  { statusCode, verifications, verdict, cause }: Called,
  operation: OperationKey,
  { area, expects }: { area: string; expects?: Expectation | undefined },
): Violation[] {
  const own = `${operation.method} ${operation.path}`;
  if (statusCode === null) {
    if (verdict !== "errored" || !cause || !closed.test(`${cause.code} ${cause.detail}`)) return [];
    return [{ kind: "serverError", cause: own, says: "Gave no response" }];
  }
  if (statusCode >= 500) return [{ kind: "serverError", cause: own, says: `Responded with ${statusCode}` }];
  const failed = verifications.filter(({ outcome }) => outcome === "failed");
  // A redirect or a limit of requests says nothing about what was asked.
  if (statusCode === 429) return [];
  const found = failed.flatMap((verification): Violation[] => {
    const kind = kinds[verification.source];
    return verification.kind === "check" && kind ? [{ kind, ...describe(verification, kind) }] : [];
  });
  const [unexpected] = failed.flatMap((one) => (one.kind === "assertion" ? (expects?.(one) ?? []) : []));
  // A value in a wrong form is no other value.
  const isExplained = unexpected?.kind === "valueLost" && found.length > 0;
  return unexpected && !isExplained ? [unexpected, ...found] : found;

  function describe(verification: Verification, kind: FindingKind): Pick<Violation, "cause" | "says"> {
    // Errors are described once for all operations, resources once for theirs.
    const shared = statusCode! >= sharedFrom ? "" : area;
    switch (kind) {
      case "undocumentedStatus":
        return {
          cause: `${statusCode}${statusCode! >= sharedFrom ? "" : ` ${own}`}`,
          says: "Responded with a status that the document does not have",
        };
      case "responseSchema":
        return { cause: `${shared} ${statusCode} ${toMember(verification)}`, says: trimEnd(verification.message) };
      default:
        return { cause: `${shared} ${statusCode} ${toName(verification)}`, says: trimEnd(verification.message) };
    }
  }
}

const trimEnd = (sentence: string) => sentence.replace(/\.$/, "");

/** The last member and the keyword, whatever leads there. */
function toMember({ schemaErrors = [], pointer = "" }: Verification): string {
  const [first] = schemaErrors;
  const steps = (first?.pointer ?? pointer).split("/").filter((step) => step !== "" && !/^\d+$/.test(step));
  const keyword = first?.schemaPointer.split("/").at(-1) ?? "";
  const missing =
    keyword === "required"
      ? (/"([^"]+)"|`([^`]+)`/
          .exec(first?.message ?? "")
          ?.slice(1)
          .find(Boolean) ?? "")
      : "";
  return [steps.at(-1) ?? "", keyword, missing].join(" ").trim();
}

/** Without the value that came. */
const toName = ({ source, message }: Verification) => `${source} ${message.replace(/, got .*$/, "")}`;
