import { apiInput } from "#contracts/api-registry/apis.ts";
import type { DocumentProblem } from "#contracts/api-registry/documents.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { ImportSummary } from "../jobs/import-messages.ts";

const maxErrors = 20;

/** @throws Problem invalid_input when the document cannot be used, each reason with its line and column */
export function requireUsable({ inspection, sourceUrl }: ImportSummary): void {
  if (inspection.usable) return;
  const errors = inspection.problems.filter(({ severity }) => severity === "error").slice(0, maxErrors);
  const path = sourceUrl === null ? "source.document" : "source.url";
  throw new Problem("invalid_input", "The document can't be registered.", {
    // A document that could not be fetched has no lines.
    errors: errors.map((problem) => ({
      path,
      message: inspection.bytes === 0 ? problem.message : describeProblem(problem),
    })),
  });
}

function describeProblem({ file, line, column, message, count }: DocumentProblem): string {
  const more = count > 1 ? ` (and in ${count - 1} more ${count === 2 ? "place" : "places"})` : "";
  return `${file ? `${file}, line` : "Line"} ${line}, column ${column}: ${message}${more}`;
}

const fields = apiInput.omit({ source: true });

/** The fields sent with the document, validated by the contract. @throws Problem invalid_input */
export function requireFields({ fields: given }: ImportSummary) {
  const checked = fields.safeParse(given);
  if (checked.success) return checked.data;
  throw new Problem("invalid_input", undefined, {
    errors: checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
  });
}
