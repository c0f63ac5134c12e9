import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { zoneChoice } from "~/features/time-zone/zone-choice.server";
import { ZoneSelect } from "~/features/time-zone/zone-select";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { renewSession } from "~/session/renew-session.server";
import { forgetTimeZone } from "~/session/time-zone";
import { FormPage } from "~/shell/form-page/form-page";
import { Button, LinkButton } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";

export const meta: MetaFunction = () => [{ title: "Time zone · API Assurance" }];

const zoneInput = z.object({ timeZone: z.string().default(""), returnTo: z.string().optional() });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session } = await requireViewer(request, context);
  const returnTo = ownPath(new URL(request.url).searchParams.get("returnTo"));
  return { choice: zoneChoice(request, session), returnTo };
}

/** Also serves the form on the profile. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, zoneInput);
  if (submission.status !== "success") return rejected(submission);
  const timeZone = submission.value.timeZone || null;
  const saved = await backend.securityService.changeOwnAccount({ body: { timeZone } });
  if (!saved.ok) return rejected(submission, saved.problem);
  await renewSession(context);
  const secure = context.publicOrigin.startsWith("https:");
  const headers = timeZone ? undefined : { "set-cookie": forgetTimeZone(secure) };
  return redirect(ownPath(submission.value.returnTo), { status: 303, headers });
}

export default function TimeZone() {
  const { choice, returnTo: requested } = useLoaderData<typeof loader>();
  const stored = useSavedResult();
  const result = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof zoneInput>>({
    id: "time-zone",
    lastResult: result ?? stored,
    defaultValue: { timeZone: choice.chosen, returnTo: requested },
  });
  const returnTo = String(fields.returnTo.initialValue ?? requested);
  return (
    <FormPage
      title="Time zone"
      description="Used for times on pages, days in trends and alert emails. Stored with your account."
    >
      <form method="post" {...getFormProps(form)}>
        <input type="hidden" name="returnTo" value={returnTo} />
        <Stack>
          <FormErrorSummary form={form} />
          <ZoneSelect field={fields.timeZone} choice={choice} />
          <Row>
            <Button variant="primary">Use this zone</Button>
            <LinkButton href={ownPath(returnTo)}>Cancel</LinkButton>
          </Row>
        </Stack>
      </form>
    </FormPage>
  );
}
