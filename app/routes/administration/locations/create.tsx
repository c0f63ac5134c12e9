import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { LocationFields } from "./location-fields";
import { type LocationForm, locationForm } from "./location-form";

export const meta: MetaFunction = () => [{ title: "Create a location · API Assurance" }];

const list = href("/administration/locations");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return null;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, locationForm);
  if (submission.status !== "success") return rejected(submission);
  const created = await backend.testExecutioner.createLocation({ body: submission.value });
  if (!created.ok) return rejected(submission, created.problem);
  const { id, name } = created.value;
  const next = href("/administration/locations/:locationId/add-agent", { locationId: id });
  return redirectWithToast(context, next, `${name} is created. Add its first agent now.`);
}

export default function CreateLocation() {
  const stored = useSavedResult();
  const [form, fields] = useForm<LocationForm>({
    id: "location",
    lastResult: useActionData<typeof action>() ?? stored,
  });
  return (
    <>
      <PageHeading title="Create a location" breadcrumbs={[{ label: "Locations", href: list }, { label: "Create" }]} />
      <PageForm form={form} submitLabel="Create location" cancelHref={list}>
        <LocationFields fields={fields} />
      </PageForm>
    </>
  );
}
