import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import { loginFor } from "~/features/plans/picked-plan";
import { PlanCard, PlanCards } from "~/features/plans/plan-card";
import { recommendPlan } from "~/features/plans/recommended-plan";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import * as styles from "./home.css";

export interface PricingProps {
  /** Undefined when they could not be read. */
  plans: ServicePricing[] | undefined;
  signedIn: boolean;
  /** Registration is by invitation only: users with an account log in and choose. */
  byInvitation?: boolean;
  /** Whether the viewer decides on an organization's plan. */
  managesBilling: boolean;
}

/** The plans side by side. The header's Pricing links here from every page. */
export function Pricing({ plans, signedIn, byInvitation = false, managesBilling }: PricingProps) {
  const recommended = signedIn ? undefined : recommendPlan(plans ?? []);
  function actionFor({ serviceId, name }: ServicePricing) {
    if (signedIn && !managesBilling) return undefined;
    const [verb, words, next] = signedIn
      ? (["Choose", `Choose ${name}`, href("/billing", { serviceId })] as const)
      : byInvitation
        ? (["Log in", `Log in to choose ${name}`, loginFor(serviceId)] as const)
        : (["Register", `Register with ${name}`, href("/registration-type-selection", { serviceId })] as const);
    return (
      <LinkButton
        href={next}
        size="large"
        fullWidth
        variant={serviceId === recommended?.serviceId ? "primary" : "secondary"}
        aria-label={words}
      >
        {verb}
      </LinkButton>
    );
  }

  return (
    <section id="pricing" aria-labelledby="pricing-title" className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id="pricing-title" className={styles.sectionTitle}>
          Pricing
        </h2>
        <p className={styles.sentence}>
          Start with any plan and change it when you need more. Retries, failures on our side and manual reruns of a
          failed test are never counted.
          {plans?.some(({ trialDays }) => trialDays > 0) &&
            " Free trials are for organizations that have not subscribed before."}
          {byInvitation && !signedIn && " Accounts are by invitation only."}
          {signedIn && !managesBilling && " An administrator of your organization can choose its plan."}
        </p>
      </div>
      {plans ? (
        <PlanCards>
          {plans.map((plan) => (
            <PlanCard
              key={plan.serviceId}
              plan={plan}
              mark={plan.serviceId === recommended?.serviceId ? "Recommended" : undefined}
              action={actionFor(plan)}
            />
          ))}
        </PlanCards>
      ) : (
        <Notice tone="warning" title="The plans can't be shown at the moment">
          Try again shortly.{!byInvitation && " You can register without choosing one, and choose later."}
        </Notice>
      )}
    </section>
  );
}
