import type { SubmissionResult } from "@conform-to/dom";
import { useRouteLoaderData } from "@remix-run/react";
import { asTyped } from "~/forms/as-typed";
import type { SavedForm } from "~/session/saved-form.server";

/** The state of a form that was sent on this page before its sender had to sign in again. */
export function useSavedFormOrLoss(): SavedForm | "lost" | undefined {
  // Not by the loader's own type: the document's parts would then depend on the document.
  const shell = useRouteLoaderData("root") as { kept?: SavedForm | "lost" } | undefined;
  return shell?.kept;
}

/** Its typed values. */
export function useSavedForm(): SavedForm | undefined {
  const stored = useSavedFormOrLoss();
  return typeof stored === "object" && stored.entries.length > 0 ? stored : undefined;
}

/** The same for conform, as if the form had been returned without validation. */
export function useSavedResult(): SubmissionResult | undefined {
  const stored = useSavedForm();
  return stored && toResult(stored);
}

export function toResult({ entries }: SavedForm): SubmissionResult {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return asTyped(form);
}
