import type { Backend } from "~/backend/backend";
import { problemResponse } from "~/backend/responses";

const formats = {
  json: { type: "application/json", ending: "json" },
  junit: { type: "application/junit+xml", ending: "junit.xml" },
  har: { type: "application/har+json", ending: "har" },
} as const;

type Answer = Awaited<ReturnType<Backend["testExecutioner"]["reportRun" | "reportExecution"]>>;

/** A report as a file, streamed from the executioner in the format that the address requests. */
export async function passReport(
  request: Request,
  name: string,
  ask: (accept: string) => Promise<Answer>,
): Promise<Response> {
  const asked = new URL(request.url).searchParams.get("format") ?? "json";
  if (!Object.hasOwn(formats, asked)) throw new Response("There is no such report.", { status: 404 });
  const { type, ending } = formats[asked as keyof typeof formats];
  const answer = await ask(type);
  if (!answer.ok) throw problemResponse(answer.problem);
  return new Response(answer.response.body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}.${ending}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
