import { FormPage } from "~/shell/form-page/form-page";
import { SignedInAlready } from "~/shell/signed-in-already";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { AskForCode, type CodeFormProps } from "./ask-for-code";
import type { Offer } from "./completion.server";
import { NewAccountForm } from "./new-account-form";

export interface CompletionPageProps extends Omit<CodeFormProps, "email"> {
  title: string;
  description: string;
  offer: Offer;
  /** A code was mailed or is already known: show the form that takes it. */
  takesCode: boolean;
  /** The user signed in in this browser. */
  viewerName: string | undefined;
}

/** Offer of a mailed link, then a code to the same address, then the account: one page for all such links. */
export function CompletionPage({ title, description, offer, viewerName, takesCode, ...form }: CompletionPageProps) {
  return (
    <FormPage title={title} description={description}>
      <DefinitionList items={offer.details} />
      {viewerName ? (
        <SignedInAlready viewerName={viewerName} />
      ) : takesCode ? (
        <NewAccountForm email={offer.email} {...form} />
      ) : (
        <AskForCode email={offer.email} {...form} />
      )}
    </FormPage>
  );
}
