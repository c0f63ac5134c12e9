import { FormProvider, FormStateInput, getFormProps } from "@conform-to/react";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { RunKey } from "~/runs/run-key";
import { writeTrial } from "~/test-editor/carried-trial";
import type { EditorProps } from "~/test-editor/editor-props";
import { ResponsePanel } from "~/test-editor/response/response-panel";
import { AssertionsSection } from "~/test-editor/sections/assertions-section";
import { AuthorizationSection } from "~/test-editor/sections/authorization-section";
import { BasicsSection } from "~/test-editor/sections/basics-section";
import { BodySection } from "~/test-editor/sections/body-section";
import { CapturesSection } from "~/test-editor/sections/captures-section";
import { ChecksSection } from "~/test-editor/sections/checks-section";
import { DataSection } from "~/test-editor/sections/data-section";
import { JustChanged } from "~/test-editor/sections/editor-form";
import { RequestSection } from "~/test-editor/sections/request-section";
import { RunningSection } from "~/test-editor/sections/running-section";
import { DefaultSubmit } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { EditorActions } from "./editor-actions.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import * as styles from "./test-editor.css";
import { useEditorForm } from "./use-editor-form.ts";
import { useJsonEditor } from "./use-json-editor.ts";
import { useUnsavedGuard } from "./use-unsaved-guard.ts";

/**
 * The whole editor. Without script every button goes to the server and the page comes back with everything typed; with it rows
 * change in place, sending stays on the page, and the JSON body gets an editor that knows the schema.
 */
export function TestEditor(props: EditorProps) {
  const { context, version, mayWrite, mayRun, cancelHref, schemaAddress, reply } = props;
  const { form, formElement, onSubmit, trial, sending, statusMessage, justChanged } = useEditorForm(props);
  const guard = useUnsavedGuard(formElement, Boolean(reply));
  useJsonEditor(formElement, form.getFieldset().request.getFieldset().body.getFieldset().kind.value, schemaAddress);
  const answered = reply?.lastResult.status === "success" && reply.trial !== undefined;
  return (
    <FormProvider context={form.context}>
      <JustChanged.Provider value={justChanged}>
        <div className={styles.sides}>
          <form method="post" {...getFormProps(form)} onSubmit={onSubmit} ref={formElement} className={styles.form}>
            <DefaultSubmit name="then" value="save" />
            <FormErrorSummary form={form} />
            <FormStateInput />
            {version !== undefined && <input type="hidden" name="version" value={version} />}
            <RunKey value={props.runKey} />
            <input type="hidden" name="trial" value={writeTrial(trial)} />
            <fieldset disabled={!mayWrite}>
              <Stack gap="large">
                <BasicsSection form={form} />
                <RequestSection form={form} context={context} />
                <BodySection form={form} operation={context.operation} />
                <AuthorizationSection form={form} context={context} />
                <AssertionsSection form={form} />
                <ChecksSection form={form} />
                <CapturesSection form={form} />
                <DataSection form={form} />
                <RunningSection form={form} />
              </Stack>
            </fieldset>
            {mayWrite && (
              <EditorActions
                {...{ mayRun, sending, cancelHref }}
                answered={Boolean(trial)}
                stored={version !== undefined}
              />
            )}
          </form>
          <div className={styles.response}>
            <ResponsePanel form={form} trial={trial} takesFocus={answered} />
          </div>
        </div>
        <VisuallyHidden role="status">{statusMessage}</VisuallyHidden>
        {guard.leaving && <LeaveDialog href={guard.leaving} onStay={guard.stay} onLeave={guard.leave} />}
      </JustChanged.Provider>
    </FormProvider>
  );
}
