import type { ReactNode } from "react";
import { FormPage } from "~/shell/form-page/form-page";
import { Prose } from "~/ui/prose/prose";

export interface LinkEndedProps {
  /** How long such a link holds, as in `24 hours`. */
  holds: string;
  /** It leads somewhere as long as it holds, however often it is followed. */
  worksOften?: boolean;
  /** What to do now. */
  children: ReactNode;
}

/** Where a mailed link leads that was used, has ended or was never one. */
export function LinkEnded({ holds, worksOften, children }: LinkEndedProps) {
  return (
    <FormPage title="This link does not work any more">
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
