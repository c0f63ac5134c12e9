import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { keepTimeZone, timeZoneOf } from "~/session/time-zone";
import { FormPage } from "~/shell/form-page/form-page";
import { Button, LinkButton } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { isTimeZone } from "../../services/kit/time-zone/wall-clock.ts";

export const meta: MetaFunction = () => [{ title: "Time zone · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  const chosen = timeZoneOf(request);
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  return {
    chosen,
    // Browsers know some zones by an older name than the list.
    zones: zones.includes(chosen) ? zones : [chosen, ...zones],
    returnTo: ownPath(new URL(request.url).searchParams.get("returnTo")),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  await requireViewer(request, context);
  const form = await readForm(request);
  const name = String(form.get("timeZone") ?? "");
  if (!isTimeZone(name)) return data({ errors: ["There is no such time zone: choose one of the list."] }, 422);
  const secure = context.publicOrigin.startsWith("https:");
  const returnTo = ownPath(String(form.get("returnTo") ?? ""));
  return redirect(returnTo, { status: 303, headers: { "set-cookie": keepTimeZone(name, secure) } });
}

export default function TimeZone() {
  const { chosen, zones, returnTo } = useLoaderData<typeof loader>();
  return (
    <FormPage
      title="Time zone"
      description="Times are shown in this zone, and trends count its days. It is kept in this browser."
    >
      <form method="post">
        <input type="hidden" name="returnTo" value={returnTo} />
        <Stack>
          <Select
            label="Zone"
            name="timeZone"
            defaultValue={chosen}
            errors={useActionData<typeof action>()?.errors}
            options={zones.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          />
          <Row>
            <Button variant="primary">Use this zone</Button>
            <LinkButton href={returnTo}>Cancel</LinkButton>
          </Row>
        </Stack>
      </form>
    </FormPage>
  );
}
