import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { ToastMessage } from "~/session/toast-message";

export type Toast = string | Omit<ToastMessage, "id">;

export function toInput({ id, apiId, version, createdAt, updatedAt, ...input }: Test): TestInput {
  return input;
}

/** Why it is unchanged; undefined where it was changed. */
export async function changeOne(
  viewer: Viewer,
  test: Test,
  change: Pick<TestInput, "enabled"> | Pick<TestInput, "tags">,
): Promise<string | undefined> {
  const result = await viewer.backend.testRegistry.changeTest({
    params: { testId: test.id },
    body: { ...toInput(test), ...change },
    headers: { "if-match": `"${test.version}"` },
  });
  // The others are still changed: a concurrent change or deletion is reported, not thrown.
  if (!result.ok && [404, 409, 412, 422].includes(result.status)) {
    const { errors = [], detail } = result.problem;
    return errors.length > 0 ? `${errors.map(({ message }) => message).join(". ")}.` : detail;
  }
  required(result);
  return undefined;
}
