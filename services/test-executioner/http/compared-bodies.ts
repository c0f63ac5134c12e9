import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { BodyComparison } from "#contracts/test-executioner/comparisons.ts";
import { compareBodies } from "../domain/comparison/compare-bodies.ts";
import { type ComparedRow, loadDetailsTogether, loadSmallDetails, type SameMember } from "../store/compared-members.ts";
import { parseAttempts } from "../store/details.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type ComparableRow = Pick<ComparedRow, "id" | "organization_id" | "status_code" | "before">;
type Compare = (rows: ComparableRow[], passed: SameMember[]) => Promise<Map<string, BodyComparison | null>>;
/** The compared part of a response; null if it has none. */
type ReadText = (response: ReceivedResponse) => string | null;

/** Parts differ in what they lack. */
const toBody: ReadText = ({ body, truncated, incomplete, keptBytes }) =>
  truncated || incomplete || keptBytes !== undefined ? null : body;

/**
 * Compares members' bodies with those of the run before, by the member's id.
 * @param passed the same members in the runs used to learn which members always differ
 * @param toText the text to compare instead of the bodies
 */
export function createBodyComparer(db: ExecutionDatabase, toText = toBody): Compare {
  const readBodies = (details: Details) => readTexts(details, toText);
  return async (rows, passed) => {
    const [first] = rows;
    if (!first) return new Map();
    const { organization_id: organizationId } = first;
    const compared = rows.flatMap(({ id, before }) => (before ? [id, before.id] : []));
    const bodies = readBodies(await loadSmallDetails(db, organizationId, compared));
    const pairs = rows.flatMap((row) => {
      const before = row.before && getAnswer(bodies, row.before.id, row.before.status_code);
      const after = getAnswer(bodies, row.id, row.status_code);
      return before && after && before.body !== after.body ? [{ id: row.id, before, after }] : [];
    });
    const differing = new Set(pairs.map(({ id }) => id));
    const known = passed.filter(({ memberId }) => differing.has(memberId));
    const knownBodies = readBodies(await loadDetailsTogether(db, organizationId, known));
    return new Map(
      pairs.map(({ id, before, after }) => {
        const own = known.filter(({ memberId }) => memberId === id);
        const results = own.flatMap((one) => getAnswer(knownBodies, one.executionId, one.statusCode) ?? []);
        return [id, compareBodies(before, after, results)];
      }),
    );
  };
}

type Details = Awaited<ReturnType<typeof loadSmallDetails>>;

/** Of the last attempts, by execution; omits those without a text. */
function readTexts(details: Details, toText: ReadText): Map<string, string> {
  return new Map(
    [...details].flatMap(([id, stored]) => {
      const response = parseAttempts(stored).at(-1)?.response;
      const text = response ? toText(response) : null;
      return text === null ? [] : [[id, text]];
    }),
  );
}

function getAnswer(bodies: Map<string, string>, executionId: string, status: number | null) {
  const body = bodies.get(executionId);
  return body === undefined ? undefined : { status, body };
}
