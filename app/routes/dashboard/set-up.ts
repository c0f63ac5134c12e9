import type { ApiCounts } from "~/features/verdict/find-api-counts.server";
import { href } from "~/href";

/** A new user's next step. */
export interface SetUpStep {
  title: string;
  sentence: string;
  action: string;
  /** Undefined until the previous steps are done. */
  href: string | undefined;
  /** Nothing else waits for it. */
  optional?: boolean;
}

export interface SetUpState {
  /** The first APIs, failing ones first. */
  statuses: readonly (ApiCounts & { id: string; name: string })[];
  /** Of any API, listed or not. */
  hasRun: boolean;
  /** Undefined while unknown. */
  hasSchedule: boolean | undefined;
  hasChannel: boolean | undefined;
}

/** For users who signed in by a username without an email address, such as the first administrator. */
export const addressStep: SetUpStep = {
  title: "Add your email address",
  sentence: "Without one you can't reset your password.",
  action: "Add an address",
  href: href("/profile/email"),
  optional: true,
};

/** The remaining steps, in order; none while the status of tests is unknown. */
export function findSetUp({ statuses, hasRun, hasSchedule, hasChannel }: SetUpState): SetUpStep[] {
  const known = statuses.every(({ testCount, executions }) => testCount !== undefined && executions !== undefined);
  if (!known) return [];
  const [first] = statuses;
  const tested = statuses.find(({ testCount }) => testCount !== 0);
  const steps = [
    !first && {
      title: "Register your first API",
      sentence: "Enter the URL of its OpenAPI document, choose a file, or paste the text.",
      action: "Register an API",
      href: href("/api-management/register"),
    },
    !tested && {
      title: "Generate tests",
      sentence:
        "For each resource of the document, tests create one, read, change and delete it, and check every response.",
      action: "Generate tests",
      href: first && href("/test-management/:apiId/tests/make", { apiId: first.id }),
    },
    !hasRun && {
      title: "Run your tests",
      sentence: tested
        ? `${tested.name} has ${tested.testCount === 1 ? "a test" : "tests"} that never ran.`
        : "See which pass, and why the others fail.",
      action: "See the tests",
      href: tested && href("/test-management/:apiId/tests", { apiId: tested.id }),
    },
    hasSchedule === false && {
      title: "Run them on a schedule",
      sentence: "A circle is a group of tests that you can schedule, e.g. every hour.",
      action: "See the circles",
      href: tested && href("/test-management/test-circles/list"),
    },
    hasChannel === false && {
      title: "Get alerts",
      sentence: "Get notified by email, chat or webhook when tests fail and recover.",
      action: "Add an alert channel",
      href: tested && href("/test-management/alert-channels/create"),
    },
  ];
  return steps.filter((step) => step !== false);
}
