import { formatNames } from "#contracts/test-registry/import-formats.ts";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { EnvironmentChoices } from "./environment-choices";
import { formatOptions } from "./format-options";
import type { ImportReview } from "./import-reply";
import { LossTable } from "./loss-table";
import { RequestTable } from "./request-table";

interface Props {
  apiId: string | undefined;
  review: ImportReview;
  apiName: string;
}

/** What an import would create and lose, with the choices that change it. */
export function ImportReviewForm({ apiId, review, apiName }: Props) {
  const { counts, circles, credentials, losses, lossCount, draft, key, name } = review;
  const mayImport = counts.new + counts.changed + counts.unchanged + counts.edited + counts.exists > 0;
  return (
    <form method="post" encType="multipart/form-data">
      <input type="hidden" name="draft" value={draft} />
      <input type="hidden" name="key" value={key} />
      <Stack gap="huge">
        <Notice
          tone={mayImport ? "info" : "warning"}
          role="status"
          title={`${name}: read as ${formatNames[review.format]}`}
        >
          {apiId === undefined && review.api && (
            <>{review.api.name} was made from this collection before, and gets what changed. </>
          )}
          {summarize(review)}
        </Notice>
        {credentials.length > 0 && (
          <Notice tone="info" title="Secrets become credentials, never parts of tests">
            <ul>
              {credentials.map((credential) => (
                <li key={credential.name}>
                  {credential.name}, sent by {plural(credential.tests, "test")}
                  {!credential.isNew && ", stored before"}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {review.secretApiVariables.length > 0 && (
          <Notice tone="info" title="Secret variables of the files become secret variables of the API">
            {review.secretApiVariables.join(", ")}
          </Notice>
        )}
        {review.secretVariables.length > 0 && (
          <Notice tone="info" title="Secrets in bodies become secret variables of the circles">
            {review.secretVariables.join(", ")}
          </Notice>
        )}
        <Card title={plural(counts.all, "request")} flush>
          <RequestTable requests={review.requests} total={counts.all} />
        </Card>
        {review.apiEnvironments.length > 0 && <EnvironmentChoices environments={review.apiEnvironments} />}
        {circles.length > 0 && <CircleChoices review={review} />}
        {lossCount > 0 && (
          <Card title={`${lossCount.toLocaleString("en")} not carried over`} description="Everything else is." flush>
            <LossTable losses={losses} count={lossCount} />
          </Card>
        )}
        <Choices apiId={apiId} review={review} apiName={apiName} />
        <Row>
          <Button name="intent" value="import" variant="primary" disabled={!mayImport}>
            Import
          </Button>
          <Button name="intent" value="review">
            Review again
          </Button>
        </Row>
      </Stack>
    </form>
  );
}

function summarize({ counts, circles, variables }: ImportReview): string {
  const count = (state: ImportReview["circles"][number]["state"]) =>
    circles.filter((circle) => circle.state === state).length;
  const parts = [
    `${plural(counts.new, "test")} and ${plural(count("new"), "circle")} will be created.`,
    counts.changed + count("changed") > 0 &&
      `${plural(counts.changed, "test")} and ${plural(count("changed"), "circle")} that came from this collection before will be changed.`,
    counts.unchanged + count("unchanged") > 0 &&
      `Unchanged since the last import: ${plural(counts.unchanged, "test")} and ${plural(count("unchanged"), "circle")}.`,
    counts.edited + count("edited") > 0 &&
      `Changed in the files and in the portal, and left as the portal has it: ${plural(counts.edited, "test")} and ${plural(count("edited"), "circle")}.`,
    counts.exists > 0 &&
      `There already, and left as it is: ${plural(counts.exists, "test")} of the same operation and name.`,
    counts.unmatched > 0 && `Of no operation of the API, and left out: ${plural(counts.unmatched, "request")}.`,
    counts.unusable > 0 && `Not possible as a test: ${plural(counts.unusable, "request")}.`,
    variables.length > 0 &&
      `All environments of the API get ${plural(variables.length, "variable")}: ${variables.slice(0, 20).join(", ")}.`,
  ];
  return parts.filter(Boolean).join(" ");
}

const circleStates: Record<ImportReview["circles"][number]["state"], string> = {
  new: "",
  changed: ", changed",
  unchanged: ", unchanged",
  edited: ", edited here and left as it is",
};

function CircleChoices({ review: { circles } }: { review: ImportReview }) {
  return (
    <Card title="Circles" description="Tests of a folder or workflow, run in their order.">
      <Stack gap="small">
        {circles.map(({ id, name, members, state }) => (
          <div key={id}>
            <input type="hidden" name="known" value={id} />
            <Checkbox
              id={id.replace(" ", "-")}
              name="take"
              value={id}
              defaultChecked
              label={`${name} (${plural(members, "test")}${circleStates[state]})`}
            />
          </div>
        ))}
      </Stack>
    </Card>
  );
}

function Choices({ apiId, review, apiName }: Props) {
  const { choices, environments, format } = review;
  return (
    <Column width="form">
      <Card title="Choices" description="Press “Review again” to see what they change.">
        <Stack gap="large">
          {apiId === undefined && (
            <TextField
              id="apiName"
              name="apiName"
              label="Name of the new API"
              required={false}
              placeholder={review.name}
              defaultValue={apiName}
              hint="It is registered with a document made from the requests. With the name that an earlier import of them had, it is that API."
            />
          )}
          <Checkbox
            id="unmatched"
            name="unmatched"
            label="Also import requests that belong to no operation"
            hint="Their tests have a path of their own."
            defaultChecked={choices.unmatched}
          />
          <Checkbox
            id="toApi"
            name="toApi"
            label="Send all tests to the API's base URL"
            hint="Otherwise a request to another host keeps it. Secrets are stored for the host in the file alone."
            defaultChecked={choices.toApi}
          />
          <Checkbox id="circles" name="circles" label="Create circles" defaultChecked={choices.circles} />
          {environments.length > 1 && (
            <Select
              id="environment"
              name="environment"
              label="Environment of new circles"
              hint="Requests are matched to operations with its values."
              options={environments.map((value) => ({ value, label: value }))}
              defaultValue={choices.environment}
            />
          )}
          <Select
            id="format"
            name="format"
            label="Format"
            options={formatOptions}
            defaultValue={choices.format || format}
          />
        </Stack>
      </Card>
    </Column>
  );
}
