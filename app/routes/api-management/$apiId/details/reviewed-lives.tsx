import { Fragment } from "react";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import type { Cut, DisplayedLife } from "./reviewed-changes";

/** Which lives of resources a new version changes, and the circles that hold them. */
export function ReviewedLives({ apiId, lives }: { apiId: string; lives: Cut<DisplayedLife> }) {
  if (lives.items.length === 0) return null;
  return (
    <Card title="Resource lifecycles">
      <ul>
        {lives.items.flatMap(({ resource, sentences, circles }) =>
          sentences.map((sentence, index) => (
            <li key={`${resource} ${sentence}`}>
              {sentence}
              {circles && circles.items.length > 0 && index === sentences.length - 1 && (
                <>
                  {" "}
                  In <CircleLinks apiId={apiId} circles={circles} />.
                </>
              )}
            </li>
          )),
        )}
        {lives.moreCount > 0 && <li>{`And ${plural(lives.moreCount, "other")}.`}</li>}
      </ul>
    </Card>
  );
}

export function CircleLinks({ apiId, circles }: { apiId: string; circles: NonNullable<DisplayedLife["circles"]> }) {
  return (
    <>
      {circles.items.map(({ id, name, schedules }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          <a href={href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId: id })}>{name}</a>
          {schedules > 0 && ` (${plural(schedules, "schedule")})`}
        </Fragment>
      ))}
      {circles.moreCount > 0 && ` and ${plural(circles.moreCount, "other")}`}
    </>
  );
}
