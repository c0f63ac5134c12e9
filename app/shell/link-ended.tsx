import type { ReactNode } from "react";
import { FormPage } from "~/shell/form-page/form-page";
import { Prose } from "~/ui/prose/prose";

export interface LinkEndedProps {
  /** Lifetime of such a link, such as `24 hours`. */
  holds: string;
  /** The link is reusable until it expires. */
  worksOften?: boolean;
  /** The remedy. */
  children: ReactNode;
}

/** The page of a mailed link that was used, has expired or never existed. */
export function LinkEnded({ holds, worksOften, children }: LinkEndedProps) {
  return (
    <FormPage title="This link no longer works">
      <Prose>
        <p>
          Such a link {!worksOften && "works once and "}is valid for {holds}. Some mail programs also cut long links in
          two.
        </p>
        {children}
      </Prose>
    </FormPage>
  );
}
