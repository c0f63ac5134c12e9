import { FormProvider, FormStateInput, getFormProps } from "@conform-to/react";
import { RunKey } from "~/features/runs/run-key";
import { writeTrial } from "~/features/test-editor/carried-trial";
import type { EditorProps } from "~/features/test-editor/editor-props";
import { ResponsePanel } from "~/features/test-editor/response/response-panel";
import { AddressSection } from "~/features/test-editor/sections/address-section";
import { AssertionsSection } from "~/features/test-editor/sections/assertions-section";
import { AuthorizationSection } from "~/features/test-editor/sections/authorization-section";
import { BasicsSection } from "~/features/test-editor/sections/basics-section";
import { BodySection } from "~/features/test-editor/sections/body-section";
import { CapturesSection } from "~/features/test-editor/sections/captures-section";
import { ChecksSection } from "~/features/test-editor/sections/checks-section";
import { CurlPanel } from "~/features/test-editor/sections/curl-panel";
import { DataSection } from "~/features/test-editor/sections/data-section";
import { JustChanged, OpenSections } from "~/features/test-editor/sections/editor-form";
import { HeadersSection, ParametersSection } from "~/features/test-editor/sections/parameters-section";
import { RunningSection } from "~/features/test-editor/sections/running-section";
import { CredentialTarget } from "~/features/test-editor/sections/secret-note";
import { WaitingSection } from "~/features/test-editor/sections/waiting-section";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { DefaultSubmit } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { EditorActions } from "./editor-actions.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { RequestLine } from "./request-line.tsx";
import * as styles from "./test-editor.css";
import { useAddress } from "./use-address.ts";
import { useEditorForm } from "./use-editor-form.ts";
import { useJsonEditor } from "./use-json-editor.ts";
import { useOpenSections } from "./use-open-sections.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useUnsavedGuard } from "./use-unsaved-guard.ts";

/**
 * The whole editor. Without script every button posts the form and the page returns with all typed values; with script
 * rows change in place, sending stays on the page, and the JSON body gets an editor with schema support.
 */
export function TestEditor(props: EditorProps) {
  const { context, version, mayWrite, mayRun, cancelHref, sendAddress, schemaAddress, reply } = props;
  const { form, formElement, onSubmit, trial, sending, statusMessage, justChanged } = useEditorForm(props);
  const address = useAddress(formElement, sendAddress, reply ? reply.address : props.address);
  const guard = useUnsavedGuard(formElement, Boolean(reply));
  useJsonEditor(formElement, form.getFieldset().request.getFieldset().body.getFieldset().kind.value, schemaAddress);
  useOpenSections(formElement);
  const modifier = useShortcuts(formElement);
  const { operation } = context;
  const ownBaseUrl = form.getFieldset().request.getFieldset().baseUrl.value;
  const credentialTarget = context.mayStore ? ownBaseUrl || context.baseUrl || "" : undefined;
  const answered = reply?.lastResult.status === "success" && reply.trial !== undefined;
  return (
    <FormProvider context={form.context}>
      <JustChanged.Provider value={justChanged}>
        <OpenSections.Provider value={reply?.sections}>
          <form
            method="post"
            encType="multipart/form-data"
            {...getFormProps(form)}
            onSubmit={onSubmit}
            ref={formElement}
            className={styles.form}
          >
            <DefaultSubmit name="then" value="save" />
            <FormErrorSummary form={form} />
            <FormStateInput />
            {version !== undefined && <input type="hidden" name="version" value={version} />}
            <RunKey value={props.runKey} />
            <input type="hidden" name="trial" value={writeTrial(trial)} />
            <input type="hidden" name="sections" defaultValue={reply?.sections} />
            <div className={styles.line}>
              <RequestLine context={context} address={address} />
              {mayWrite && (
                <EditorActions
                  {...{ mayRun, sending, cancelHref, modifier }}
                  answered={Boolean(trial)}
                  stored={version !== undefined}
                />
              )}
            </div>
            <div className={styles.sides}>
              <fieldset disabled={!mayWrite} className={styles.fields}>
                <CredentialTarget.Provider value={credentialTarget}>
                  <Stack gap="small">
                    <BasicsSection form={form} />
                    {mayWrite && <CurlPanel answer={reply?.curl} />}
                    <AddressSection form={form} context={context} />
                    <ParametersSection form={form} operation={operation} />
                    <HeadersSection form={form} operation={operation} />
                    <BodySection form={form} operation={operation} />
                    <AuthorizationSection form={form} context={context} />
                    <AssertionsSection form={form} />
                    <ChecksSection form={form} />
                    <CapturesSection form={form} />
                    <DataSection form={form} />
                    <WaitingSection form={form} />
                    <RunningSection form={form} context={context} />
                  </Stack>
                </CredentialTarget.Provider>
              </fieldset>
              <div className={styles.response}>
                <ResponsePanel form={form} trial={trial} takesFocus={answered} />
              </div>
            </div>
          </form>
          <VisuallyHidden role="status">{statusMessage}</VisuallyHidden>
          {guard.leaving && <LeaveDialog href={guard.leaving} onStay={guard.stay} onLeave={guard.leave} />}
        </OpenSections.Provider>
      </JustChanged.Provider>
    </FormProvider>
  );
}
