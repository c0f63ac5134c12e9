import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { RunKey } from "~/features/runs/run-key";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { readMoment } from "~/features/time-zone/local-moment";
import { MarkName } from "~/features/trends/mark-list";
import { markWords } from "~/features/trends/step-marks";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireScope, requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { MomentField } from "~/ui/moment-field/moment-field";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { TextField } from "~/ui/text-field/text-field";
import { markForm } from "./mark-form";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Marks");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.testAnalyzer.listMarks({ query: { apiId, cursor } }));
  return {
    apiId,
    address: request.url,
    cursor,
    marks: page.items,
    nextCursor: page.nextCursor,
    deletedId: search.get("dialog") === "delete" ? search.get("markId") : null,
    timeZone: getTimeZone(request, viewer.session),
    mayMark: viewer.may("tests:run"),
    mayDelete: viewer.may("tests:write"),
    runKey: newRunKey(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testAnalyzer } = viewer.backend;
  const apiId = params.apiId!;
  const form = await readForm(request.clone());
  const here = href("/test-management/:apiId/marks", { apiId });
  const deletedId = form.get("deletedId");
  if (deletedId) {
    requireScope(viewer, "tests:write");
    required(await testAnalyzer.deleteMark({ params: { markId: String(deletedId) } }));
    return redirectWithToast(context, here, "The marker was deleted.");
  }
  const timeZone = getTimeZone(request, viewer.session);
  const submission = await parseSubmission(request, markForm(timeZone));
  if (submission.status !== "success") return rejected(submission);
  const { at, ...mark } = submission.value;
  const made = await testAnalyzer.createMark({
    body: { ...mark, apiId, at: at && readMoment(at, timeZone) },
    headers: { "idempotency-key": `${readRunKey(form)}:mark` },
  });
  if (!made.ok) return rejected(submission, made.problem);
  return redirectWithToast(context, here, `${markWords(made.value)} is marked.`);
}

export default function Marks() {
  const { apiId, address, cursor, marks, nextCursor, deletedId, mayMark, mayDelete, ...shown } =
    useLoaderData<typeof loader>();
  const deleted = marks.find(({ id }) => id === deletedId);
  return (
    <>
      <PageHeading
        title="Marks"
        description="What changed: deployments, new document versions and edited tests. Trends show them where they happened."
      />
      {mayMark && <MarkForm timeZone={shown.timeZone} runKey={shown.runKey} />}
      {marks.length === 0 ? (
        <EmptyState title="No markers yet">
          Mark deployments here or with <code>POST /api/v1/marks</code>; changes made in the portal are marked
          automatically.
        </EmptyState>
      ) : (
        <Table
          caption="Marks, newest first"
          captionHidden
          rows={marks}
          rowKey={({ id }) => id}
          columns={[
            { key: "mark", header: "What", rowHeader: true, cell: (mark) => <MarkName mark={mark} /> },
            { key: "at", header: "When", cell: ({ at }) => <Moment value={at} /> },
            { key: "by", header: "Added by", cell: ({ createdBy }) => createdBy ?? "The portal" },
            {
              key: "actions",
              header: "Actions",
              headerHidden: true,
              tight: true,
              cell: (mark) =>
                mayDelete && (
                  <LinkButton
                    href={listAddress(address, { cursor, dialog: "delete", markId: mark.id })}
                    size="small"
                    icon="trash"
                    aria-label={`Delete ${markWords(mark)}`}
                  >
                    Delete
                  </LinkButton>
                ),
            },
          ]}
        />
      )}
      <CursorPages label="Pages of marks" {...{ address, cursor, nextCursor }} />
      {deleted && mayDelete && (
        <Dialog
          title={`Delete ${markWords(deleted)}?`}
          message="The marker is removed from charts only."
          cancelHref={listAddress(address, { cursor, markId: undefined })}
          action={href("/test-management/:apiId/marks", { apiId })}
          fields={{ deletedId: deleted.id }}
          actions={[{ name: "Delete mark", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}

function MarkForm({ timeZone, runKey }: { timeZone: string; runKey: string }) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ name: string; at: string; url: string }>({
    id: "mark",
    lastResult: useActionData<typeof action>() ?? stored,
  });
  return (
    <Card title="Mark a deployment">
      <FormErrorSummary form={form} />
      <form method="post" {...getFormProps(form)}>
        <RunKey value={runKey} />
        <Stack>
          <TextField label="Name" placeholder="Bookshop 2.4.0" {...fieldProps(fields.name)} />
          <MomentField
            label="When"
            hint={`By the clocks of ${timeZone}, e.g. 2026-11-27 22:00 or today 09:00. Leave empty for now.`}
            required={false}
            island={islandAttributes("moment-picker")}
            {...fieldProps(fields.at)}
          />
          <TextField
            label="Link to more information"
            inputMode="url"
            required={false}
            placeholder="https://ci.example.com/42"
            {...fieldProps(fields.url)}
          />
          <div>
            <Button variant="primary">Mark deployment</Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
