import type { OperationKey } from "~/features/operation/operation-key";
import { executionAddress } from "~/features/runs/execution-address";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getStatus } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Row, Stack } from "~/ui/layout/layout";
import { Ago } from "~/ui/moment/ago";
import type { TestsOfOperation } from "./operation-tests.server";

export interface OperationTestsProps {
  apiId: string;
  operation: OperationKey;
  tests: TestsOfOperation;
  mayTest: boolean;
  /** The reference time for "ago". */
  now: string;
}

/** The last verdicts of an operation's tests. */
export function OperationTests({ apiId, operation: { method, path }, tests, mayTest, now }: OperationTestsProps) {
  const { items, total } = tests;
  return (
    <Card
      id="tests"
      title="Tests"
      description={total > 0 ? undefined : "This operation has no test yet."}
      actions={
        mayTest && (
          <LinkButton
            href={href("/test-management/:apiId/tests/make", { apiId }, { operation: `${method} ${path}` })}
            size="small"
            icon="plus"
          >
            Create test
          </LinkButton>
        )
      }
    >
      {total > 0 && (
        <Stack gap="medium">
          {items.map(({ id, name, last }) => (
            <Stack key={id} gap="tiny">
              <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>
              <Row gap="small">
                {last ? (
                  <>
                    <a href={executionAddress({ apiId, testId: id, executionId: last.executionId })}>
                      <VerdictBadge status={getStatus(last)} />
                    </a>
                    <Ago value={last.finishedAt ?? last.queuedAt} now={now} />
                  </>
                ) : (
                  <VerdictBadge status={null} />
                )}
              </Row>
            </Stack>
          ))}
          {total > items.length && (
            <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: path })}>
              {plural(total - items.length, "more test")}
            </a>
          )}
        </Stack>
      )}
    </Card>
  );
}
