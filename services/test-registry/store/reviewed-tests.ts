import { z } from "@hono/zod-openapi";
import { sql } from "kysely";
import { type TestDefinitionForReview, testsOfOperation } from "#contracts/test-registry/affected-tests.ts";
import { safeMethods } from "#libraries/openapi/safe-methods.ts";
import { schemaName, type TestDatabase } from "./tables.ts";
import { findTests } from "./tests.ts";

const maxTests = 400;
const maxCharacters = 8_000_000;
const maxCircles = 10;

const table = (name: string) => sql.id(schemaName, name);
const circle = testsOfOperation.shape.items.element.shape.circles.unwrap().element;
type Circle = z.infer<typeof circle>;

/** Returns a function that adds to a named test its definition and its circles, for the first ones. */
export async function readForReview(db: TestDatabase, organizationId: string, ids: string[]) {
  const wanted = ids.slice(0, maxTests);
  const definitions = new Map<string, TestDefinitionForReview>();
  let characters = 0;
  for (const { id, definition } of await findTests(db, organizationId, wanted)) {
    const { request, assertions, captures } = definition;
    characters += JSON.stringify([request, assertions, captures]).length;
    if (characters > maxCharacters) break;
    definitions.set(id, { request, assertions, captures });
  }
  const circles = await listCirclesOfTests(db, organizationId, wanted);
  return <Named extends { id: string }>(test: Named) => {
    const definition = definitions.get(test.id);
    return definition ? { ...test, definition, circles: circles.get(test.id) ?? [] } : test;
  };
}

/** Returns a function that adds to a named test its circles, for the first ones. */
export async function readCircles(db: TestDatabase, organizationId: string, ids: string[]) {
  const circles = await listCirclesOfTests(db, organizationId, ids.slice(0, maxTests));
  return <Named extends { id: string }>(test: Named) => ({ ...test, circles: circles.get(test.id) ?? [] });
}

const row = circle.extend({ testId: z.uuid() });

/** Circles that have a test as a member or by a selection, by test. */
async function listCirclesOfTests(
  db: TestDatabase,
  organizationId: string,
  ids: string[],
): Promise<Map<string, Circle[]>> {
  const { rows } = await sql`
    select test.id as "testId", circle.id, circle.name, bool_or(member.test_id is not null) as "isMember", (
      select count(*)::int from ${table("schedules")} schedule
      where schedule.organization_id = ${organizationId}::uuid and schedule.circle_id = circle.id and schedule.enabled
    ) as schedules
    from ${table("tests")} test
    join ${table("test_circle_members")} member on member.organization_id = test.organization_id
      and (member.test_id = test.id or (member.test_id is null and member.api_id = test.api_id
        and (member.tag is null or test.tags @> to_jsonb(array[member.tag]))
        and (member.include <> 'safe' or upper(test.method) = any(${[...safeMethods]}::text[]))))
    join ${table("test_circles")} circle on circle.organization_id = test.organization_id and circle.id = member.circle_id
    where test.organization_id = ${organizationId}::uuid and test.id = any(${ids}::uuid[])
    group by test.id, circle.id, circle.name
    order by circle.name, circle.id`.execute(db);
  const byTest = new Map<string, Circle[]>();
  for (const { testId, ...one } of row.array().parse(rows)) {
    const own = byTest.get(testId) ?? [];
    byTest.set(testId, own);
    if (own.length < maxCircles) own.push(one);
  }
  return byTest;
}
