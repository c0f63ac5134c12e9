import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireVisitor } from "~/session/guards";
import { MailNotice } from "~/shell/mail-notice";

export const meta: MetaFunction = () => [{ title: "Check your email · API Assurance" }];

export function loader({ request, context }: LoaderFunctionArgs) {
  requireVisitor(context);
  return {
    startOver: new URL(request.url).pathname.replace(/-success\/?$/, ""),
    mailboxIsOpen: context.mailbox === "open",
  };
}

/** Shown after both forms: the next step is the same for individuals and organizations. */
export default function AccountRequested() {
  const { startOver, mailboxIsOpen } = useLoaderData<typeof loader>();
  return (
    <MailNotice
      contents="We sent a link to complete your account to the address you entered."
      holds="24 hours"
      startOver={startOver}
      mailboxIsOpen={mailboxIsOpen}
    />
  );
}
