import type { LoaderFunctionArgs } from "@remix-run/node";
import { problemResponse } from "~/backend/answers";
import { requireViewer } from "~/session/guards";

const formats = {
  json: { type: "application/json", ending: "json" },
  junit: { type: "application/junit+xml", ending: "junit.xml" },
  har: { type: "application/har+json", ending: "har" },
} as const;

/** A run's report as a file, passed on from the executioner as it is written. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const runId = params.runId!;
  const asked = new URL(request.url).searchParams.get("format") ?? "json";
  if (!Object.hasOwn(formats, asked)) throw new Response("There is no such report.", { status: 404 });
  const { type, ending } = formats[asked as keyof typeof formats];
  const answer = await viewer.backend.testExecutioner.reportRun({
    params: { runId },
    headers: { accept: type },
    signal: request.signal,
  });
  if (!answer.ok) throw problemResponse(answer.problem);
  return new Response(answer.response.body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="run-${runId}.${ending}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
