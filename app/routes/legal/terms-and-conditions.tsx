import type { MetaFunction } from "@remix-run/node";
import { href } from "~/href";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "Terms & Conditions · API Assurance" }];

export default function TermsAndConditions() {
  return (
    <TextPage title="Terms & Conditions" description="The rules for using this portal.">
      <h2>What the portal does</h2>
      <p>
        It keeps the descriptions of your APIs, sends the requests that your tests describe, judges the responses and
        shows you what failed and why.
      </p>
      <h2>Test only what you may</h2>
      <p>
        Register and test only APIs that you own or are allowed to test. Requests go out under your responsibility;
        choose environments, data and frequency so that nobody is harmed by them.
      </p>
      <h2>Your account</h2>
      <p>
        Keep your password to yourself and tell your administrator when somebody else may know it. What is done with
        your account counts as done by you.
      </p>
      <p>
        Register with an e-mail address that is yours; each address has one account, and each account belongs to one
        organization. Whoever registers an organization acts for it, becomes its administrator, and may invite others.
        Invite only people who expect it.
      </p>
      <h2>Plans</h2>
      <p>
        A plan says how much the portal may be used; its price and its limits stand on the{" "}
        <a href={`${href("/")}#pricing`}>start page</a>. Where a limit is reached, the portal says which one, and what
        is stored stays.
      </p>
      <h2>What you put in</h2>
      <p>
        Documents, tests and results remain yours. The operator uses them only to provide the portal to you and to your
        organization.
      </p>
      <h2>What you can count on</h2>
      <p>
        A test that was started is recorded with its outcome. Should the process that sends a request be interrupted,
        that request may be sent a second time; outcomes are recorded once.
      </p>
      <p>
        A passed test shows that an API behaved as described at that moment. It is no guarantee for what was not tested.
      </p>
      <h2>Ending</h2>
      <p>
        You can stop using the portal at any time and delete what you made. The operator may close accounts that are
        used against these rules.
      </p>
    </TextPage>
  );
}
