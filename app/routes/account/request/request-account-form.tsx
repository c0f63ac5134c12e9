import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import type { z } from "zod";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { HumanCheck as Check } from "#contracts/security-service/human-check.ts";
import type { Registration, registrationRequest } from "#contracts/security-service/registration.ts";
import { loginFor } from "~/features/plans/picked-plan";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { HumanCheck } from "~/forms/human-check";
import { href } from "~/href";
import { FormPage } from "~/shell/form-page/form-page";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { PlanChoice } from "./plan-choice";

export interface RequestAccountFormProps {
  kind: Registration["kind"];
  plans: ServicePricing[] | undefined;
  check: Check | undefined;
  /** The plan chosen earlier, or empty. */
  serviceId: string;
  lastResult: SubmissionResult<string[]> | undefined;
}

type Fields = z.input<typeof registrationRequest>;

const words = {
  individual: { title: "Register as an individual", otherwise: "For a team?", other: "organization" },
  organization: { title: "Register an organization", otherwise: "Only for yourself?", other: "individual" },
} as const;

/** Requests an account: an address for the link, the plan, and the name of an organization. */
export function RequestAccountForm({ kind, plans, check, serviceId, lastResult }: RequestAccountFormProps) {
  const { title, otherwise, other } = words[kind];
  const [form, fields] = useForm<Fields>({ id: "account", lastResult, defaultValue: { serviceId } });
  return (
    <FormPage
      title={title}
      description="We email you a link to the page where you create your account."
      below={
        <>
          <p>
            {otherwise}{" "}
            <a href={href(`/create-account-${other}`, { serviceId: serviceId || undefined })}>{words[other].title}</a>
          </p>
          <p>
            Already registered? <a href={loginFor(serviceId)}>Log in</a>
          </p>
          <p>
            By registering, you agree to the <a href={href("/terms-and-conditions")}>Terms &amp; Conditions</a>. The{" "}
            <a href={`${href("/privacy-policy")}#registering`}>privacy policy</a> says what is stored.
          </p>
        </>
      }
    >
      <form method="post" {...getFormProps(form)}>
        <Stack gap="large">
          <FormErrorSummary form={form} />
          {kind === "organization" && (
            <TextField
              label="Name of the organization"
              autoComplete="organization"
              {...fieldProps(fields.organizationName)}
            />
          )}
          <TextField
            label="Email address"
            hint="You'll need access to this inbox."
            type="email"
            autoComplete="email"
            {...fieldProps(fields.email)}
          />
          <PlanChoice field={fields.serviceId} plans={plans} />
          <Button variant="primary" size="large" fullWidth>
            Email me a link
          </Button>
          <HumanCheck check={check} id={fields.recaptchaToken.id} errors={fields.recaptchaToken.errors} />
        </Stack>
      </form>
    </FormPage>
  );
}
