import type { Circle } from "#contracts/test-registry/circles.ts";
import { circleRunAddress } from "~/features/circles/circle-addresses";
import { readRunFrom } from "~/features/locations/read-run-from";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";

interface CircleStart {
  viewer: Viewer;
  context: PortalContext;
  circle: Pick<Circle, "id" | "apiIds">;
  /** The API whose pages requested it. */
  preferred: string | undefined;
  form: FormData;
  /** The page that reports why nothing was started. */
  otherwise: string;
}

/** Runs a circle and leads to the run's page. */
export async function runCircle({
  viewer,
  context,
  circle,
  preferred,
  form,
  otherwise,
}: CircleStart): Promise<Response> {
  return await startAndShow({
    ...{ viewer, context, otherwise },
    runPage: (runId) => circleRunAddress(circle, runId, preferred),
    runKey: readRunKey(form),
    subject: `circle:${circle.id}`,
    run: { source: { testCircleId: circle.id }, ...readRunFrom(form) },
  });
}
