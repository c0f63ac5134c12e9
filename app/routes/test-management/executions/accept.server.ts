import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";
import { acceptedAssertion, isSameAssertion } from "./accepted-assertion";
import { verificationTitle } from "./verification-words";

export interface Acceptance {
  /** Index of the assertion in the test, and of its verification. */
  number: number;
  testName: string;
  version: number;
  /** Undefined where the test no longer has the evaluated assertion. */
  change: { before: string; after: string } | undefined;
}

/** Content of the dialog; undefined where the requested value can't be accepted. */
export async function findAcceptance(
  viewer: Viewer,
  testId: string,
  number: number,
  verifications: readonly Verification[],
): Promise<Acceptance | undefined> {
  const judged = verifications[number];
  const accepted = judged && acceptedAssertion(judged);
  if (!accepted || !viewer.may("tests:write")) return undefined;
  const test = required(await viewer.backend.testRegistry.getTest({ params: { testId } }));
  const current = test.assertions[number];
  const isSame = current && isSameAssertion(current, judged);
  return {
    ...{ number, testName: test.name, version: test.version },
    change: isSame ? { before: verificationTitle(judged), after: getTitle(accepted) } : undefined,
  };
}

/** Changes the test to expect the actual value, in the version that the dialog displayed. */
export async function acceptAsExpected(
  viewer: Viewer,
  context: PortalContext,
  form: FormData,
  given: { here: string; testId: string; verifications: readonly Verification[] },
): Promise<Response> {
  requireScope(viewer, "tests:write");
  const { here, testId, verifications } = given;
  const redirectWith = (toast: Omit<ToastMessage, "id">) => redirectWithToast(context, here, toast);
  const [number, version] = ["assertion", "version"].map((name) => Number(form.get(name)));
  const judged = verifications[number!];
  const accepted = judged && acceptedAssertion(judged);
  const test = required(await viewer.backend.testRegistry.getTest({ params: { testId } }));
  const current = test.assertions[number!];
  if (!accepted || !current || !isSameAssertion(current, judged)) return redirectWith(changedMeanwhile(test));
  const assertions = test.assertions.map((assertion, index) => (index === number ? accepted : assertion));
  const result = await viewer.backend.testRegistry.changeTest({
    params: { testId },
    body: { ...toInput(test), assertions },
    headers: { "if-match": `"${version}"` },
  });
  if (!result.ok && result.problem.code === "stale_version") return redirectWith(changedMeanwhile(test));
  if (!result.ok && result.status === 422) {
    const message = result.problem.errors?.map((error) => error.message).join(". ") || result.problem.detail;
    return redirectWith({ title: `${test.name} stays as it is`, message, variant: "danger" });
  }
  required(result);
  return redirectWith({ message: `${test.name} now expects: ${getTitle(accepted)}.`, variant: "success" });
}

function changedMeanwhile({ name }: Test): Omit<ToastMessage, "id"> {
  return {
    title: `${name} stays as it is`,
    message: "It has changed since. Run it again to see what it verifies now.",
    variant: "warning",
  };
}

function getTitle(assertion: Assertion): string {
  return verificationTitle({ kind: "assertion", ...assertion, outcome: "passed", passed: true, message: "" });
}

function toInput({ id, apiId, version, createdAt, updatedAt, ...input }: Test) {
  return input;
}
