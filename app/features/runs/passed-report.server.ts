import type { Backend } from "~/backend/backend";
import { problemResponse } from "~/backend/responses";

const formats = {
  json: { type: "application/json", ending: "json" },
  junit: { type: "application/junit+xml", ending: "junit.xml" },
  har: { type: "application/har+json", ending: "har" },
} as const;

type Result = Awaited<ReturnType<Backend["testExecutioner"]["reportRun" | "reportExecution"]>>;

/** A report as a file, streamed from the executioner in the format that the address requests. */
export async function passReport(
  request: Request,
  name: string,
  ask: (accept: string) => Promise<Result>,
): Promise<Response> {
  const requested = new URL(request.url).searchParams.get("format") ?? "json";
  if (!Object.hasOwn(formats, requested)) throw new Response("No such report.", { status: 404 });
  const { type, ending } = formats[requested as keyof typeof formats];
  const result = await ask(type);
  if (!result.ok) throw problemResponse(result.problem);
  return new Response(result.response.body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}.${ending}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
