import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { WindowEditor } from "./window-editor";
import { toForm } from "./window-form";
import { handleWindowForm, readChoices } from "./window-form.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.window.name ?? "Maintenance window"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const maintenanceWindowId = params.maintenanceWindowId!;
  const { getMaintenanceWindow, previewMaintenanceWindow } = viewer.backend.testRegistry;
  const window = required(await getMaintenanceWindow({ params: { maintenanceWindowId } }));
  const first = toForm(window, { timeZone: getTimeZone(request, viewer.session), now: Date.now() });
  const [choices, preview, managed] = await Promise.all([
    readChoices(viewer, first),
    previewMaintenanceWindow({ body: { times: window.times } }).then(available),
    findManaged(viewer, "maintenanceWindow", maintenanceWindowId),
  ]);
  return {
    ...{ first, choices, managed },
    window: { name: window.name, version: window.version },
    preview: preview && { items: preview.items, timeZone: first.timeZone },
    here: href("/test-management/maintenance-windows/:maintenanceWindowId/edit", { maintenanceWindowId }),
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
    runKey: newRunKey(),
    mayWrite: viewer.may("tests:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testRegistry } = viewer.backend;
  const maintenanceWindowId = params.maintenanceWindowId!;
  if ((await readForm(request.clone())).get("intent") === "delete") {
    required(await testRegistry.deleteMaintenanceWindow({ params: { maintenanceWindowId } }));
    return redirectWithToast(context, href("/test-management/maintenance-windows"), "The window was deleted.");
  }
  return await handleWindowForm(request, {
    ...{ viewer, context },
    save: (body, form) =>
      testRegistry.changeMaintenanceWindow({
        params: { maintenanceWindowId },
        body,
        headers: { "if-match": `"${Number(form.get("version"))}"` },
      }),
  });
}

export default function EditMaintenanceWindow() {
  const { window, first, choices, managed, preview, here, asksToDelete, runKey, mayWrite } =
    useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title={window.name}
        actions={
          mayWrite && (
            <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
              Delete
            </LinkButton>
          )
        }
      />
      <ManagedNote managed={managed} />
      <WindowEditor
        {...{ first, choices, preview, runKey, mayWrite }}
        version={window.version}
        action={here}
        result={useActionData<typeof action>()}
        saveLabel="Save"
      />
      {asksToDelete && mayWrite && (
        <Dialog
          title={`Delete ${window.name}?`}
          message="Schedules resume now. Skipped runs stay recorded. This can't be undone."
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete window", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </Page>
  );
}
