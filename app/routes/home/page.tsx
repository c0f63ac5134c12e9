import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listPlans } from "~/features/plans/list-plans.server";
import { href } from "~/href";
import { findViewer } from "~/session/guards";
import { Main } from "~/shell/page/main";
import { LinkButton } from "~/ui/button/button";
import { Column, Row } from "~/ui/layout/layout";
import * as styles from "./home.css";
import { Pricing } from "./pricing";
import { ProductPicture } from "./product-picture";
import { Proofs } from "./proofs";
import { Stories } from "./stories";

const sentence =
  "Register an API from its OpenAPI document, get tests you can run right away, and see exactly what failed, where and why.";

export const meta: MetaFunction = () => [
  { title: "API Assurance: know that your APIs do what they promise" },
  { name: "description", content: sentence },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = findViewer(context);
  return {
    signedIn: viewer !== undefined,
    byInvitation: context.registersByInvitation,
    managesBilling: viewer?.may("billing:manage") ?? false,
    plans: await listPlans(context),
  };
}

function firstStep({ signedIn, byInvitation }: { signedIn: boolean; byInvitation: boolean }) {
  if (signedIn) return { name: "Go to the dashboard", to: href("/dashboard") };
  if (byInvitation) return { name: "Log in", to: href("/login") };
  return { name: "Register", to: href("/registration-type-selection") };
}

export default function Home() {
  const displayed = useLoaderData<typeof loader>();
  const { name, to } = firstStep(displayed);
  return (
    <Main>
      <Column width="page" className={styles.page}>
        <div className={styles.opening}>
          <div className={styles.words}>
            <h1 className={styles.headline}>Know that your APIs do what they promise</h1>
            <p className={styles.sentence}>{sentence}</p>
            <Row gap="medium">
              <LinkButton href={to} variant="primary" size="large" iconAfter="arrow-right">
                {name}
              </LinkButton>
              <LinkButton href="#pricing" size="large">
                See the plans
              </LinkButton>
            </Row>
          </div>
          <ProductPicture
            name="failure"
            alt="The verifications of a failed test: a price documented as a number was returned as text, with what was expected, what was returned, and where."
          />
        </div>
        <Proofs />
        <Stories />
        <Pricing {...displayed} />
        <p className={styles.closing}>
          <span>
            Read <a href={href("/docs")}>the documentation</a> or <a href={href("/about")}>about the product</a>, or{" "}
            <a href={href("/contact")}>ask us</a>.
          </span>
        </p>
      </Column>
    </Main>
  );
}
