import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { SuggestedFields, Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { testInput } from "#contracts/test-registry/tests.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { whatIsAway } from "~/backend/parts";
import { available, isAway } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { readRequestUpload } from "~/features/request-files/uploads.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { answerEditor } from "~/features/test-editor/editor-action.server";
import { loadEditorContext } from "~/features/test-editor/editor-context.server";
import { resolveAddress } from "~/features/test-editor/sending.server";
import { valuesOfTest } from "~/features/test-editor/values-of-test";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { Island } from "~/islands/island";
import { TestEditor } from "~/islands/test-editor/test-editor";
import { requireViewer, type Viewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { plural } from "~/ui/count/plural";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { operationOfAddress } from "./operation-address";

export const meta: MetaFunction = ({ matches }) => [{ title: `New test of ${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const operation = requireOperation(request);
  const fields: SuggestedFields = new URL(request.url).searchParams.get("fields") === "all" ? "all" : "required";
  const [editorContext, start, quota] = await Promise.all([
    loadEditorContext(viewer, apiId, operation),
    suggestStart(viewer, apiId, operation, fields),
    findQuota(viewer, "tests"),
  ]);
  const address = await resolveAddress({ viewer, apiId, operation }, start.test, editorContext.environment);
  return {
    quota,
    reason: start.reason,
    fields,
    leftOut: start.leftOut,
    otherFields: listAddress(request.url, { fields: fields === "all" ? undefined : "all" }),
    gaps: [...start.values.map(valueInWords), ...start.gaps],
    editor: {
      context: editorContext,
      values: valuesOfStart(start),
      address,
      cancelHref: href("/test-management/:apiId/tests", { apiId }),
      sendAddress: href("/test-management/:apiId/tests/send", { apiId }, { ...operation }),
      schemaAddress: href("/test-management/:apiId/tests/body-schema", { apiId }, { ...operation }),
      mayWrite: true,
      mayRun: viewer.may("tests:run"),
      runKey: newRunKey(),
    },
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const upload = await readRequestUpload(request);
  return await answerEditor(upload, { viewer, context, apiId: params.apiId!, operation: requireOperation(request) });
}

function requireOperation(request: Request): OperationKey {
  const operation = operationOfAddress(request.url);
  if (!operation) throw new Response(null, { status: 404 });
  return operation;
}

/** A valid call generated from the document; an empty test where that is impossible. */
async function suggestStart({ backend }: Viewer, apiId: string, operation: OperationKey, fields: SuggestedFields) {
  const body = { operations: [operation], fields };
  const result = await backend.testAnalyzer.suggestTests({ params: { apiId }, body });
  const made = result.ok || result.status !== 404 ? available(result)?.items[0] : undefined;
  const why =
    !result.ok && isAway(result) ? whatIsAway(["test-analyzer"]) : "Nothing could be generated from the document";
  if (made) return { ...made, test: { ...made.test, ...operation } };
  const name = shorten(`${operation.method.toUpperCase()} ${operation.path}`, 300);
  return {
    reason: `${why}, so this starts empty.`,
    values: [],
    gaps: [],
    leftOut: 0,
    file: undefined,
    test: testInput.parse({ ...operation, name, request: {}, checks: ["not_a_server_error"] }),
  };
}

/** The form of a suggestion; a body that has to be a file asks for one. */
function valuesOfStart({ test, file }: Pick<Suggestion, "test" | "file">) {
  const values = valuesOfTest(test);
  if (file) values.request.body = { ...values.request.body, kind: "file", fileMediaType: file.mediaType };
  return values;
}

/** No server would know a generated value. */
function valueInWords({ name, parameter }: Suggestion["values"][number]) {
  const message = `${parameter}: write a value, or leave {{${name}}} and give it one for all tests of the API`;
  return { path: name, message };
}

interface FieldsProps {
  fields: SuggestedFields;
  /** Optional parameters that the test does not send. */
  leftOut: number;
  /** The page with the other suggestion. */
  otherFields: string;
}

/** Which of the two suggestions is displayed, and a link to the other. */
function Fields({ fields, leftOut, otherFields }: FieldsProps) {
  if (fields === "all") {
    return (
      <p>
        All fields are filled in. <a href={otherFields}>Start with the required fields</a>
      </p>
    );
  }
  if (leftOut === 0) return null;
  return (
    <p>
      Required fields are filled in. <a href={otherFields}>Start with all fields</a>, {plural(leftOut, "optional one")}{" "}
      too.
    </p>
  );
}

export default function CreateTest() {
  const { reason, gaps, editor, quota, ...start } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const reply = useActionData<typeof action>() ?? (stored && { lastResult: stored });
  const { operation } = editor.context;
  return (
    <>
      <PageHeading title="New test" description={operation.summary} />
      <PlanQuota quota={quota} />
      {!reply && (
        <Notice tone="info" title={reason}>
          <Fields {...start} />
          {gaps.length > 0 && (
            <>
              <p>Some values could not be found in the document. Enter them before you save:</p>
              <ul>
                {gaps.map(({ path, message }) => (
                  <li key={`${path} ${message}`}>{message}</li>
                ))}
              </ul>
            </>
          )}
        </Notice>
      )}
      <Island name="test-editor" component={TestEditor} props={{ ...editor, reply: reply ?? undefined }} />
    </>
  );
}
