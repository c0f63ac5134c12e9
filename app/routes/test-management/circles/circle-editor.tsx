import { getFormProps, useForm } from "@conform-to/react";
import { RunKey } from "~/features/runs/run-key";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { CaptureFlow } from "./capture-flow";
import { type CircleFormFields, NameFields, VariableFields, WayFields } from "./circle-fields";
import type { CircleResult, DescribedDraft } from "./circle-form.server";
import { MemberList } from "./member-list";
import { TestFinder } from "./test-finder";

export interface CircleEditorProps {
  /** Initial values; submitted values replace them. */
  first: CircleFormFields;
  described: DescribedDraft;
  result: CircleResult | undefined;
  saveLabel: string;
  cancelHref: string;
  runKey: string;
  mayWrite: boolean;
  /** Whether the user may choose where a secret is read. */
  mayRefer: boolean;
  /** The version that is replaced, which detects concurrent changes. */
  version?: number;
}

/** The form of a circle, new or stored. The server handles every button with the complete input. */
export function CircleEditor(props: CircleEditorProps) {
  const { first, result, saveLabel, cancelHref, runKey, mayWrite, mayRefer, version } = props;
  const stored = useSavedResult();
  const described = result?.described ?? props.described;
  const [form, fields] = useForm<CircleFormFields>({
    id: "circle",
    lastResult: result?.result ?? stored,
    defaultValue: first,
  });
  const storedSecrets = first.secrets.flatMap(({ name, from }) => (from === "here" ? [name] : []));
  return (
    <form method="post" {...getFormProps(form)}>
      <DefaultSubmit name="intent" value="save" />
      <RunKey value={runKey} />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <fieldset disabled={!mayWrite}>
        <Stack gap="huge">
          {!mayWrite && <Notice title="You can view this circle, but not change it" />}
          <FormErrorSummary form={form} />
          {result?.asksAnyway && <MissingNames missing={described.inspection.missing} />}
          <NameFields fields={fields} />
          <MemberList described={described} errors={form.allErrors} />
          <CaptureFlow inspection={described.inspection} />
          {mayWrite && <TestFinder described={described} />}
          <WayFields {...{ fields, described }} />
          <VariableFields {...{ form, fields, storedSecrets, mayRefer }} />
          {mayWrite && (
            <Row>
              <Button variant="primary" name="intent" value="save">
                {saveLabel}
              </Button>
              <Button formNoValidate name="intent" value="check">
                Check
              </Button>
              <LinkButton href={cancelHref} variant="quiet">
                Cancel
              </LinkButton>
            </Row>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}

function MissingNames({ missing }: { missing: DescribedDraft["inspection"]["missing"] }) {
  return (
    <Notice
      role="alert"
      tone="warning"
      title="Not saved yet: some values are missing"
      actions={
        <Button name="intent" value="save-anyway" size="small">
          Save anyway
        </Button>
      }
    >
      <ul>
        {missing.map(({ name, usedBy, capturedBy }) => (
          <li key={name}>
            <code>{`{{${name}}}`}</code> is used by {usedBy.length === 1 ? "test" : "tests"} {usedBy.join(", ")}
            {capturedBy === null
              ? ", but no earlier test captures it. Add one that does, or a variable with this name."
              : `; test ${capturedBy} captures it too late. Move it before them, or to set-up.`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
