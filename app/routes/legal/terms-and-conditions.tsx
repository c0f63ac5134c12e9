import type { MetaFunction } from "@remix-run/node";
import { href } from "~/href";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "Terms & Conditions · API Assurance" }];

export default function TermsAndConditions() {
  return (
    <TextPage title="Terms & Conditions" description="The rules for using this portal.">
      <h2>What the portal does</h2>
      <p>
        It stores the descriptions of your APIs, sends the requests of your tests, evaluates the responses and shows you
        what failed and why.
      </p>
      <h2>Test only what you may</h2>
      <p>
        Register and test only APIs that you own or are allowed to test. You are responsible for the requests; choose
        environments, data and frequency so that no one is harmed.
      </p>
      <h2>Your account</h2>
      <p>
        Keep your password to yourself and inform your administrator if someone else may know it. You are responsible
        for what is done with your account.
      </p>
      <p>
        Register with your own email address; each address has one account, and each account belongs to one
        organization. The person who registers an organization acts for it, becomes its administrator, and may invite
        others. Invite only people who expect it.
      </p>
      <h2>Plans</h2>
      <p>
        Each plan sets usage limits; prices and limits are on the <a href={`${href("/")}#pricing`}>start page</a>. Where
        a limit is reached, the portal says which one, and what is stored stays.
      </p>
      <h2>What you put in</h2>
      <p>
        Documents, tests and results remain yours. The operator uses them only to provide the portal to you and your
        organization.
      </p>
      <h2>What you can count on</h2>
      <p>
        Every started test is recorded with its outcome. If the process sending a request is interrupted, the request
        may be sent a second time; outcomes are recorded once.
      </p>
      <p>
        A passed test shows that an API behaved as described at that moment. It guarantees nothing about what was not
        tested.
      </p>
      <h2>Ending</h2>
      <p>
        You can stop using the portal at any time and delete your data. The operator may close accounts that are used
        against these rules.
      </p>
    </TextPage>
  );
}
