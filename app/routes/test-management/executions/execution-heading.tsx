import type { Execution } from "#contracts/test-executioner/executions.ts";
import { OperationName } from "~/features/operation/operation-name";
import { RunKey } from "~/features/runs/run-key";
import { memberName } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getStatus, isUnfinished } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Menu, MenuLink } from "~/ui/menu/menu";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { toCurlElementId } from "./curl-element-id";

interface ExecutionHeadingProps {
  execution: Execution;
  mayRun: boolean;
  mayWrite: boolean;
  runKey: string;
}

/** The test, its verdict, and the possible actions. */
export function ExecutionHeading({ execution, mayRun, mayWrite, runKey }: ExecutionHeadingProps) {
  const { apiId, testId, runId, state } = execution;
  const report = href(
    "/test-management/:apiId/tests/:testId/executions/:testExecutionId/report",
    { apiId, testId, testExecutionId: execution.id },
    { format: "har" },
  );
  const last = execution.attempts.at(-1);
  const request = last?.request;
  return (
    <PageHeading
      title={memberName(execution)}
      mark={<VerdictBadge status={getStatus(execution)} />}
      description={
        <>
          <OperationName method={request?.method ?? execution.method} path={request?.url ?? execution.path} />
          {request?.server && ", at the server the document gives for this operation"}
        </>
      }
      actions={
        <>
          {last?.request && (
            <Button type="button" hidden data-copy={`${toCurlElementId(last.number)}-text`} icon="copy">
              Copy as cURL
            </Button>
          )}
          <LinkButton href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId })} icon="pencil">
            {mayWrite ? "Edit test" : "View test"}
          </LinkButton>
          {mayRun && (
            <form method="post">
              <RunKey value={runKey} />
              {state === "queued" ? (
                <Button name="intent" value="cancel" icon="close">
                  Cancel
                </Button>
              ) : (
                <Button name="intent" value="run" variant="primary" icon="play" disabled={isUnfinished(execution)}>
                  Run again
                </Button>
              )}
            </form>
          )}
          <Menu label="More for this execution" labelHidden icon="more">
            <MenuLink href={href("/test-management/:apiId/runs/:runId", { apiId, runId })} icon="play">
              Its run
            </MenuLink>
            <MenuLink
              href={href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId })}
              icon="clock"
            >
              All executions of this test
            </MenuLink>
            <MenuLink href={report} icon="download">
              HTTP Archive (HAR)
            </MenuLink>
          </Menu>
        </>
      }
    />
  );
}
