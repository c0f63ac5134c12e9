import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { MissedChange } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import { allMisses } from "~/features/notices/miss-key";
import { assertionTitle } from "~/features/notices/notices-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";

/** Adds the assertions that would notice what the test misses, to the version that the page displayed. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:write");
  const { apiId, testId } = params as Record<"apiId" | "testId", string>;
  const form = await readForm(request);
  const here = ownPath(String(form.get("returnTo") ?? ""), getTestPage(apiId, testId));
  const { testRegistry, testExecutioner } = viewer.backend;
  const [test, notices] = await Promise.all([
    testRegistry.getTest({ params: { testId } }).then(required),
    testExecutioner.getTestNotices({ params: { testId } }).then(required),
  ]);
  if (test.apiId !== apiId) throw new Response(null, { status: 404 });
  const redirectWith = (toast: Omit<ToastMessage, "id">) => redirectWithToast(context, here, toast);
  const added = listAssertions(notices.missedChanges, String(form.get("miss") ?? ""));
  if (added.length === 0) return redirectWith(unchanged(test, "Already caught."));
  const result = await testRegistry.changeTest({
    params: { testId },
    body: { ...toInput(test), assertions: [...test.assertions, ...added] },
    headers: { "if-match": `"${Number(form.get("version"))}"` },
  });
  if (!result.ok && result.problem.code === "stale_version") {
    return redirectWith(unchanged(test, "It has changed since you opened the page. Check it and add it again."));
  }
  if (!result.ok && result.status === 422) {
    const message = result.problem.errors?.map((error) => error.message).join(". ") || result.problem.detail;
    return redirectWith({ ...unchanged(test, message), variant: "danger" });
  }
  required(result);
  const [first] = added;
  const message =
    added.length === 1
      ? `${test.name} now checks: ${assertionTitle(first!)}.`
      : `${added.length} checks were added to ${test.name}.`;
  return redirectWith({ message, variant: "success" });
}

/** It takes forms; a GET of this address leads to the test. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(getTestPage(params.apiId!, params.testId!));
}

const getTestPage = (apiId: string, testId: string) =>
  href("/test-management/:apiId/tests/:testId/edit", { apiId, testId });

/** Each assertion once: it may notice several changes. */
function listAssertions(misses: readonly MissedChange[], key: string): Assertion[] {
  const chosen = misses.filter((miss) => key === allMisses || miss.key === key);
  const distinct = new Map(
    chosen.flatMap(({ assertion }) => (assertion ? [[JSON.stringify(assertion), assertion]] : [])),
  );
  return [...distinct.values()];
}

function unchanged({ name }: Test, message: string): Omit<ToastMessage, "id"> {
  return { title: `${name} was not changed`, message, variant: "warning" };
}

function toInput({ id, apiId, version, createdAt, updatedAt, ...input }: Test) {
  return input;
}
