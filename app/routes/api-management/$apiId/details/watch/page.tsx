import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { problemResponse, required } from "~/backend/responses";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { requireApiSummary } from "../../api-summary.server";
import { findReview } from "./find-review.server";
import { NewVersion } from "./new-version";
import { actionChoices, intervalChoices, toForm, watchForm } from "./watch-form";
import { WatchState } from "./watch-state";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Watch the document of ${getApiName(matches)} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const { apiRegistry } = viewer.backend;
  const [{ name }, { watch }, documents] = await Promise.all([
    requireApiSummary(viewer, apiId),
    apiRegistry.getDocumentWatch({ params: { apiId } }).then(required),
    apiRegistry.listDocuments({ params: { apiId }, query: { limit: 1 } }).then(required),
  ]);
  return {
    apiId,
    apiName: name,
    watch,
    review: watch?.change ? await findReview(viewer, apiId, watch.url) : undefined,
    first: toForm(watch, documents.items[0]?.sourceUrl ?? ""),
    dialog: new URL(request.url).searchParams.get("dialog"),
    now: new Date().toISOString(),
    mayChange: viewer.may("apis:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiRegistry } = viewer.backend;
  const path = { apiId: params.apiId! };
  const here = href("/api-management/:apiId/details/watch", path);
  const form = await readForm(request.clone());
  const digest = String(form.get("digest") ?? "");
  switch (form.get("intent")) {
    case "end":
      required(await apiRegistry.endDocumentWatch({ params: path }));
      return redirectWithToast(context, here, "The document is no longer watched.");
    case "take-over": {
      const taken = await apiRegistry.takeOverDocument({ params: path, body: { digest } });
      if (taken.ok) {
        const settings = href("/api-management/:apiId/details", path);
        return redirectWithToast(context, settings, `Version ${taken.value.version} is taken over.`);
      }
      if (taken.status !== 409 && taken.status !== 422) throw problemResponse(taken.problem);
      return redirectWithToast(context, here, { message: taken.problem.detail, variant: "warning" });
    }
    case "dismiss": {
      const dismissed = await apiRegistry.dismissDocument({ params: path, body: { digest } });
      if (dismissed.ok) {
        return redirectWithToast(context, here, "Dismissed until the address serves another version.");
      }
      if (dismissed.status !== 409) throw problemResponse(dismissed.problem);
      return redirectWithToast(context, here, { message: dismissed.problem.detail, variant: "warning" });
    }
  }
  const submission = await parseSubmission(request, watchForm);
  if (submission.status !== "success") return rejected(submission);
  const saved = await apiRegistry.setDocumentWatch({ params: path, body: submission.value });
  if (!saved.ok) return rejected(submission, saved.problem);
  return redirectWithToast(context, here, "The document is watched. The first look follows within a minute.");
}

export default function WatchPage() {
  const { apiId, apiName, watch, review, dialog, now, mayChange } = useLoaderData<typeof loader>();
  const here = href("/api-management/:apiId/details/watch", { apiId });
  const change = watch?.change;
  return (
    <>
      <PageHeading
        title={`Watch the document of ${apiName}`}
        description="Its address is fetched on a schedule. A new version is reviewed by rule: one that breaks nothing can be taken over immediately, any other opens an incident."
        actions={
          watch &&
          mayChange && (
            <LinkButton href={`${here}?dialog=end`} variant="quiet" icon="trash">
              End the watch
            </LinkButton>
          )
        }
      />
      <Stack gap="large">
        {change && <NewVersion {...{ apiId, change, review, now, mayChange }} />}
        {watch && <WatchState {...{ apiId, watch, now }} />}
        {mayChange ? <WatchForm /> : !watch && <p>The document is not watched.</p>}
      </Stack>
      {watch && mayChange && dialog === "end" && (
        <Dialog
          title="End the watch?"
          message="New versions are no longer noticed, and open incidents of the document are resolved. The registered version stays."
          cancelHref={here}
          action={here}
          actions={[{ name: "End the watch", value: "end", style: "danger", icon: "trash" }]}
        />
      )}
      {change && mayChange && dialog === "take-over" && (
        <Dialog
          title={`Take over version ${change.version}?`}
          message="It becomes the current version. Tests keep calling the operations they were made for; those of removed operations fail."
          cancelHref={here}
          action={here}
          fields={{ digest: change.digest }}
          actions={[{ name: "Take over", value: "take-over", icon: "check" }]}
        />
      )}
    </>
  );
}

function WatchForm() {
  const { apiId, watch, first } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<typeof first>({
    id: "watch",
    defaultValue: first,
    lastResult: useActionData<typeof action>() ?? stored,
  });
  return (
    <Column width="form">
      <Card title={watch ? "What is watched" : "Watch an address"}>
        <FormErrorSummary form={form} />
        <form method="post" action={href("/api-management/:apiId/details/watch", { apiId })} {...getFormProps(form)}>
          <Stack gap="large">
            <TextField label="Document URL" inputMode="url" code {...fieldProps(fields.url)} />
            <RadioGroup label="Check" inline options={intervalChoices} {...fieldProps(fields.everyMinutes)} />
            <RadioGroup label="A new version" options={actionChoices} {...fieldProps(fields.action)} />
            <Row>
              <Button variant="primary">{watch ? "Save and check now" : "Watch it"}</Button>
              <LinkButton href={href("/api-management/:apiId/details", { apiId })} variant="quiet">
                Cancel
              </LinkButton>
            </Row>
          </Stack>
        </form>
      </Card>
    </Column>
  );
}
