import { type ProblemCode, problemStatuses, problemTitles } from "#contracts/kit/problem.ts";
import { problemResponse } from "~/backend/responses";

function refusal(code: ProblemCode, detail: string): Response {
  return problemResponse({
    type: "about:blank",
    title: problemTitles[code],
    status: problemStatuses[code],
    code,
    detail,
  });
}

/**
 * The form in a request.
 * @param request the request, or a wrapper that limits its body
 * @throws Response 415 for another content type, 400 for an unreadable body
 */
export async function readForm(request: Pick<Request, "headers" | "formData">): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(type)) {
    throw refusal("unsupported_media_type", "This address only accepts forms. Nothing was changed.");
  }
  try {
    return await request.formData();
  } catch {
    throw refusal("malformed_request", "The form could not be read. Nothing was changed.");
  }
}
