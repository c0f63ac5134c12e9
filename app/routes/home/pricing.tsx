import { href } from "~/href";
import { PlanCard, PlanCards } from "~/plans/plan-card";
import { LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { ServicePricing } from "../../../services/portal-service/contract/plans.ts";
import * as styles from "./home.css";

export interface PricingProps {
  /** Undefined when they could not be read. */
  plans: ServicePricing[] | undefined;
  signedIn: boolean;
}

/** The plans side by side. The header's Pricing leads here from every page. */
export function Pricing({ plans, signedIn }: PricingProps) {
  return (
    <section id="pricing" aria-labelledby="pricing-title" className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id="pricing-title" className={styles.sectionTitle}>
          Pricing
        </h2>
        <p className={styles.sentence}>
          Begin with any plan and change it when you need more. Retries, runs that failed on our side and manual re-runs
          of a failed test are never counted.
        </p>
      </div>
      {plans ? (
        <PlanCards>
          {plans.map((plan) => (
            <PlanCard key={plan.serviceId} plan={plan} action={<PlanAction plan={plan} signedIn={signedIn} />} />
          ))}
        </PlanCards>
      ) : (
        <Notice tone="warning" title="The plans can't be shown at the moment">
          Reload the page in a moment. You can register without choosing one, and choose later.
        </Notice>
      )}
    </section>
  );
}

function PlanAction({ plan, signedIn }: { plan: ServicePricing; signedIn: boolean }) {
  const next = signedIn ? href("/billing") : href("/registration-type-selection", { serviceId: plan.serviceId });
  return (
    <LinkButton href={next} size="large" fullWidth aria-label={`${signedIn ? "Choose" : "Register with"} ${plan.name}`}>
      {signedIn ? "Choose" : "Register"}
    </LinkButton>
  );
}
