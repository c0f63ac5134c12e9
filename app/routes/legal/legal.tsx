import type { MetaFunction } from "@remix-run/node";
import { href } from "~/href";
import { ContactLink } from "~/shell/contact-link";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "Legal · API Assurance" }];

export default function Legal() {
  return (
    <TextPage title="Legal" description="Who provides this portal, and on what terms.">
      <h2>Provider</h2>
      <p>
        This installation of API Assurance is offered by the organization that operates it. Contact: <ContactLink />.
      </p>
      <h2>Content</h2>
      <p>
        API descriptions, tests and results shown here come from the users of this installation, who are responsible for
        them. Report unlawful content and we'll review it promptly.
      </p>
      <h2>Names and trademarks</h2>
      <p>Product and company names mentioned here belong to their owners and are used only for identification.</p>
      <h2>Software</h2>
      <p>
        The portal is built on open-source software. The licence of each package is delivered with it in the
        installation.
      </p>
      <h2>More</h2>
      <p>
        See the <a href={href("/terms-and-conditions")}>Terms &amp; Conditions</a> and the{" "}
        <a href={href("/privacy-policy")}>privacy policy</a>, read <a href={href("/about")}>about the product</a>, or{" "}
        <a href={href("/contact")}>contact us</a>.
      </p>
    </TextPage>
  );
}
