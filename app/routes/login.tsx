import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { askAgain, handleLoginCode, handleLoginPasskey, signedIn } from "~/session/complete-sign-in.server";
import { hasConsent } from "~/session/cookies";
import { findViewer } from "~/session/guards";
import { lostForm, ownPath, savedFormParameter } from "~/session/redirects";
import { createSignIn, SignInRefused } from "~/session/sign-in.server";
import { FormPage } from "~/shell/form-page/form-page";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextField } from "~/ui/text-field/text-field";
import { LoginCodeForm } from "./login-code-form";

export const meta: MetaFunction = () => [{ title: "Login · API Assurance" }];

const longestUsername = 254;

const loginInput = z.object({
  username: z
    .string({ error: "Enter your username" })
    .max(longestUsername, `A username has at most ${longestUsername} characters`),
  password: z.string({ error: "Enter your password" }).max(1_000, "Use at most 1,000 characters"),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams;
  const redirectTo = ownPath(requested.get("redirectTo"));
  if (findViewer(context)) throw redirect(redirectTo);
  return {
    redirectTo,
    byInvitation: context.registersByInvitation,
    consented: hasConsent(request),
    kept: new URL(redirectTo, context.publicOrigin).searchParams.get(savedFormParameter),
    registered: requested.get("registered")?.slice(0, longestUsername),
    passwordChanged: requested.has("passwordChanged"),
  };
}

const firstStep = { challenge: undefined, redirectTo: "", afterProvider: false, step: undefined };

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request.clone());
  const intent = form.get("intent");
  if (intent === "code") return await handleLoginCode(request, context, form);
  if (intent === "passkey") return await handleLoginPasskey(request, context, form);
  const submission = parseWithZod(form, { schema: loginInput });
  if (submission.status !== "success") return data({ ...firstStep, reply: submission.reply() }, 422);
  const signIn = createSignIn(await context.connectAsPortal(), context.clientAddress);
  try {
    return signedIn(request, context, await signIn(request), form);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const { code, challenge } = error.problem;
    if (code === "second_factor_required") {
      return await askAgain(context, form, { challenge, reply: undefined, status: 200 });
    }
    context.log.warn({ requestId: context.requestId, code }, "sign-in refused");
    return data({ ...firstStep, reply: rejected(submission, error.problem).data }, error.problem.status);
  }
}

export default function Login() {
  const displayed = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result?.challenge) {
    const { challenge, redirectTo, afterProvider, reply: lastResult, step } = result;
    return <LoginCodeForm {...{ challenge, redirectTo, afterProvider, lastResult }} {...step} />;
  }
  return <PasswordForm {...displayed} lastResult={result?.reply} />;
}

type PasswordFormProps = SerializeFrom<typeof loader> & { lastResult: SubmissionResult | undefined };

function PasswordForm(props: PasswordFormProps) {
  const { redirectTo, byInvitation, consented, kept, registered, passwordChanged, lastResult } = props;
  const [form, fields] = useForm<z.infer<typeof loginInput>>({
    id: "login",
    lastResult,
    defaultValue: { username: registered },
  });
  const news = registered
    ? { title: "Your account is ready", sentence: "Log in with the password you have just chosen." }
    : passwordChanged
      ? { title: "Your password is changed", sentence: "All sessions of the account were ended." }
      : undefined;
  return (
    <FormPage
      title="Login"
      below={
        <>
          <p>
            <a href={href("/login/single-sign-on", { redirectTo })}>Log in with single sign-on</a>
          </p>
          <p>
            <a href={href("/password-reset")}>Forgot your password?</a>
          </p>
          <p>
            No account yet?{" "}
            <a href={href("/registration-type-selection")}>{byInvitation ? "Ask for an invitation" : "Register"}</a>
          </p>
        </>
      }
    >
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          {news && !lastResult && (
            <Notice role="status" tone="success" title={news.title}>
              {news.sentence}
            </Notice>
          )}
          {kept && (
            <Notice role="status" title="Your session has ended. Nothing was sent">
              {kept === lostForm
                ? "Your input could not be restored."
                : "Your input is kept for ten minutes. Log in with the same account to restore it."}
            </Notice>
          )}
          <FormErrorSummary form={form} />
          <input type="hidden" name="redirectTo" value={redirectTo} />
          <TextField
            label="Username"
            hint="Or your email address."
            autoComplete="username"
            autoCapitalize="none"
            autoFocus={!lastResult && !registered}
            {...fieldProps(fields.username)}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            autoFocus={!lastResult && Boolean(registered)}
            {...fieldProps(fields.password)}
            defaultValue={undefined}
          />
          <Button variant="primary" size="large" fullWidth data-accepts-cookies>
            {consented ? "Login" : "Accept essential cookies and log in"}
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
