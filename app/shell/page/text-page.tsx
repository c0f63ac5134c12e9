import type { ReactNode } from "react";
import { Column } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { Page } from "./page";

/** A page of text. */
export function TextPage({
  title,
  description,
  children,
}: {
  title: string;
  description?: string;
  children: ReactNode;
}) {
  return (
    <Page>
      <PageHeading title={title} description={description} />
      <Column width="prose">
        <Prose>{children}</Prose>
      </Column>
    </Page>
  );
}
