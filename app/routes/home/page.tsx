import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { listPlans } from "~/plans/list-plans.server";
import { findViewer } from "~/session/guards";
import { Main } from "~/shell/page/main";
import { LinkButton } from "~/ui/button/button";
import { Column, Row } from "~/ui/layout/layout";
import * as styles from "./home.css";
import { Pricing } from "./pricing";
import { ProductPicture } from "./product-picture";
import { Proofs } from "./proofs";

const sentence =
  "Register an API from its OpenAPI document, get tests that run at once, and read exactly which promise was broken, where and why.";

export const meta: MetaFunction = () => [
  { title: "API Assurance: know that your APIs keep their promises" },
  { name: "description", content: sentence },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = findViewer(context);
  return {
    signedIn: viewer !== undefined,
    managesBilling: viewer?.may("billing:manage") ?? false,
    plans: await listPlans(context),
  };
}

export default function Home() {
  const { signedIn, managesBilling, plans } = useLoaderData<typeof loader>();
  return (
    <Main>
      <Column width="page" className={styles.page}>
        <div className={styles.opening}>
          <div className={styles.words}>
            <h1 className={styles.headline}>Know that your APIs keep their promises</h1>
            <p className={styles.sentence}>{sentence}</p>
            <Row gap="medium">
              <LinkButton
                href={signedIn ? href("/dashboard") : href("/registration-type-selection")}
                variant="primary"
                size="large"
                iconAfter="arrow-right"
              >
                {signedIn ? "Go to the dashboard" : "Register"}
              </LinkButton>
              <LinkButton href="#pricing" size="large">
                See the plans
              </LinkButton>
            </Row>
          </div>
          <ProductPicture />
        </div>
        <Proofs />
        <Pricing plans={plans} signedIn={signedIn} managesBilling={managesBilling} />
        <p className={styles.closing}>
          Read <a href={href("/about")}>how it works</a>, or <a href={href("/contact")}>ask us</a>.
        </p>
      </Column>
    </Main>
  );
}
