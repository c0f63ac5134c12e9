import { OperationName } from "~/features/operation/operation-name";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Row, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { finderFields, includeField, pickedField, selectionFields } from "./circle-draft";
import type { DescribedDraft } from "./circle-form.server";
import * as styles from "./test-finder.css";

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

/** Finds tests of all APIs, and adds the selected ones, or all current and future tests of an API. */
export function TestFinder({ described }: { described: DescribedDraft }) {
  const { draft, apis, moreApis, found } = described;
  const { finder } = draft;
  const api = apis.find(({ id }) => id === finder.apiId);
  return (
    <Card id="find" tabIndex={-1} title="Add tests">
      <Stack gap="large">
        <Row justify="end" className={styles.filters}>
          <Select
            label="API"
            name={finderFields.apiId}
            defaultValue={finder.apiId}
            placeholder="All APIs"
            hint={moreApis ? "The first 200 by name." : undefined}
            options={apis.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextField label="Name or path" name={finderFields.query} defaultValue={finder.query} />
          <TextField label="Tag" name={finderFields.tag} defaultValue={finder.tag} width="short" />
          <Select
            label="Method"
            name={finderFields.method}
            defaultValue={finder.method}
            placeholder="Any"
            width="short"
            options={methods.map((value) => ({ value, label: value.toUpperCase() }))}
          />
          <Button formNoValidate name="intent" value="find" icon="search">
            Find
          </Button>
        </Row>
        <FoundTests {...{ found, apis, draft }} />
        {api && (
          <Disclosure summary={`Add all tests of ${api.name}, including future ones`}>
            <Stack gap="medium">
              <p>
                Each run uses the tests enabled at that time
                {finder.tag ? ` with the tag ${finder.tag}` : ""}, by name, except those added one by one.
              </p>
              <input type="hidden" name={selectionFields.apiId} value={api.id} />
              <input type="hidden" name={selectionFields.tag} value={finder.tag} />
              <Row>
                <Select
                  label="Which tests"
                  labelHidden
                  name={includeField}
                  defaultValue="safe"
                  options={[
                    { value: "safe", label: "Only safe ones (GET, HEAD, OPTIONS, TRACE)" },
                    { value: "all", label: "All, including those that may change data" },
                  ]}
                />
                <Button formNoValidate name="intent" value="add-selection" icon="plus">
                  {finder.tag ? `Add all with the tag ${finder.tag}` : "Add all"}
                </Button>
              </Row>
            </Stack>
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

function FoundTests({ found, apis, draft }: Pick<DescribedDraft, "found" | "apis" | "draft">) {
  if (!found) return <p>Tests can't be listed right now. Your input is kept: try the search again.</p>;
  if (found.tests.length === 0) return <p>No matching tests.</p>;
  const members = new Set(draft.members.flatMap((member) => (member.kind === "test" ? [member.testId] : [])));
  return (
    <>
      <fieldset className={styles.found}>
        <legend className={styles.legend}>
          {found.more && found.total !== undefined
            ? `The first ${found.tests.length} of ${plural(found.total, "test")}. Narrow the filters to see others`
            : plural(found.tests.length, "test")}
        </legend>
        {found.tests.map(({ id, apiId, name, method, path, enabled }) => (
          <Checkbox
            key={id}
            name={pickedField}
            id={`pick-${id}`}
            value={id}
            label={
              <Row gap="tiny">
                {name}
                {members.has(id) && <Badge icon="check">In the circle</Badge>}
                {!enabled && <Badge icon="pause">Disabled</Badge>}
              </Row>
            }
            hint={
              <Row gap="small">
                <OperationName method={method} path={path} />
                {draft.finder.apiId === "" && <span>{apis.find((api) => api.id === apiId)?.name}</span>}
              </Row>
            }
          />
        ))}
      </fieldset>
      <Row>
        <Button formNoValidate name="intent" value="add" icon="plus">
          Add selected tests
        </Button>
      </Row>
    </>
  );
}
