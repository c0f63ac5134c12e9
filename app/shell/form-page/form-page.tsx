import type { ReactNode } from "react";
import { Main } from "~/shell/page/main";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import * as styles from "./form-page.css";

export interface FormPageProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Alternative links, one per paragraph. */
  below?: ReactNode;
}

/** A page with one short form, such as sign-in. */
export function FormPage({ title, description, children, below }: FormPageProps) {
  return (
    <Main>
      <div className={styles.container}>
        <Card>
          <Stack gap="large">
            <Stack gap="small">
              <h1>{title}</h1>
              {description && <div className={styles.description}>{description}</div>}
            </Stack>
            {children}
          </Stack>
        </Card>
        {below && <div className={styles.below}>{below}</div>}
      </div>
    </Main>
  );
}
