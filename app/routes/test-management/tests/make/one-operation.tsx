import { OperationName } from "~/features/operation/operation-name";
import { runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { Row, Stack } from "~/ui/layout/layout";
import { WriteIt } from "./left-out";
import type { DisplayedOperation } from "./one-operation.server";

export interface OneOperationProps {
  apiId: string;
  operation: DisplayedOperation;
  mayRun: boolean;
}

/** A single test of the operation in the address: one valid call, or one that is written manually. */
export function OneOperation({ apiId, operation, mayRun }: OneOperationProps) {
  const { method, path, summary, deprecated, isSafe, testCount, checks, needs, gap } = operation;
  const more = [summary, checks && `checks ${checks}`, needs.length > 0 && `needs ${needs.join(", ")}`];
  const isMakeable = testCount === 0 && gap === undefined;
  return (
    <Card title="One valid request" description={more.filter(Boolean).join(" · ")}>
      <Stack gap="medium">
        <Row gap="small">
          <OperationName method={method} path={path} />
          {!isSafe && <Badge tone="warning">Changes data</Badge>}
          {deprecated && <Badge tone="warning">Deprecated</Badge>}
        </Row>
        <Row>
          {isMakeable && mayRun && (
            <Button name="intent" value="create-and-run-one" variant="primary" icon="play">
              Create and run test
            </Button>
          )}
          {isMakeable && (
            <Button name="intent" value="create-one" variant={mayRun ? "secondary" : "primary"}>
              Create test
            </Button>
          )}
          {testCount > 0 ? (
            <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: path })}>
              {plural(testCount, "test")}
            </a>
          ) : (
            gap && <span>{gap}.</span>
          )}
          <WriteIt apiId={apiId} method={method} path={path} />
        </Row>
      </Stack>
    </Card>
  );
}

/** Asks before the test runs. */
export function AskToRunOne({ method, runKey }: { method: string; runKey: string }) {
  return (
    <Dialog
      title="Run a test that may change data?"
      message={`Changes this ${method.toUpperCase()} makes on the server are not undone.`}
      fields={{ [runKeyField]: runKey }}
      actions={[{ name: "Create and run it", value: "create-and-run-one-confirmed", icon: "play", style: "danger" }]}
    />
  );
}
