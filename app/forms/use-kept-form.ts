import { parse, type SubmissionResult } from "@conform-to/dom";
import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/root";
import type { KeptForm } from "~/session/kept-form.server";

/** What was typed on this page before its sender had to sign in again. */
export function useKeptForm(): KeptForm | undefined {
  const kept = useRouteLoaderData<typeof loader>("root")?.kept;
  return typeof kept === "object" && kept.entries.length > 0 ? (kept as KeptForm) : undefined;
}

/** The same for conform, as if the form had been answered without a judgement. */
export function useKeptResult(): SubmissionResult | undefined {
  const kept = useKeptForm();
  return kept && resultOf(kept);
}

export function resultOf({ entries }: KeptForm): SubmissionResult {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  const { initialValue, state } = parse(form, { resolve: () => ({ error: {} }) }).reply();
  return { initialValue, state };
}
