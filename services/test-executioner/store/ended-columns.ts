import { sql } from "kysely";
import { noResponseCodes } from "../domain/availability.ts";
import { portalName } from "../domain/places/place-subjects.ts";

/** Whole runs count for their circle. */
export const circleOfRun = sql`case when run.source_kind = 'circle' then run.test_circle_id end`;

/** Which of the places of a circle sent it; null for runs of other circles. */
export const placeOfRun = sql`case when position('"places":' in run.surroundings) > 0
  and run.surroundings::jsonb -> 'places' is not null then coalesce(location_id::text, ${sql.lit(portalName)}) end`;

/** Same definition as domain/availability. */
export const isThere = sql`case
  when status_code is not null then status_code < 500 or verdict in ('passed', 'flaky')
  when (cause::jsonb ->> 'code') = any(${noResponseCodes}::text[]) then false
end`;
