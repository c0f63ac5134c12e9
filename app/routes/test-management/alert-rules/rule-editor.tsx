import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { ManagedNote } from "~/features/code/managed-note";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import type { LoadedRule } from "./rule.server";
import { RuleFields } from "./rule-fields";
import type { RuleFormFields } from "./rule-form";

export interface RuleEditorProps {
  rule: LoadedRule;
  result: SubmissionResult | undefined;
  /** What the rule is about, such as "a test of Example shop". */
  subject: string;
  /** The rule's page. */
  here: string;
  /** The label for deleting it, e.g. "Use the organization's rule again", and the rule that applies afterwards. */
  deleting: { name: string; message: string };
}

/** The form of a scope's own rule, stored or new. */
export function RuleEditor({ rule, result, subject, here, deleting }: RuleEditorProps) {
  const { own, managed, first, channels, madeId, mayWrite, asksToDelete } = rule;
  const stored = useSavedResult();
  const [form, fields] = useForm<RuleFormFields>({
    id: "rule",
    lastResult: result ?? stored,
    defaultValue: first,
  });
  // A change saved while the user signed in again is not overwritten without confirmation.
  const version = stored?.initialValue?.version ?? own?.version;
  const identity = own && { ruleId: own.id, version: String(version) };
  return (
    <Column width="form">
      <ManagedNote managed={managed} />
      <form method="post" action={here} {...getFormProps(form)}>
        <DefaultSubmit name="intent" value="save" />
        {Object.entries(identity ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <fieldset disabled={!mayWrite}>
          <Stack gap="huge">
            {!mayWrite && <Notice title="You can view this rule, but not change it" />}
            <FormErrorSummary form={form} />
            <RuleFields {...{ form, fields, subject, channels }} madeId={result ? undefined : madeId} />
            {mayWrite && (
              <Row>
                <Button variant="primary" name="intent" value="save">
                  {own ? "Save" : "Create rule"}
                </Button>
                {own && (
                  <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
                    {deleting.name}
                  </LinkButton>
                )}
              </Row>
            )}
          </Stack>
        </fieldset>
      </form>
      {asksToDelete && own && mayWrite && (
        <Dialog
          title={`${deleting.name}?`}
          message={`${deleting.message} Open incidents stay open.`}
          cancelHref={here}
          action={here}
          fields={{ ruleId: own.id, version: String(own.version) }}
          actions={[{ name: "Delete this rule", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </Column>
  );
}
