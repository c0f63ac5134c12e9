import type { EditorReply } from "~/features/test-editor/editor-props";

export interface SentForm extends Partial<Pick<EditorReply, "lastResult" | "trial">> {
  /** The result for screen readers. */
  statusMessage: string;
}

/** Sends the form's request without saving and without leaving the page. */
export async function sendForm(address: string, body: FormData): Promise<SentForm> {
  try {
    const response = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
    // An ended session redirects to the sign-in page.
    if (response.redirected || !response.headers.get("content-type")?.includes("json")) {
      return failed("Your session may have ended. Sign in again in another tab, then send again.");
    }
    const reply = (await response.json()) as EditorReply | { detail: string };
    if ("detail" in reply) return failed(reply.detail);
    return { ...reply, statusMessage: getStatus(reply) };
  } catch {
    return failed("The portal could not be reached, so nothing was sent. Try again.");
  }
}

function failed(message: string): SentForm {
  return { lastResult: { status: "error", error: { "": [message] } }, statusMessage: message };
}

function getStatus({ trial, lastResult }: EditorReply): string {
  if (!trial)
    return Object.values(lastResult.error ?? {})
      .flat()
      .join(". ");
  const { response, cause } = trial.attempt;
  if (!response) return `No response. ${cause?.detail ?? ""}`;
  const { judgement } = trial;
  return `Response ${response.status} ${response.statusText}.${judgement ? ` The test would be ${judgement.verdict}.` : ""}`;
}
