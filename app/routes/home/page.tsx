import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { Column } from "~/ui/layout/layout";
import * as styles from "./home.css";
import { ProductPicture } from "./product-picture";
import { Proofs } from "./proofs";

const sentence =
  "Register an API from its OpenAPI document, get tests that run at once, and read exactly which promise was broken, where and why.";

export const meta: MetaFunction = () => [
  { title: "API Assurance: know that your APIs keep their promises" },
  { name: "description", content: sentence },
];

export function loader({ context }: LoaderFunctionArgs) {
  return { signedIn: findViewer(context) !== undefined };
}

export default function Home() {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <Column width="page" className={styles.page}>
      <div className={styles.opening}>
        <div className={styles.words}>
          <h1 className={styles.headline}>Know that your APIs keep their promises</h1>
          <p className={styles.sentence}>{sentence}</p>
          <div>
            <LinkButton
              href={signedIn ? "/dashboard" : "/login"}
              variant="primary"
              size="large"
              iconAfter="arrow-right"
            >
              {signedIn ? "Go to the dashboard" : "Login"}
            </LinkButton>
          </div>
        </div>
        <ProductPicture />
      </div>
      <Proofs />
    </Column>
  );
}
