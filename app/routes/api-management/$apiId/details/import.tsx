import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { required } from "~/backend/responses";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { documentSourceFields, requireSource } from "../../document-source";
import {
  inspectSource,
  keepRejected,
  readDocumentForm,
  refusalForForm,
  type StagedFiles,
  sourceInput,
  tooLarge,
} from "../../document-source.server";
import { DocumentSourceFields } from "../../document-source-fields";
import { InspectionReport } from "../../inspection-report";
import { listBrokenTests } from "./alerting-rules";
import { ChangeReview } from "./change-review";
import { cutReview, type ReviewedChanges } from "./reviewed-changes";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Import a new version of ${getApiName(matches)} · API Assurance` },
];

const importInput = documentSourceFields.superRefine(requireSource);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const documents = required(
    await viewer.backend.apiRegistry.listDocuments({ params: { apiId: params.apiId! }, query: { limit: 1 } }),
  );
  return { apiId: params.apiId!, url: documents.items[0]?.sourceUrl ?? "" };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiRegistry } = viewer.backend;
  const path = { apiId: params.apiId! };
  const form = await readDocumentForm(request);
  if (!form) {
    const refused = rejected(parseWithZod(new FormData(), { schema: z.object({}) }), tooLarge);
    return data({ result: refused.data }, refused.init ?? undefined);
  }
  const submission = parseWithZod(form, { schema: importInput });
  if (submission.status !== "success") {
    const refused = rejected(submission);
    return data({ result: refused.data, staged: await keepRejected(viewer, form) }, refused.init ?? undefined);
  }

  const fields = submission.value;
  if (form.get("intent") !== "import") {
    const { inspected, kept } = await inspectSource(viewer, fields);
    const compared =
      inspected.ok && inspected.value.usable
        ? await apiRegistry.compareDocument({ params: path, ...sourceInput(fields) })
        : undefined;
    if (inspected.ok && compared?.ok !== false) {
      const comparison = compared?.value;
      const isBroken = comparison && listBrokenTests([...comparison.changed, ...comparison.removed]).length > 0;
      const listed = isBroken ? await viewer.backend.testAnalyzer.listRules({ query: { limit: 200 } }) : undefined;
      const rules = listed?.ok ? listed.value.items : undefined;
      const changes = comparison && cutReview(comparison, path.apiId, rules);
      return data({ result: submission.reply(), staged: kept, inspection: inspected.value, changes });
    }
    const problem = inspected.ok ? compared && !compared.ok && compared.problem : inspected.problem;
    const refused = rejected(
      submission,
      refusalForForm(problem as NonNullable<Exclude<typeof problem, false>>, fields),
    );
    return data({ result: refused.data, staged: kept }, refused.init ?? undefined);
  }

  const imported = await apiRegistry.importDocument({ params: path, ...sourceInput(fields) });
  if (!imported.ok) {
    const looked = imported.status === 422 ? await inspectSource(viewer, fields) : undefined;
    const inspection = looked?.inspected.ok && !looked.inspected.value.usable ? looked.inspected.value : undefined;
    const refused = rejected(submission, refusalForForm(imported.problem, fields));
    return data({ result: refused.data, staged: looked?.kept, inspection }, refused.init ?? undefined);
  }
  const { version, operationCount } = imported.value;
  return redirectWithToast(
    context,
    href("/api-management/:apiId/details", { apiId: params.apiId! }),
    `Version ${version} is imported with ${plural(operationCount, "operation")}.`,
  );
}

export default function ImportDocument() {
  const { apiId, url } = useLoaderData<typeof loader>();
  const kept = useSavedResult();
  const result = useActionData<typeof action>() as Result | undefined;
  const [form, fields] = useForm<z.input<typeof importInput>>({
    id: "import",
    lastResult: result?.result ?? kept,
    defaultValue: { way: url ? "url" : "file", url },
  });
  const reviewed = result?.inspection?.usable ?? false;
  return (
    <>
      <PageHeading
        title="Import a new version"
        description="The current version stays in the list of versions. Tests keep calling the operations they were created for."
      />
      <FormErrorSummary form={form} />
      {result?.inspection && <InspectionReport inspection={result.inspection} next="Import it" />}
      {result?.changes && <ChangeReview apiId={apiId} changes={result.changes} />}
      <Column width="form">
        <form method="post" encType="multipart/form-data" {...getFormProps(form)}>
          <Stack gap="huge">
            <Card title="Document">
              <DocumentSourceFields fields={fields as never} staged={result?.staged} />
            </Card>
            <Row>
              <Button name="intent" value="review" variant={reviewed ? "secondary" : "primary"}>
                {reviewed ? "Review again" : "Review the changes"}
              </Button>
              <Button name="intent" value="import" variant={reviewed ? "primary" : "secondary"}>
                Import
              </Button>
              <LinkButton href={href("/api-management/:apiId/details", { apiId })} variant="quiet">
                Cancel
              </LinkButton>
            </Row>
          </Stack>
        </form>
      </Column>
    </>
  );
}

/** The union of the action's results; each has some of it. */
interface Result {
  result: SubmissionResult<string[]>;
  staged?: StagedFiles;
  inspection?: Parameters<typeof InspectionReport>[0]["inspection"];
  changes?: ReviewedChanges;
}
