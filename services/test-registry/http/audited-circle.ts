import type { ListedMember } from "../store/circle-members.ts";
import type { CircleRow } from "../store/circles.ts";

/**
 * Only names of variables are recorded, not their values.
 * @param members their number, or themselves
 */
export function auditedCircle(row: CircleRow, members: number | ListedMember[]) {
  const { name, execution_order: order, concurrency, stop_on_failure: stopOnFailure, environments, version } = row;
  const variables = row.variables.map((variable) => variable.name);
  return {
    ...{
      name,
      order,
      concurrency,
      stopOnFailure,
      cookies: row.keeps_cookies,
      onlyOwn: row.only_own,
      locationId: row.location_id,
      ...(row.places ? { places: row.places } : {}),
    },
    ...{ environments, variables, version },
    ...(typeof members === "number"
      ? { members }
      : { members: members.length, mayChangeAnything: listAllowed(members) }),
  };
}

/** Ids of the tests that a user let change anything. */
function listAllowed(members: ListedMember[]): string[] {
  return members.flatMap(({ member }) =>
    member.kind === "test" && member.effect === "allowed" ? [member.testId] : [],
  );
}
