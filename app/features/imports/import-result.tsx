import { formatNames } from "#contracts/test-registry/import-formats.ts";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import type { ImportReply } from "./import-reply";
import { LossTable } from "./loss-table";

/** What was created, with links, and what was not carried over. */
export function ImportResult({ imported }: { imported: NonNullable<ImportReply["imported"]> }) {
  const {
    apiId,
    apiName,
    isNewApi,
    tests,
    testCount,
    changedTests,
    circles,
    changedCircles,
    environments,
    credentials,
  } = imported;
  const { existing, format, losses, lossCount } = imported;
  const counts = [
    ...[plural(testCount, "test"), plural(circles.length, "circle"), plural(credentials.length, "credential")],
    ...(environments.length > 0 ? [plural(environments.length, "environment")] : []),
  ];
  return (
    <Stack gap="huge">
      <Notice tone="success" role="status" title={`Imported from ${formatNames[format]}: ${counts.join(", ")}`}>
        {isNewApi && <>The API {apiName} was registered with a document made from the requests. </>}
        {changedTests + changedCircles.length > 0 && (
          <>
            Changed as in the files: {plural(changedTests, "test")}, {plural(changedCircles.length, "circle")}.{" "}
          </>
        )}
        {existing > 0 && <>There already, and left as it was: {plural(existing, "test")}.</>}
      </Notice>
      <Row>
        <LinkButton href={href("/test-management/:apiId/tests", { apiId })} variant="primary">
          Tests of {apiName}
        </LinkButton>
        {isNewApi && (
          <LinkButton href={href("/api-management/:apiId/details", { apiId })}>Details of {apiName}</LinkButton>
        )}
      </Row>
      {circles.length > 0 && (
        <Card title="Circles">
          <ul>
            {circles.map(({ id, name }) => (
              <li key={id}>
                <a href={href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId: id })}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {tests.length > 0 && (
        <Card title="Tests">
          <ul>
            {tests.map(({ id, name, method, path }) => (
              <li key={id}>
                <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>{" "}
                <OperationName method={method} path={path} />
              </li>
            ))}
          </ul>
          {testCount > tests.length && (
            <p>{(testCount - tests.length).toLocaleString("en")} more are not listed here.</p>
          )}
        </Card>
      )}
      {environments.length > 0 && (
        <Card title="Environments">
          <p>
            {environments.join(", ")}: see{" "}
            <a href={href("/api-management/:apiId/details/environments", { apiId })}>environments of {apiName}</a>.
          </p>
        </Card>
      )}
      {credentials.length > 0 && (
        <Card title="Credentials">
          <ul>
            {credentials.map(({ id, name, domain }) => (
              <li key={id}>
                <a href={href("/administration/credentials/:credentialId/edit", { credentialId: id })}>{name}</a> (
                {domain})
              </li>
            ))}
          </ul>
        </Card>
      )}
      {lossCount > 0 && (
        <Card title={`${lossCount.toLocaleString("en")} not carried over`} flush>
          <LossTable losses={losses} count={lossCount} />
        </Card>
      )}
    </Stack>
  );
}
