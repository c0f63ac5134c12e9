import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { emailAddress } from "#contracts/security-service/account.ts";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { acceptCookies, hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { findOriginError, readSignOn, signOnCookie } from "~/session/single-sign-on.server";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { Button, LinkButton } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";

/** Continues automatically: a form may not lead to another site, so the redirect is a page. */
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: "Single sign-on · API Assurance" },
  ...(data?.next ? [{ httpEquiv: "refresh", content: `0;url=${data.next.url}` }] : []),
];

const page = href("/login/single-sign-on");
const signOnForm = z.object({ email: emailAddress, redirectTo: z.string().optional() });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams;
  const redirectTo = ownPath(requested.get("redirectTo"));
  const begun = requested.has("continue") ? readSignOn(request, context).begun : undefined;
  if (!begun && findViewer(context)) throw redirect(redirectTo);
  return {
    redirectTo,
    consented: hasConsent(request),
    next: begun && { url: begun.url, host: new URL(begun.url).host, organizationName: begun.organizationName },
    /** A signed-in user who is sent there for another purpose. */
    cancelTo: begun && findViewer(context) ? begun.redirectTo : undefined,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = await parseSubmission(request.clone(), signOnForm);
  if (submission.status !== "success") return rejected(submission);
  const { email, redirectTo } = submission.value;
  const { backend, headers: visitor } = await connectForVisitor(context);
  const started = await backend.securityService.startSingleSignOn({ headers: visitor, body: { email } });
  if (!started.ok) return rejected(submission, started.problem);
  const error = findOriginError(context, started.value.url);
  if (error) return rejected(submission, { status: 409, detail: error });
  const begun = { ...started.value, redirectTo: ownPath(redirectTo ?? null) };
  // As the button says, signing in accepts the essential cookies.
  context.session.consented = true;
  const headers = new Headers({ "set-cookie": signOnCookie(context, { begun }) });
  if (!hasConsent(request)) headers.append("set-cookie", acceptCookies(context.publicOrigin.startsWith("https:")));
  return redirect(href("/login/single-sign-on", { continue: true }), { status: 303, headers });
}

export default function SingleSignOn() {
  const { redirectTo, consented, next, cancelTo } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<z.input<typeof signOnForm>>({
    id: "single-sign-on",
    lastResult: useActionData<typeof action>(),
  });
  const below = (
    <p>
      <a href={href("/login", { redirectTo })}>Log in with a password</a>
    </p>
  );
  if (next) {
    return (
      <FormPage
        title={next.organizationName}
        description={`You log in at ${next.host} and return here.`}
        below={
          cancelTo ? (
            <p>
              <a href={cancelTo}>Cancel</a>
            </p>
          ) : (
            below
          )
        }
      >
        <LinkButton href={next.url} variant="primary" size="large" fullWidth>
          Continue to {next.host}
        </LinkButton>
      </FormPage>
    );
  }
  return (
    <FormPage
      title="Single sign-on"
      description="For organizations with their own sign-in. We find yours by your email address."
      below={below}
    >
      <form method="post" action={page} {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          <input type="hidden" name="redirectTo" value={redirectTo} />
          <TextField {...fieldProps(fields.email)} label="Email address" type="email" required autoComplete="email" />
          <Button variant="primary" size="large" fullWidth data-accepts-cookies>
            {consented ? "Continue" : "Accept essential cookies and continue"}
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
