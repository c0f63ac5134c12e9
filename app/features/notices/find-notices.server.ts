import type { TestNotices } from "#contracts/test-executioner/notices.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/** What a test would notice, with the version of the test that checks are added to; undefined where unknown. */
export async function findNotices(
  { backend }: Viewer,
  testId: string,
): Promise<{ notices: TestNotices; version: number } | undefined> {
  const [notices, test] = await Promise.all([
    backend.testExecutioner.getTestNotices({ params: { testId } }),
    backend.testRegistry.getTest({ params: { testId } }),
  ]);
  // A deleted test's executions may still be displayed.
  if (notices.ok && test.ok) return { notices: notices.value, version: test.value.version };
  if (!notices.ok && notices.status !== 404) available(notices);
  return undefined;
}
