import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { missedId, TestNotices } from "~/features/notices/test-notices";
import { readRequestUpload } from "~/features/request-files/uploads.server";
import { executionAddress } from "~/features/runs/execution-address";
import { newRunKey } from "~/features/runs/start-run.server";
import { answerEditor } from "~/features/test-editor/editor-action.server";
import { loadEditorContext } from "~/features/test-editor/editor-context.server";
import { resolveAddress } from "~/features/test-editor/sending.server";
import { valuesOfTest } from "~/features/test-editor/values-of-test";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getStatus } from "~/features/verdict/verdict-words";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { Island } from "~/islands/island";
import { TestEditor } from "~/islands/test-editor/test-editor";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ConflictNotice } from "./conflict-notice";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => titleWithin(matches, data?.test.name ?? "Test");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const testId = params.testId!;
  const { testRegistry, testExecutioner } = viewer.backend;
  const [test, latest, notices, managed] = await Promise.all([
    testRegistry.getTest({ params: { testId } }).then(required),
    testExecutioner.listLatestExecutions({ query: { testIds: testId } }).then(available),
    testExecutioner.getTestNotices({ params: { testId } }).then(available),
    findManaged(viewer, "test", testId),
  ]);
  const { apiId, method, path } = test;
  if (apiId !== params.apiId) throw new Response(null, { status: 404 });
  const operation = { method, path };
  const editorContext = await loadEditorContext(viewer, apiId, operation);
  const address = await resolveAddress({ viewer, apiId, operation }, test, editorContext.environment);
  return {
    test: { id: test.id, name: test.name },
    last: latest?.items[0],
    notices,
    managed,
    version: test.version,
    editor: {
      context: editorContext,
      values: valuesOfTest(test),
      address,
      version: test.version,
      cancelHref: href("/test-management/:apiId/tests", { apiId }),
      sendAddress: href("/test-management/:apiId/tests/send", { apiId }, operation),
      schemaAddress: href("/test-management/:apiId/tests/body-schema", { apiId }, operation),
      mayWrite: viewer.may("tests:write"),
      mayRun: viewer.may("tests:run"),
      runKey: newRunKey(),
    },
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const testId = params.testId!;
  const upload = await readRequestUpload(request);
  const test = required(await viewer.backend.testRegistry.getTest({ params: { testId } }));
  if (test.apiId !== params.apiId) throw new Response(null, { status: 404 });
  if (upload.form.get("intent") === "delete") {
    required(await viewer.backend.testRegistry.deleteTest({ params: { testId } }));
    return redirectWithToast(
      context,
      href("/test-management/:apiId/tests", { apiId: test.apiId }),
      `${test.name} was deleted.`,
    );
  }
  const operation = { method: test.method, path: test.path };
  return await answerEditor(upload, { viewer, context, apiId: test.apiId, operation, testId });
}

export default function EditTest() {
  const { test, last, notices, managed, version: storedVersion, editor } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const reply = useActionData<typeof action>() ?? (stored && { lastResult: stored });
  // A change saved while the user signed in again is not overwritten without confirmation.
  const version = Number(stored?.initialValue?.version ?? editor.version);
  const { apiId, operation } = editor.context;
  const location = { apiId, testId: test.id };
  return (
    <>
      <PageHeading
        title={test.name}
        mark={
          last && (
            <a href={executionAddress({ ...location, executionId: last.executionId })}>
              <VerdictBadge status={getStatus(last)} />
            </a>
          )
        }
        description={operation.summary === test.name ? undefined : operation.summary}
        actions={
          <>
            <LinkButton href={href("/test-management/:apiId/export", { apiId }, { testId: test.id })} icon="download">
              Export
            </LinkButton>
            <LinkButton href={href("/test-management/:apiId/tests/:testId/executions/list", location)} icon="clock">
              Executions
            </LinkButton>
          </>
        }
      />
      {!operation.documented && (
        <Notice tone="warning" title="The API's document no longer has this operation">
          The test can still be run and edited. Checks against the document are skipped.
        </Notice>
      )}
      <ManagedNote managed={managed} />
      {!editor.mayWrite && <Notice title="You can view this test, but not change it" />}
      {reply?.conflict && (
        <ConflictNotice
          conflict={reply.conflict}
          theirsHref={href("/test-management/:apiId/tests/:testId/edit", location)}
        />
      )}
      <TestNotices
        apiId={apiId}
        notices={notices}
        version={storedVersion}
        mayWrite={editor.mayWrite}
        returnTo={`${href("/test-management/:apiId/tests/:testId/edit", location)}#${missedId}`}
      />
      <Island name="test-editor" component={TestEditor} props={{ ...editor, version, reply: reply ?? undefined }} />
      {reply?.asksToDelete && (
        <Dialog
          title={`Delete ${test.name}?`}
          message="The test and its executions are deleted. This can't be undone."
          actions={[{ name: "Delete test", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
