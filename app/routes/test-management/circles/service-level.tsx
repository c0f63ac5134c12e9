import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { serviceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import { required } from "~/backend/responses";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";
import { Row, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextField } from "~/ui/text-field/text-field";
import { circleCrumbs } from "./circle-crumbs";
import { objectiveWords } from "./level-words";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Service level");

export const handle = { crumbs: circleCrumbs };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  const { testCircleId } = location;
  const [circle, levels, managed] = await Promise.all([
    viewer.backend.testRegistry.getCircle({ params: { testCircleId } }).then(required),
    viewer.backend.testAnalyzer.listServiceLevels({ query: { testCircleIds: testCircleId } }).then(required),
    findManaged(viewer, "serviceLevel", testCircleId),
  ]);
  const [level] = levels.items;
  return {
    place: location,
    circle: { name: circle.name },
    managed,
    version: level?.version ?? 0,
    first: {
      objective: String(level?.objective ?? 99.5),
      days: String(level?.days ?? 30),
      counts: level?.counts ?? "passRate",
    },
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testAnalyzer } = viewer.backend;
  const location = params as CircleParams;
  const circlePage = href("/test-management/:apiId/test-circles/:testCircleId", location);
  const form = await readForm(request.clone());
  if (form.get("intent") === "delete") {
    required(await testAnalyzer.deleteServiceLevel({ params: location }));
    return redirectWithToast(context, circlePage, "The circle no longer has a service level.");
  }
  const submission = await parseSubmission(request, serviceLevelInput);
  if (submission.status !== "success") return rejected(submission);
  const saved = await testAnalyzer.setServiceLevel({
    params: location,
    body: submission.value,
    headers: { "if-match": `"${Number(form.get("version"))}"` },
  });
  if (!saved.ok) return rejected(submission, saved.problem);
  return redirectWithToast(context, circlePage, `The service level is set: ${objectiveWords(saved.value)}.`);
}

export default function ServiceLevelPage() {
  const { place, circle, managed, version, first, asksToDelete } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const [form, fields] = useForm<typeof first>({
    id: "service-level",
    defaultValue: first,
    lastResult: useActionData<typeof action>() ?? stored,
  });
  const here = href("/test-management/:apiId/test-circles/:testCircleId/service-level", place);
  return (
    <>
      <PageHeading
        title="Service level"
        description={`The objective for ${circle.name}. The rest is its error budget; the circle's page shows how much is left and how fast it burns.`}
        actions={
          version > 0 && (
            <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
              Delete
            </LinkButton>
          )
        }
      />
      <ManagedNote managed={managed} />
      <Card>
        <FormErrorSummary form={form} />
        <form method="post" action={here} {...getFormProps(form)}>
          <input type="hidden" name="version" value={version} />
          <Stack>
            <TextField
              label="Objective"
              hint="50–99.999 %."
              inputMode="decimal"
              width="short"
              after="%"
              {...fieldProps(fields.objective)}
            />
            <TextField
              label="Period"
              hint="Rolling window, 7–90 days."
              inputMode="numeric"
              width="short"
              after="days"
              {...fieldProps(fields.days)}
            />
            <RadioGroup
              label="Rule"
              options={[
                {
                  value: "passRate",
                  label: "Pass rate",
                  hint: "Across all members of complete runs. Members skipped because of an earlier failure count as failed.",
                },
                {
                  value: "availability",
                  label: "Availability",
                  hint: "Requests without an unexpected server error, regardless of assertions.",
                },
              ]}
              {...fieldProps(fields.counts)}
            />
            <Row>
              <Button variant="primary">Save</Button>
              <LinkButton href={href("/test-management/:apiId/test-circles/:testCircleId", place)}>Cancel</LinkButton>
            </Row>
          </Stack>
        </form>
      </Card>
      {asksToDelete && version > 0 && (
        <Dialog
          title="Delete the service level?"
          message="Results are kept: a new one covers the same days."
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
